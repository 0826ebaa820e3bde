import { deepStrictEqual, ok, rejects, strictEqual } from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import type { Ask } from '#shared/inquiry.ts';
import type { AppError } from '#shared/problem.ts';
import { answerInquiry } from '../answer.ts';
import { ask } from '../ask.ts';
import { saveDraft } from '../draft.ts';
import { sweep } from '../expire.ts';
import { extendInquiry } from '../extend.ts';
import { readForSource, readSnapshot } from '../read.ts';
import { listSources } from '../../sources/store.ts';
import { localSignals } from '../../platform/nodes/signals.ts';
import { waitForResolution } from '../hold.ts';
import { LEASE_MS, releaseLease, renewAwaited } from '../lease.ts';
import { createWaiters } from '../waiters.ts';
import { testsIn } from '../../platform/testing/tests-in.ts';
import type { Place } from './place.ts';

/** What time does to an inquiry by itself, and what ends it; the same on every engine. */
export function passingContract(place: (t: TestContext) => Promise<Place>): void {
  const test = testsIn(place);

  test('an extension only raises the deadline, never past the latest, never after it passed', async (p) => {
    const id = await p.ask({ prompt: 'Ship?', deadline: 60, latest: 100 });
    const { openedAt, latestAt } = await p.read(id);
    const at = (ms: number) => ({ deadlineAt: new Date(Date.parse(openedAt) + ms).toISOString() });
    deepStrictEqual(await extendInquiry(p.inquiries, p.phone, id, 10), at(70_000));
    deepStrictEqual(await extendInquiry(p.inquiries, p.phone, id, 600), { deadlineAt: latestAt });
    p.pass(100_001);
    await rejects(extendInquiry(p.inquiries, p.phone, id, 60), (error: AppError) => error.status === 409);
  });

  test('[RES6] [race] a caller that leaves as the lease of its question is renewed is gone all the same', async (p) => {
    const { inquiryId } = await ask(p.inquiries, { sourceId: p.sourceId, ask: { prompt: 'Ship?' }, waitMs: 1_000 });
    const gone = new AbortController();
    const waited = waitForResolution(p.inquiries, {
      inquiryId,
      read: () => p.read(inquiryId),
      callerId: p.sourceId,
      by: 'asker',
      ms: Infinity,
      signal: gone.signal,
    });
    const steps: typeof p.database.steps = async (work) => {
      gone.abort();
      await waited;
      return p.database.steps(work);
    };
    await renewAwaited({ ...p.inquiries, database: { ...p.database, steps } });
    p.pass(3_000);
    await sweep(p.inquiries);
    deepStrictEqual((await p.read(inquiryId)).resolution?.outcome, 'withdrawn');
  });

  test('a client that gives up after the same time three times in a row is told of, until one waits longer', async (p) => {
    const wait = async (seconds: number, { asked = {}, answered = false, cancelled = true } = {}) => {
      const id = await p.ask({ prompt: 'Ship?', deadline: 3600, latest: 3600, ...asked });
      const gone = new AbortController();
      const waited = waitForResolution(p.inquiries, {
        inquiryId: id,
        read: () => p.read(id),
        callerId: p.sourceId,
        by: 'asker',
        ms: Infinity,
        signal: gone.signal,
        cancelled: () => (cancelled ? 'Cancelled.' : undefined),
      });
      p.pass(seconds * 1000);
      if (answered) await p.answer(id, { text: 'Yes' });
      else gone.abort();
      await waited;
      return told();
    };
    const told = async () => {
      const [source] = (await listSources(p.database.read, '', 10)).items;
      return source?.timeouts && { ...source.timeouts, at: 'last' };
    };
    const known = { client: 60, hub: 3600, device: 3598, at: 'last' };
    deepStrictEqual([await wait(60), await wait(61), await wait(30)], [undefined, undefined, undefined]);
    deepStrictEqual([await wait(60), await wait(60), await wait(60)], [undefined, undefined, known]);
    // What is over at once was ended by somebody, and what has a key comes back.
    deepStrictEqual([await wait(1), await wait(20, { asked: { key: 'k' }, cancelled: false })], [known, known]);
    deepStrictEqual(await wait(60, { cancelled: false }), known);
    deepStrictEqual(await wait(50, { answered: true }), known);
    await wait(90, { answered: true });
    while (await told()) await turn();
  });

  test('[RES1] an answer counts from when it arrived, at most 15 s before its statement', async (p) => {
    const after = async (passedMs: number, waitedMs: number) => {
      const id = await p.ask({ prompt: 'Ship?', deadline: 60 });
      p.pass(60_000 + passedMs);
      const arrivedAt = performance.now() - waitedMs;
      return (await answerInquiry(p.inquiries, p.phone, id, { text: 'Yes' }, arrivedAt)).won;
    };
    deepStrictEqual(
      [await after(5_000, 8_000), await after(8_000, 5_000), await after(11_000, 60_000), await after(18_000, 60_000)],
      [true, false, true, false],
    );
  });

  test('[RES1] the sweep leaves an inquiry to the answer that is on its way, and not for longer', async (p) => {
    const id = await p.ask({ prompt: 'Ship?', deadline: 60 });
    p.pass(60_001);
    const underWay = { inquiryId: id };
    p.inquiries.answering.add(underWay);
    await sweep(p.inquiries);
    const meanwhile = await p.resolution(id);
    p.inquiries.answering.delete(underWay);
    await sweep(p.inquiries);
    deepStrictEqual([meanwhile, (await p.resolution(id))?.outcome], [undefined, 'expired']);
    await p.answer(id, { text: 'Yes' });
    deepStrictEqual(p.inquiries.answering.size, 0);
  });

  test('typing holds the deadline, and a draft is gone with the resolution', async (p) => {
    const id = await p.ask({ prompt: 'Ship?', deadline: 20, latest: 300 });
    await saveDraft(p.inquiries, p.phone, id, { text: 'Ye' });
    const snapshot = await readSnapshot(p.inquiries, { personId: p.laptop.personId, deviceId: p.laptop.deviceId });
    deepStrictEqual(
      snapshot.drafts.map(({ device, answer: words }) => [device.name, words]),
      [['Phone', { text: 'Ye' }]],
    );
    p.pass(30_000);
    strictEqual((await p.answer(id, { text: 'Yes' })).won, true);
    deepStrictEqual(await p.database.read.selectFrom('drafts').selectAll().execute(), []);
  });

  test('a secret answer is sealed: only its source reads it, until ten minutes after it had it', async (p) => {
    const id = await p.ask({
      questions: [{ id: 'pw', type: 'text', prompt: 'Password?', secret: true }],
      callback: { url: 'https://example.com/hook' },
    });
    await saveDraft(p.inquiries, p.phone, id, { values: { pw: 'hunter2' } });
    await p.answer(id, { values: { pw: 'hunter2' }, answerId: 'a' });
    deepStrictEqual((await p.resolution(id))?.answer, { values: { pw: 'hunter2' } });
    const everything = await Promise.all(
      (['inquiries', 'answers', 'drafts', 'deliveries'] as const).map((table) =>
        p.database.read.selectFrom(table).selectAll().execute(),
      ),
    );
    ok(!JSON.stringify(everything).includes('hunter2'));
    p.inquiries.collected.add(id);
    await p.inquiries.collected.stop();
    p.pass(10 * 60_000 + 1);
    await sweep(p.inquiries);
    deepStrictEqual((await p.resolution(id))?.answer, { values: {} });
  });

  test('an inquiry whose asker is gone is withdrawn after two seconds, with a key after a minute', async (p) => {
    const blocking = async (asked: Ask) =>
      (await ask(p.inquiries, { sourceId: p.sourceId, ask: asked, waitMs: 1000 })).inquiryId;
    const [keyless, keyed] = [await blocking({ prompt: 'One?' }), await blocking({ prompt: 'Two?', key: 'k' })];
    await Promise.all([releaseLease(p.inquiries, keyless), releaseLease(p.inquiries, keyed)]);
    p.pass(2_001);
    await sweep(p.inquiries);
    deepStrictEqual(
      [(await p.resolution(keyless))?.message, await p.resolution(keyed)],
      ['its asker is gone', undefined],
    );
    p.pass(58_001);
    await sweep(p.inquiries);
    strictEqual((await p.resolution(keyed))?.outcome, 'withdrawn');
  });

  test('an inquiry whose asker left while its source read it is withdrawn when the reader leaves, too', async (p) => {
    const { inquiryId } = await ask(p.inquiries, { sourceId: p.sourceId, ask: { prompt: 'Ship?' }, waitMs: 600_000 });
    const closed = new AbortController();
    const read = () => p.read(inquiryId);
    const wait = { inquiryId, read, callerId: p.sourceId, by: 'source', ms: Infinity, signal: closed.signal } as const;
    const reading = waitForResolution(p.inquiries, wait);
    await releaseLease(p.inquiries, inquiryId);
    p.pass(59_000);
    await sweep(p.inquiries);
    p.pass(59_000);
    await sweep(p.inquiries);
    strictEqual(await p.resolution(inquiryId), undefined);
    closed.abort();
    deepStrictEqual((await reading).ended, 'gone');
    p.pass(LEASE_MS + 1);
    await sweep(p.inquiries);
    strictEqual((await p.resolution(inquiryId))?.message, 'its asker is gone');
  });

  test('[ASK2] an asker that comes back by its key only to read is not gone', async (p) => {
    const asked = { prompt: 'Ship?', key: 'k' };
    const { inquiryId } = await ask(p.inquiries, { sourceId: p.sourceId, ask: asked, waitMs: 1000 });
    await releaseLease(p.inquiries, inquiryId);
    strictEqual((await ask(p.inquiries, { sourceId: p.sourceId, ask: asked, waitMs: 0 })).inquiryId, inquiryId);
    p.pass(60_001);
    await sweep(p.inquiries);
    strictEqual(await p.resolution(inquiryId), undefined);
  });

  for (const where of ['the same node', 'another node']) {
    test(`[ASK5] a call sent again to ${where} as its first connection closes keeps its inquiry while it waits`, async (p) => {
      const node = where === 'another node' ? { ...p.inquiries, waiters: createWaiters(localSignals()) } : p.inquiries;
      const again = () => ask(node, { sourceId: p.sourceId, ask: { prompt: 'Ship?' }, waitMs: 30_000, matchedBy: 'a' });
      const { inquiryId } = await again();
      // The second call is committed, and does not wait yet, when the first lets go.
      await again();
      await releaseLease(p.inquiries, inquiryId);
      const closed = new AbortController();
      const read = () => readForSource(node, inquiryId, p.sourceId);
      const wait = { inquiryId, read, callerId: p.sourceId, ms: Infinity, signal: closed.signal } as const;
      const waiting = waitForResolution(node, { ...wait, by: 'asker' });
      p.pass(1_500);
      await sweep(node);
      p.pass(501);
      await sweep(p.inquiries);
      strictEqual(await p.resolution(inquiryId), undefined);
      closed.abort();
      await waiting;
      p.pass(2_001);
      await sweep(p.inquiries);
      strictEqual((await p.resolution(inquiryId))?.message, 'its asker is gone');
    });
  }
}
