import { deepStrictEqual } from 'node:assert/strict';
import type { TestContext } from 'node:test';
import type { AnswerBody, Decision } from '#shared/answer.ts';
import type { Ask } from '#shared/inquiry.ts';
import { testsIn } from '../../platform/testing/tests-in.ts';
import { changeSource } from '../../sources/change.ts';
import { ask } from '../ask.ts';
import { readOpen } from '../read.ts';
import { moveWithClock } from '../../platform/sqlite/stepped.ts';
import { usable } from '../validity.ts';
import type { Place } from './place.ts';

const DAY = 86_400;
const CALL: Ask = { actions: [{ name: 'pay', args: { euros: 3 }, allowed: ['approve', 'edit', 'reject', 'respond'] }] };

/** Until when an approved call may run, and how one reads that ended before anybody had it; the same on every engine. */
export function validityContract(open: (t: TestContext) => Promise<Place>): void {
  const test = testsIn(async (t) => {
    const place = await open(t);
    // As soon as it is moved the clock is the test's own.
    place.pass(1);
    return place;
  });
  /** For how many seconds an answer to this ask holds. */
  async function holds(p: Place, asked: Ask, decision: Decision, waitMs = 0): Promise<number | undefined> {
    const { inquiryId } = await ask(p.inquiries, { sourceId: p.sourceId, ask: asked, waitMs });
    const { at, validUntil } = (await p.answer(inquiryId, await decided(p, inquiryId, decision))).resolution;
    return validUntil === undefined ? undefined : (Date.parse(validUntil) - Date.parse(at)) / 1000;
  }

  test('[APR1] an approved or edited call has an end: as asked, else its source’s, else a day, a week where no call waits', async (p) => {
    const approve: Decision = { type: 'approve' };
    const ends = async (source: number | null): Promise<(number | undefined)[]> => {
      await changeSource(p.database, p.sourceId, { validFor: source });
      return [
        await holds(p, { ...CALL, validFor: 5 }, approve),
        await holds(p, CALL, approve),
        await holds(p, CALL, { type: 'edit', argsText: '{}' }, 60_000),
        await holds(p, { ...CALL, callback: { url: 'https://agent.test/hook' } }, approve, 60_000),
        await holds(p, CALL, { type: 'reject' }),
        await holds(p, CALL, { type: 'respond', message: 'Do it yourself.' }),
      ];
    };
    deepStrictEqual(
      [await ends(null), await ends(90)],
      [
        [5, 7 * DAY, DAY, 7 * DAY, undefined, undefined],
        [5, 90, 90, 90, undefined, undefined],
      ],
    );
    const question = await p.ask({ prompt: 'Which?', validFor: 5 });
    deepStrictEqual((await p.answer(question, { text: 'This' })).resolution.validUntil, undefined);
  });

  test('[APR1] nothing moves the end: neither a replay, nor a later reading, nor another default', async (p) => {
    const id = await p.ask({ ...CALL, validFor: 100 });
    const body = { ...(await decided(p, id, { type: 'approve' })), answerId: 'a' };
    const { validUntil } = (await p.answer(id, body)).resolution;
    await changeSource(p.database, p.sourceId, { validFor: 5 });
    p.pass(50_000);
    const again = await p.answer(id, body);
    const lost = await p.answer(id, { ...body, answerId: 'b' }, p.laptop);
    deepStrictEqual(
      [again.resolution.validUntil, lost.resolution.validUntil, (await p.resolution(id))?.validUntil],
      [validUntil, validUntil, validUntil],
    );
    const { items } = await readOpen(p.database.read, p.phone, { limit: 9, now: p.database.clock.now() });
    deepStrictEqual(items, []);
  });

  test('[APR1] a clock that is set back or forward makes no approval of one that ended before anybody had it', async (p) => {
    const id = await p.ask({ ...CALL, validFor: 100 });
    await p.answer(id, await decided(p, id, { type: 'approve' }));
    if (p.database.engine === 'sqlite') {
      // As if it were of a call that may come again, which a step of the clock counts as collected.
      await p.database.transaction(async (trx) => {
        await trx.updateTable('inquiries').set({ fingerprint: 'f' }).execute();
        await moveWithClock(trx, { byMs: 1_000, before: p.database.clock.now() });
      });
    }
    const now = usable(await p.read(id), p.database.clock.now()).state;
    p.pass(100_000);
    deepStrictEqual([now, usable(await p.read(id), p.database.clock.now()).state], ['answered', 'expired']);
  });

  test('[APR1] [race] approvals of one call from two devices at once leave one end, and whoever lost is told the same', async (p) => {
    const id = await p.ask({ ...CALL, validFor: 100 });
    const body = await decided(p, id, { type: 'approve' });
    const replies = await Promise.all([p.answer(id, body), p.answer(id, body, p.laptop)]);
    const { validUntil } = (await p.read(id)).resolution ?? {};
    deepStrictEqual(
      [replies.filter(({ won }) => won).length, replies.map(({ resolution }) => resolution.validUntil)],
      [1, [validUntil, validUntil]],
    );
  });

  test('[APR1] an approval first read at its end or after it is none; one that was collected before reads the same', async (p) => {
    const read = async (collectAtMs: number | undefined, readAtMs: number) => {
      const id = await p.ask({ ...CALL, validFor: 100 });
      await p.answer(id, await decided(p, id, { type: 'approve' }));
      if (collectAtMs !== undefined) {
        p.pass(collectAtMs);
        await p.inquiries.collected.once([id]);
      }
      p.pass(readAtMs - (collectAtMs ?? 0));
      const inquiry = await p.read(id);
      const seen = usable(inquiry, p.database.clock.now());
      const { at, ...resolution } = seen.resolution ?? { at: '' };
      const ended = at === inquiry.resolution?.validUntil;
      return [seen.state, ended, 'answer' in resolution, 'validUntil' in resolution];
    };
    const same = ['answered', false, true, true];
    const none = ['expired', true, false, false];
    deepStrictEqual(
      [
        await read(undefined, 99_000),
        await read(undefined, 100_000),
        await read(99_000, 1_000_000),
        await read(100_000, 100_001),
      ],
      [same, none, same, none],
    );
  });
}

async function decided(p: Place, id: string, decision: Decision): Promise<AnswerBody> {
  return { digest: (await p.read(id)).digest, decisions: [decision] };
}
