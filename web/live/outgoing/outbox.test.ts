import { deepStrictEqual } from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { AnswerReply } from '#shared/answer.ts';
import { openOutbox, type Outcome, type Queued } from './outbox.ts';

const SEED = 20_260_712;
const won: AnswerReply = {
  won: true,
  resolution: { outcome: 'answered', at: '2027-01-01T00:00:00.000Z', text: 'Yes', by: { kind: 'deadline', label: '' } },
};

function queued(answerId: string, at = answerId): Queued {
  return { inquiryId: `inq_${answerId}`, answerId, at, body: { answerId, text: 'Yes' } };
}

/** An outbox whose line gives the outcomes of `line` one by one, then `unsent`. */
function outboxOn(line: (Outcome | 'unsent')[]) {
  const disk = new Map<string, Queued>();
  const sent: string[] = [];
  const decided: [string, Outcome][] = [];
  const undone = new Set<string>();
  const outbox = openOutbox({
    send: async ({ answerId }) => {
      sent.push(answerId);
      return line.shift() ?? 'unsent';
    },
    keep: async (answerId, one) => void (one ? disk.set(answerId, one) : disk.delete(answerId)),
    changed: () => {},
    decided: ({ answerId }, outcome) => void decided.push([answerId, outcome]),
    isUndone: (answerId) => undone.has(answerId),
    isLeaving: () => false,
  });
  return { outbox, disk, sent, decided, undone };
}

test('[RES2] an answer without a reply is kept and sent again with the same id until the hub decides', async () => {
  const { outbox, disk, sent, decided } = outboxOn(['unsent', 'unsent', { reply: won }]);
  deepStrictEqual(await outbox.add(queued('a')), 'queued');
  deepStrictEqual([...disk.keys()], ['a']);
  await outbox.flush();
  await outbox.flush();
  await outbox.flush();
  deepStrictEqual([sent, decided, [...disk]], [['a', 'a', 'a'], [['a', { reply: won }]], []]);
});

test('[RES2] what an earlier visit left behind leaves in the order it was written', async () => {
  const { outbox, sent } = outboxOn([{ reply: won }, { reply: won }]);
  outbox.restore([queued('b', '2'), queued('a', '1')]);
  await outbox.flush();
  deepStrictEqual(sent, ['a', 'b']);
});

test('an answer taken back while those before it are under way is never sent', async () => {
  const sent: string[] = [];
  const reply = Promise.withResolvers<Outcome>();
  const outbox = openOutbox({
    send: ({ answerId }) => {
      sent.push(answerId);
      return reply.promise;
    },
    keep: () => Promise.resolve(),
    changed: () => {},
    decided: () => {},
    isUndone: () => false,
    isLeaving: () => false,
  });
  outbox.restore([queued('a'), queued('b')]);
  const flushed = outbox.flush();
  await outbox.takeBack('inq_b');
  reply.resolve({ reply: won });
  await flushed;
  deepStrictEqual(sent, ['a']);
});

test('an answer taken back is not sent again, and a reply that still comes for it decides nothing', async () => {
  const { outbox, disk, sent, decided } = outboxOn(['unsent', { reply: won }]);
  await outbox.add(queued('a'));
  await outbox.takeBack('inq_a');
  await outbox.flush();
  const underWay = outbox.add(queued('b'));
  await outbox.takeBack('inq_b');
  await underWay;
  deepStrictEqual([sent, decided, [...disk]], [['a', 'b'], [], []]);
});

test('[PAG3] an answer that is held back is kept and not sent until it is released', async () => {
  const { outbox, disk, sent, decided } = outboxOn([{ reply: won }, { reply: won }]);
  const held = { ...queued('a'), leavesAt: '2027-01-01T00:00:04.000Z' };
  deepStrictEqual(await outbox.add(held), 'held');
  deepStrictEqual(await outbox.add({ ...queued('b'), leavesAt: held.leavesAt }), 'held');
  await outbox.flush();
  deepStrictEqual([sent, disk.get('a')], [[], held]);
  const released = outbox.release('inq_a');
  deepStrictEqual(sent, ['a'], 'on its way before release returns');
  await released;
  deepStrictEqual([decided, [...disk.keys()]], [[['a', { reply: won }]], ['b']]);
  await outbox.release();
  await outbox.release();
  deepStrictEqual([sent, [...disk]], [['a', 'b'], []]);
});

