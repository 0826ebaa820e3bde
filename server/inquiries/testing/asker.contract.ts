import { deepStrictEqual, doesNotMatch, match, strictEqual } from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import type { Ask, Inquiry } from '#shared/inquiry.ts';
import { ask } from '../ask.ts';
import { sweep } from '../expire.ts';
import { readHistory } from '../../reports/history/read.ts';
import { readSnapshot } from '../read.ts';
import { releaseLease, spareLeases } from '../lease.ts';
import { waitForResolution } from '../hold.ts';
import { sql } from 'kysely';
import { HOUR_MS } from '../../platform/clock.ts';
import { readRows } from '../../platform/steps.ts';
import { planOf } from '../../platform/testing/explain.ts';
import { testsIn } from '../../platform/testing/tests-in.ts';
import { createSourceForEverybody } from '../../sources/create.ts';
import { sameCall } from '../same.ts';
import { earlierTo } from '../store.ts';
import type { Place } from './place.ts';

const APPROVAL: Ask = { actions: [{ name: 'refund', args: { euros: 340 }, allowed: ['approve', 'reject'] }] };
const APPROVE = { decisions: [{ type: 'approve' as const }] };

/** What people are told of whoever asked; the same on every engine. */
export function askerContract(place: (t: TestContext) => Promise<Place>): void {
  const test = testsIn(place);
  const blocking = async (p: Place, asked: Ask) =>
    (await ask(p.inquiries, { sourceId: p.sourceId, ask: asked, waitMs: 600_000 })).inquiryId;
  const open = async (p: Place) => (await readSnapshot(p.inquiries, p.phone)).inquiries;
  const past = async (p: Place) => (await readHistory(p.database.read, p.phone, { limit: 10 })).items;
  const heard = (p: Place) => p.news.map(({ event, inquiryId }) => `${event} ${inquiryId}`);
  const approve = async (p: Place, id: string) => {
    const { digest } = await p.read(id);
    return p.answer(id, { digest, ...APPROVE });
  };

  test('[ASK5] open pages are told at once that an asker is gone, and that it is back', async (p) => {
    const keyed = { prompt: 'Ship?', key: 'k' };
    const id = await blocking(p, keyed);
    strictEqual((await open(p))[0]?.askerGoneAt, undefined);
    const goneAt = p.database.clock.now();
    await releaseLease(p.inquiries, id);
    const [{ askerGoneAt }] = (await open(p)) as [Inquiry];
    strictEqual(Date.parse(askerGoneAt ?? '') >= Math.floor(goneAt), true);
    strictEqual(await blocking(p, keyed), id);
    strictEqual((await open(p))[0]?.askerGoneAt, undefined);
    deepStrictEqual(heard(p), [`inquiry ${id}`, `asker gone ${id}`, `asker back ${id}`]);
  });

  test('[RES6] an approval after the grace of an asker that is gone is too late, before any sweep', async (p) => {
    const id = await blocking(p, APPROVAL);
    await releaseLease(p.inquiries, id);
    p.pass(2_001);
    const { won, resolution } = await approve(p, id);
    deepStrictEqual([won, resolution.outcome, resolution.message], [false, 'withdrawn', 'its asker is gone']);
    const [{ state, late }] = (await past(p)) as [Inquiry];
    deepStrictEqual([state, late?.map(({ answer }) => answer)], ['withdrawn', [APPROVE]]);
    deepStrictEqual(heard(p), [`inquiry ${id}`, `asker gone ${id}`, `withdraw ${id}`]);
  });

  test('[ASK1] a hub that was away for hours waits a minute for the calls that wait, not for one that was gone before', async (p) => {
    const [gone, waits, alone] = [await blocking(p, APPROVAL), await blocking(p, APPROVAL), await p.ask(APPROVAL)];
    await releaseLease(p.inquiries, gone);
    p.pass(7_200_000);
    await spareLeases(p.inquiries);
    await sweep(p.inquiries);
    const left = async () => (await open(p)).map(({ id }) => id).toSorted();
    deepStrictEqual(await left(), [waits, alone].toSorted());
    p.pass(60_001);
    await sweep(p.inquiries);
    deepStrictEqual(await left(), [alone]);
  });

  test('an approval within the grace wins, and one for a call that still waits here after any standstill', async (p) => {
    const left = await blocking(p, APPROVAL);
    await releaseLease(p.inquiries, left);
    p.pass(1_500);
    strictEqual((await approve(p, left)).won, true);
    const waited = await blocking(p, { ...APPROVAL, title: 'Again' });
    const read = () => p.read(waited);
    const wait = { inquiryId: waited, read, callerId: p.sourceId, by: 'asker', ms: Infinity } as const;
    const waiting = waitForResolution(p.inquiries, { ...wait, signal: new AbortController().signal });
    p.pass(700_000);
    strictEqual((await approve(p, waited)).won, true);
    strictEqual((await waiting).ended, 'resolved');
  });

  test('an asker that leaves while the end of its wait is committed was told nothing, and is gone', async (p) => {
    const id = await blocking(p, APPROVAL);
    const left = new AbortController();
    const steps: typeof p.database.steps = (work) => (left.abort(), p.database.steps(work));
    const wait = { inquiryId: id, read: () => p.read(id), callerId: p.sourceId, by: 'asker', ms: 0 } as const;
    const inquiries = { ...p.inquiries, database: { ...p.database, steps } };
    strictEqual((await waitForResolution(inquiries, { ...wait, signal: left.signal })).ended, 'gone');
    p.pass(2_001);
    await sweep(p.inquiries);
    strictEqual((await p.resolution(id))?.message, 'its asker is gone');
  });

  test('[ASK5] an approval that nobody fetches is told as not picked up, until somebody does', async (p) => {
    const id = await blocking(p, APPROVAL);
    await approve(p, id);
    p.pass(9_000);
    await sweep(p.inquiries);
    deepStrictEqual(
      (await past(p)).map(({ notPickedUp }) => notPickedUp),
      [undefined],
    );
    p.pass(1_001);
    await sweep(p.inquiries);
    await sweep(p.inquiries);
    deepStrictEqual(
      (await past(p)).map(({ notPickedUp }) => notPickedUp),
      [true],
    );
    p.inquiries.collected.add(id);
    await p.inquiries.collected.stop();
    while (!heard(p).includes(`picked up ${id}`)) await turn();
    deepStrictEqual(
      (await past(p)).map(({ notPickedUp }) => notPickedUp),
      [undefined],
    );
    deepStrictEqual(heard(p).slice(2), [`not picked up ${id}`, `picked up ${id}`]);
  });

  test('[ASK5] nothing is missed of an ask that does not wait, or that a webhook tells', async (p) => {
    const ids = [await p.ask(APPROVAL), await blocking(p, { ...APPROVAL, callback: { url: 'https://example.com/h' } })];
    for (const id of ids) await approve(p, id);
    p.pass(60_000);
    await sweep(p.inquiries);
    deepStrictEqual(
      (await past(p)).map(({ notPickedUp }) => notPickedUp),
      [undefined, undefined],
    );
  });

  test('[ASK5] the same question again is asked anew and shows what was not picked up, to the same people', async (p) => {
    const first = await blocking(p, { prompt: 'Ship?' });
    const { resolution } = await p.answer(first, { text: 'Yes' });
    p.pass(10_001);
    await sweep(p.inquiries);
    const second = await blocking(p, { prompt: 'Ship?' });
    await blocking(p, { prompt: 'Ship it?' });
    deepStrictEqual(
      (await open(p)).map(({ id, earlier }) => [id === second, earlier]),
      [
        [false, undefined],
        [true, { inquiryId: first, resolution }],
      ],
    );
    p.pass(3_600_000);
    const third = await blocking(p, { prompt: 'Ship?', key: 'later' });
    deepStrictEqual((await open(p)).find(({ id }) => id === third)?.earlier, undefined);
  });

  test('[ASK5] of any number of answers to the same question that nobody picked up, an ask reads a few by their index', async (p) => {
    const first = await blocking(p, { prompt: 'Ship?' });
    const { resolution } = await p.answer(first, { text: 'Yes' });
    p.pass(10_001);
    await sweep(p.inquiries);
    const long = JSON.stringify(Array.from({ length: 10 }, (_, at) => String(at).repeat(20)));
    // Older than an hour, of another source, asked of others, and of others whose list begins as long ones do.
    await copyAnswered(p, first, { resolved_at: `resolved_at - ${HOUR_MS} - number` });
    const { source } = await createSourceForEverybody(p.database, p.phone.personId, 'Another');
    await copyAnswered(p, first, { source_id: `'${source.id}'` });
    await copyAnswered(p, first, { asked_of: `'["others"]'` });
    await copyAnswered(p, first, { asked_of: `'${long}' || number` });
    const second = await blocking(p, { prompt: 'Ship?' });
    const [{ id, earlier } = {}] = await open(p);
    deepStrictEqual([id, earlier], [second, { inquiryId: first, resolution }]);
    strictEqual((await readRows(p.database.read, earlierTo([second]))).length, 1);
    const plan = (await planOf(p.database, earlierTo([second]))).join(' ');
    for (const column of ['digest', 'source_id', p.database.engine === 'sqlite' ? '<expr>' : 'substr', 'resolved_at'])
      match(plan, new RegExp(`(inquiries_earlier.*)${column}`, 's'));
    doesNotMatch(plan, /TEMP B-TREE|Sort/);
  });

  test('[ASK5] a call that came any number of times before is found by one entry of each index', async (p) => {
    const call = { key: undefined, fingerprint: 'f', digest: 'd', kept: null, approves: false };
    const found = sameCall(p.sourceId, call)!;
    const plan = (await planOf(p.database, found)).join(' ');
    for (const index of ['inquiries_open_call', 'inquiries_uncollected'])
      match(plan, new RegExp(`${index}\\b.*?source_id ?=.*?fingerprint ?=`, 's'));
    doesNotMatch(plan, /TEMP B-TREE|Sort|Scan on inquiries/);
  });
}

/** Copies an answered inquiry 500 times with other values in some columns. */
async function copyAnswered({ database }: Place, id: string, changed: Record<string, string>): Promise<void> {
  const names = Object.keys((await database.read.selectFrom('inquiries').selectAll().executeTakeFirst()) ?? {});
  const salt = Object.keys(changed)[0]! + Object.values(changed)[0]!.length;
  const values = { id: `'inq_${salt}_' || number`, ...changed } as Record<string, string>;
  await database.transaction((trx) =>
    sql`with recursive numbers (number) as (select 1 union all select number + 1 from numbers where number < 500)
      insert into inquiries (${sql.raw(names.join())})
      select ${sql.raw(names.map((name) => values[name] ?? name).join())} from inquiries, numbers where id = ${id}`.execute(
      trx,
    ),
  );
}
