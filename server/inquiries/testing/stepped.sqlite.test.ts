import { deepStrictEqual } from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import type { Ask } from '#shared/inquiry.ts';
import { answerInquiry } from '../answer.ts';
import { ask } from '../ask.ts';
import { sweep } from '../expire.ts';
import { setApart } from '../later.ts';
import { readForSource, readSnapshot, readVersions } from '../read.ts';
import { withdrawIfOpen } from '../withdraw.ts';
import { startYolo } from '../../automation/yolo/yolo.ts';
import { openPlace } from './place.ts';

const HOUR = 3_600_000;
const STEPS = [
  [HOUR, 'an hour ahead'],
  [-HOUR, 'an hour back'],
] as const;

async function placeOf(t: TestContext) {
  const { place, close } = await openPlace();
  t.after(close);
  const now = Date.now.bind(Date);
  return {
    ...place,
    /** What an administrator does to the machine's clock, and the sweep that comes after it. */
    async stepClock(ms: number) {
      t.mock.method(Date, 'now', () => now() + ms);
      await sweep(place.inquiries);
    },
    waiting: async (asked: Ask) =>
      ask(place.inquiries, { sourceId: place.sourceId, ask: asked, waitMs: 1_000, matchedBy: 'the same call' }),
  };
}

for (const [step, name] of STEPS) {
  test(`[ASK4] what is open keeps the time it has when the clock is stepped ${name}, and devices learn it`, async (t) => {
    const p = await placeOf(t);
    const id = await p.ask({ prompt: 'Ship?', deadline: 600, latest: 900 });
    const { inquiryId: waitedFor } = await p.waiting({ prompt: 'Wait?', deadline: 600 });
    const before = await p.read(id);
    const version = (await readVersions(p.database.read, [p.phone.personId])).get(p.phone.personId) ?? 0;
    p.news.length = 0;

    await p.stepClock(step);
    deepStrictEqual(p.news, [{ event: 'moved', versions: [{ personId: p.phone.personId, version: version + 1 }] }]);
    const { inquiries: open } = await readSnapshot(p.inquiries, p.phone);
    const wasMoved = (deadlineAt: string) =>
      Math.abs(Date.parse(deadlineAt) - Date.parse(before.deadlineAt) - step) < 1_000;
    deepStrictEqual(
      open.map((one) => [one.id, one.revision, wasMoved(one.deadlineAt)]),
      [
        [waitedFor, 2, true],
        [id, 2, true],
      ],
    );
    p.pass(590_000);
    await sweep(p.inquiries);
    deepStrictEqual((await p.read(id)).resolution, undefined);
    p.pass(10_000);
    await sweep(p.inquiries);
    deepStrictEqual((await p.read(id)).resolution?.outcome, 'expired');
  });

  test(`[ASK5] an approval that nobody has used is not used after the clock is stepped ${name}`, async (t) => {
    const p = await placeOf(t);
    const asked: Ask = { actions: [{ name: 'deploy', args: {}, allowed: ['approve', 'reject'] }], deadline: 600 };
    const { inquiryId } = await p.waiting(asked);
    const { digest } = await p.read(inquiryId);
    await answerInquiry(p.inquiries, p.phone, inquiryId, { digest, decisions: [{ type: 'approve' }] });
    deepStrictEqual((await p.waiting(asked)).inquiryId, inquiryId);
    await p.stepClock(step);
    deepStrictEqual((await p.waiting(asked)).created, true);
  });
}

test('[ASK5] a call finds its open question where an earlier one got a later id of a node whose clock is ahead', async (t) => {
  const p = await placeOf(t);
  const asked = { sourceId: p.sourceId, ask: { prompt: 'Ship?' }, waitMs: 1_000, matchedBy: 'the same call' };
  const clock = { ...p.database.clock, now: () => p.database.clock.now() + 2_000 };
  const { inquiryId: earlier } = await ask({ ...p.inquiries, database: { ...p.database, clock } }, asked);
  await withdrawIfOpen(p.inquiries, p.sourceId, earlier);
  const { inquiryId } = await ask(p.inquiries, asked);
  deepStrictEqual(await ask(p.inquiries, asked), { inquiryId, created: false });
});