test('[PAG3] an answer that is undone while it is held back is never sent', async () => {
  const { outbox, disk, sent } = outboxOn([{ reply: won }]);
  await outbox.add({ ...queued('a'), leavesAt: '2027-01-01T00:00:04.000Z' });
  await outbox.takeBack('inq_a');
  await outbox.release();
  await outbox.flush();
  deepStrictEqual([sent, [...disk]], [[], []]);
});

test('an answer that was released without a line waits like any other', async () => {
  const { outbox, disk, sent } = outboxOn(['unsent', { reply: won }]);
  await outbox.add({ ...queued('a'), leavesAt: '2027-01-01T00:00:04.000Z' });
  await outbox.release();
  deepStrictEqual([...disk.values()], [queued('a')]);
  await outbox.flush();
  deepStrictEqual([sent, [...disk]], [['a', 'a'], []]);
});

test('[RES2] two runs that send the same answer decide it once', async () => {
  const { outbox, sent, decided } = outboxOn([{ reply: won }, { reply: won }]);
  const added = outbox.add(queued('a'));
  await Promise.all([outbox.flush(), added]);
  deepStrictEqual([sent, decided], [['a', 'a'], [['a', { reply: won }]]]);
});

test(`[RES2] however often the line fails, every answer is decided exactly once (seed ${SEED})`, async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.boolean(), { maxLength: 20 }),
      fc.array(fc.nat(4), { minLength: 1, maxLength: 8 }),
      async (fails, answers) => {
        const { outbox, disk, decided } = outboxOn([
          ...fails.map((fail) => (fail ? 'unsent' : { reply: won }) as Outcome | 'unsent'),
          ...Array.from({ length: 60 }, () => ({ reply: won })),
        ]);
        const ids = answers.map((_, index) => `a${index}`);
        await Promise.all(
          ids.map((id, index) =>
            (answers[index] === 0 ? outbox.flush() : Promise.resolve()).then(() => outbox.add(queued(id))),
          ),
        );
        for (let round = 0; round < 30; round++) await Promise.all([outbox.flush(), outbox.flush()]);
        deepStrictEqual([decided.map(([id]) => id).toSorted(), [...disk]], [ids.toSorted(), []]);
      },
    ),
    { seed: SEED, numRuns: 200 },
  );
});

test('an answer that was taken back on another page of the device is not sent from this one', async () => {
  const { outbox, disk, sent, decided, undone } = outboxOn(['unsent', { reply: won }, { reply: won }]);
  deepStrictEqual(await outbox.add(queued('a')), 'queued');
  undone.add('a');
  outbox.restore([queued('b')]);
  await outbox.flush();
  deepStrictEqual(
    { sent, saved: [...disk.keys()], decided },
    { sent: ['a', 'b'], saved: [], decided: [['b', { reply: won }]] },
  );
});

test('[RES2] an answer whose reply cannot be read waits, and is sent again with the same id', async () => {
  const { outbox, disk, sent } = outboxOn([
    Promise.reject(new TypeError('undefined has no inquiry')) as never,
    { reply: won },
  ]);
  deepStrictEqual([await outbox.add(queued('a')), [...disk.keys()]], ['queued', ['a']]);
  await outbox.flush();
  deepStrictEqual([sent, [...disk]], [['a', 'a'], []]);
});

test('an answer given by a page that is closed is under way before it is kept', async () => {
  const sent: string[] = [];
  const outbox = openOutbox({
    send: async ({ answerId }) => {
      sent.push(answerId);
      return 'unsent';
    },
    keep: () => new Promise(() => {}),
    changed: () => {},
    decided: () => {},
    isUndone: () => false,
    isLeaving: () => true,
  });
  deepStrictEqual([await outbox.add(queued('a')), sent], ['queued', ['a']]);
});