for (const [step, name] of STEPS)
  test(`[DLV4] what is set apart comes back after as long as it was to when the clock is stepped ${name}`, async (t) => {
    const p = await placeOf(t);
    const id = await p.ask({ prompt: 'Ship?', deadline: 7_200 });
    await setApart(p.inquiries, p.phone, id, p.database.clock.now() + HOUR);
    const later = async () => (await readSnapshot(p.inquiries, p.laptop)).inquiries[0]?.laterAt !== undefined;
    await p.stepClock(step);
    const found = [await later()];
    for (const ms of [HOUR - 10_000, 10_000]) {
      p.pass(ms);
      await sweep(p.inquiries);
      found.push(await later());
    }
    deepStrictEqual(found, [true, true, false]);
  });

for (const [step, name] of STEPS)
  test(`[APR5] each step asks after as long as it was to when the clock is stepped ${name} before it and between two`, async (t) => {
    const p = await placeOf(t);
    await p.database.transaction((trx) =>
      trx
        .insertInto('people')
        .values(
          ['anna', 'jonas'].map((handle) => ({
            id: `per_${handle}`,
            handle,
            name: handle,
            locale: null,
            created_at: 0,
          })),
        )
        .execute(),
    );
    const escalate = [
      { after: 600, to: ['anna'] },
      { after: 1_200, to: ['jonas'] },
    ];
    const id = await p.ask({ prompt: 'Ship?', deadline: 7_200, escalate });
    const asked = async () => (await p.read(id)).escalated?.map(({ to }) => to.join()) ?? [];
    await p.stepClock(step);
    const found = [await asked()];
    const passing = async (ms: number) => {
      p.pass(ms);
      await sweep(p.inquiries);
      found.push(await asked());
    };
    await passing(590_000);
    await passing(10_000);
    await p.stepClock(step * 2);
    await passing(590_000);
    await passing(10_000);
    deepStrictEqual(found, [[], [], ['anna'], ['anna'], ['anna', 'jonas']]);
  });

test('[POL6] YOLO runs as long as it was to, however the clock is stepped, and its pages learn it', async (t) => {
  const p = await placeOf(t);
  const { personId, deviceId: id } = p.phone;
  const yolos = { database: p.database, announce: () => undefined, wakePushes: () => undefined };
  await startYolo(yolos, { id, person: { id: personId } }, { calls: 'approve', until: 600 });
  const call: Ask = { actions: [{ name: 'deploy', args: {}, allowed: ['approve', 'reject'] }] };
  const become = async () => (await readForSource(p.inquiries, await p.ask(call), p.sourceId)).resolution?.outcome;
  await p.stepClock(-HOUR);
  const { length } = p.news.filter(({ event }) => event === 'moved');
  const found = [length, await become()];
  p.pass(600_000);
  deepStrictEqual([...found, await become()], [1, 'answered', undefined]);
});

test('[POL6] [race] YOLO that begins as the clock is stepped back ends after as long as it was to', async (t) => {
  const p = await placeOf(t);
  const { personId, deviceId: id } = p.phone;
  const transaction: typeof p.database.transaction = async (work) => {
    await p.stepClock(-HOUR);
    return p.database.transaction(work);
  };
  const yolos = { database: { ...p.database, transaction }, announce: () => undefined, wakePushes: () => undefined };
  await startYolo(yolos, { id, person: { id: personId } }, { calls: 'approve', until: 600 });
  p.pass(600_000);
  const call: Ask = { actions: [{ name: 'deploy', args: {}, allowed: ['approve', 'reject'] }] };
  deepStrictEqual((await readForSource(p.inquiries, await p.ask(call), p.sourceId)).resolution, undefined);
});

test('a step of the clock erases no secret that its source has not read', async (t) => {
  const p = await placeOf(t);
  const { inquiryId } = await p.waiting({ questions: [{ id: 'pw', type: 'text', prompt: 'Password?', secret: true }] });
  await answerInquiry(p.inquiries, p.phone, inquiryId, { values: { pw: 'hunter2' } });
  await p.stepClock(HOUR);
  await sweep(p.inquiries);
  const { resolution } = await p.read(inquiryId);
  deepStrictEqual(resolution?.answer, { values: { pw: 'hunter2' } });
});
