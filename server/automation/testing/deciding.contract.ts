import { deepStrictEqual, ok, rejects, strictEqual } from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import { pino } from 'pino';
import type { AnswerContent } from '#shared/answer.ts';
import type { Ask } from '#shared/inquiry.ts';
import type { Run, SourceDecider } from '#shared/policies/decider.ts';
import { createDecider } from '../deciders/config/store.ts';
import { answerInquiry } from '../../inquiries/answer.ts';
import { handToDecider, overrule } from '../deciders/act.ts';
import { createDeciders } from '../deciders/deciders.ts';
import { readRuns } from '../deciders/runs.ts';
import { extendInquiry } from '../../inquiries/extend.ts';
import { readContext } from '../../reports/history/context.ts';
import { readHistory } from '../../reports/history/read.ts';
import { readForSource, readSnapshot } from '../../inquiries/read.ts';
import { withdrawIfOpen } from '../../inquiries/withdraw.ts';
import type { Place } from '../../inquiries/testing/place.ts';
import type { DeciderQuestion } from '../deciders/model/call.ts';

const log = pino({ level: 'silent' });
const CALL = { actions: [{ name: 'Bash', args: { n: 1 }, allowed: ['approve', 'edit', 'reject'] }] } as unknown as Ask;
const CAREFUL = { actions: [{ name: 'rm', args: {}, allowed: ['approve', 'reject'], caution: true }] } as Ask;
const SECRET: Ask = { questions: [{ id: 'k', type: 'text', prompt: 'Key?', secret: true }] };
const QUESTION: Ask = { prompt: 'Which?', deadline: 3600 };

type Answers = (question: DeciderQuestion) => Partial<Run> | Promise<Partial<Run>>;
const says =
  (answer: AnswerContent): Answers =>
  () => ({ answer });

/** A node with a decider whose answers a test gives. */
export async function withDecider(p: Place, chosen: Partial<SourceDecider> | null = {}, hold = 20) {
  const asked: DeciderQuestion[] = [];
  const script = { answers: says({ text: 'Blue' }), caughtUp: async (): Promise<unknown> => undefined, behind: false };
  const made = {
    kind: 'chat' as const,
    name: 'Helper',
    url: 'https://model.test/v1',
    model: 'm',
    instructions: 'Decide.',
    holdSeconds: hold,
  };
  const { id } = await createDecider(p.inquiries, made, p.phone.deviceId);
  const choose = (more: Partial<SourceDecider> | null) => {
    const decider = more && JSON.stringify({ id, suggests: false, actions: false, agentMayAsk: false, ...more });
    return p.database.transaction((trx) =>
      trx.updateTable('sources').set({ decider }).where('id', '=', p.sourceId).execute(),
    );
  };
  await choose(chosen);
  const node = (inquiries = p.inquiries) =>
    createDeciders({
      inquiries,
      log,
      caughtUp: async () => void (await script.caughtUp()),
      behind: () => script.behind,
      async run(_decider, question) {
        asked.push(question);
        return { sent: 'asked', received: 'said', ms: 7, ...(await script.answers(question)) };
      },
    });
  const deciders = node();
  p.inquiries.wakeDeciders = deciders.wake;
  const turn = async (of = deciders): Promise<void> => {
    await of.keepRunning();
    await of.look();
    await of.idle();
  };
  const proposal = async () => (await readSnapshot(p.inquiries, p.laptop)).proposals?.[0];
  const resolution = async (inquiryId: string) => (await readForSource(p.inquiries, inquiryId, p.sourceId)).resolution;
  const runs = async (inquiryId: string) =>
    (await readRuns(p.database.read, inquiryId)).map(({ why, problem }) => problem ?? why);
  return { id, asked, script, choose, node, deciders, turn, proposal, resolution, runs };
}

const BY = (deciderId: string) => ({ kind: 'decider', label: 'Helper', deciderId });
const SAID = '\nDecided by “Helper” in the person’s place; it is not the person’s own decision.';

/** What a decider does with what people are asked; the same on every engine. */
export function decidingContract(place: (t: TestContext) => Promise<Place>): void {
  test('[POL8] without a decider that the owner chose for the source nobody is asked, and one cannot be named', async (t) => {
    const p = await place(t);
    const { asked, deciders, choose } = await withDecider(p, null);
    const open = await p.ask(QUESTION);
    await rejects(p.ask({ ...QUESTION, onExpire: 'decider' }), { code: 'request.invalid' });
    await rejects(handToDecider(p.inquiries, p.phone, open, undefined), { code: 'inquiry.no_decider' });
    await choose({});
    const refused = [];
    for (const ask of [SECRET, CAREFUL, CALL])
      refused.push(
        await p
          .ask({ ...ask, onExpire: 'decider' })
          .catch((error: { faults: { message: string }[] }) => error.faults[0]?.message),
      );
    await deciders.idle();
    deepStrictEqual(
      [asked, refused],
      [
        [],
        [
          'cannot be "decider": no decider answers what is secret',
          'cannot be "decider": no decider decides about what is marked with caution',
          'cannot be "decider": the owner of the hub has not let one decide about tool calls of this source',
        ],
      ],
    );
  });

  test('[POL8] a suggestion joins its question, changes nothing of it, and is kept as a run', async (t) => {
    const p = await place(t);
    const { deciders, proposal, id, runs, resolution, turn, asked } = await withDecider(p, { suggests: true });
    const inquiryId = await p.ask(QUESTION);
    const before = await readForSource(p.inquiries, inquiryId, p.sourceId);
    await deciders.idle();
    const { id: proposalId, at, ...shown } = (await proposal())!;
    deepStrictEqual(shown, {
      inquiryId,
      decider: { id, name: 'Helper' },
      why: 'suggested',
      state: 'ready',
      answer: { text: 'Blue' },
    });
    deepStrictEqual(await readForSource(p.inquiries, inquiryId, p.sourceId), before);
    p.pass(3_500_000);
    await turn();
    deepStrictEqual([await resolution(inquiryId), await runs(inquiryId), asked.length], [undefined, ['suggested'], 1]);
    deepStrictEqual(
      p.news.map(({ event, versions }) => [event, versions[0]?.version]),
      [
        ['inquiry', 1],
        ['proposal', 1],
        ['proposal', 2],
      ],
    );
    deepStrictEqual([proposalId.slice(0, 4), at], ['prp_', before.openedAt]);
  });

  test('[POL9] handed over by a person, its decision is shown for the hold time and then counts as its own', async (t) => {
    const p = await place(t);
    const { deciders, proposal, id, turn, resolution, asked } = await withDecider(p);
    const inquiryId = await p.ask(QUESTION);
    const waiting = await handToDecider(p.inquiries, p.phone, inquiryId, undefined);
    await deciders.idle();
    const held = await proposal();
    const { state, why, askedBy, askedByHandle } = held!;
    deepStrictEqual(
      [waiting.state, state, why, askedBy, askedByHandle],
      ['waiting', 'ready', 'asked', 'Phone', p.phone.handle],
    );
    deepStrictEqual(await handToDecider(p.inquiries, p.laptop, inquiryId), held);
    await rejects(handToDecider(p.inquiries, p.laptop, inquiryId, {}), { code: 'proposal.held' });
    p.pass(19_000);
    await turn();
    const early = await resolution(inquiryId);
    p.pass(1_000);
    await turn();
    const { by, text, answer } = (await resolution(inquiryId))!;
    deepStrictEqual([early, by, text, answer, asked.length], [undefined, BY(id), `Blue${SAID}`, { text: 'Blue' }, 1]);
    deepStrictEqual([p.news.at(-1)?.event, p.counted.at(-1), await proposal()], ['withdraw', 'decided', undefined]);
  });

  test('[POL9] [RES1] an answer that was read before the hold ended goes first', async (t) => {
    const p = await place(t);
    const { deciders, turn, resolution, script } = await withDecider(p);
    const inquiryId = await p.ask(QUESTION);
    await handToDecider(p.inquiries, p.phone, inquiryId);
    await deciders.idle();
    p.inquiries.answering.add({ inquiryId });
    p.pass(20_000);
    await turn();
    const before = await resolution(inquiryId);
    p.inquiries.answering.clear();
    script.caughtUp = () => answerInquiry(p.inquiries, p.phone, inquiryId, { text: 'Red' });
    deciders.wake();
    await deciders.idle();
    deepStrictEqual([before, (await resolution(inquiryId))?.by.kind], [undefined, 'person']);
  });

  test('[POL9] [RES1] what a person may have said within the hold, unread in a socket, goes first', async (t) => {
    const p = await place(t);
    const { deciders, turn, resolution, script } = await withDecider(p);
    const inquiryId = await p.ask(QUESTION);
    await handToDecider(p.inquiries, p.phone, inquiryId);
    await deciders.idle();
    script.behind = true;
    p.pass(21_000);
    await turn();
    const before = await resolution(inquiryId);
    script.behind = false;
    await turn();
    deepStrictEqual([before, (await resolution(inquiryId))?.by.kind], [undefined, 'decider']);
  });

  test('[POL9] without a hold it counts at once', async (t) => {
    const p = await place(t);
    const { deciders, id, resolution } = await withDecider(p, { suggests: true }, 0);
    const inquiryId = await p.ask(QUESTION);
    await deciders.idle();
    strictEqual(await resolution(inquiryId), undefined);
    await handToDecider(p.inquiries, p.phone, inquiryId);
    await deciders.idle();
    deepStrictEqual((await resolution(inquiryId))?.by, BY(id));
  });

  test('[POL9] whoever answers during the hold wins, stop keeps what was proposed as a suggestion, and now sends it', async (t) => {
    const p = await place(t);
    const { deciders, proposal, id, turn, resolution, runs } = await withDecider(p);
    const [first, second, third, fourth] = [
      await p.ask(QUESTION),
      await p.ask(QUESTION),
      await p.ask(QUESTION),
      await p.ask(QUESTION),
    ] as const;
    const held = async (inquiryId: string) => {
      await handToDecider(p.inquiries, p.phone, inquiryId);
      await deciders.idle();
      return (
        (await readSnapshot(p.inquiries, p.laptop)).proposals?.find((one) => one.inquiryId === inquiryId)?.id ?? ''
      );
    };
    await held(first);
    await answerInquiry(p.inquiries, p.laptop, first, { text: 'Red' });
    const stopped = await held(second);
    await overrule(p.inquiries, p.laptop, stopped, 'stop');
    const { state, answer, decidesAt } = (await proposal())!;
    await overrule(p.inquiries, p.laptop, await held(third), 'now');
    const dismissed = await held(fourth);
    await overrule(p.inquiries, p.phone, dismissed, 'dismiss');
    await rejects(overrule(p.inquiries, p.phone, dismissed, 'stop'), { code: 'proposal.unknown' });
    p.pass(60_000);
    await turn();
    deepStrictEqual([state, answer, decidesAt], ['stopped', { text: 'Blue' }, undefined]);
    const by = async (inquiryId: string) => (await resolution(inquiryId))?.by;
    deepStrictEqual(
      [(await by(first))?.kind, await by(second), await by(third), await by(fourth), await runs(fourth)],
      ['person', undefined, BY(id), undefined, ['asked']],
    );
    await overrule(p.inquiries, p.phone, stopped, 'now');
    deepStrictEqual(await by(second), BY(id));
    const stranger = { ...p.phone, personId: 'per_other' };
    await rejects(overrule(p.inquiries, stranger, stopped, 'now'), { code: 'proposal.unknown' });
  });

  test('[POL9] where it stands in for a decline and nothing comes of it, that person declined', async (t) => {
    const p = await place(t);
    const { deciders, script, turn, resolution } = await withDecider(p);
    const asks = [await p.ask(QUESTION), await p.ask(QUESTION), await p.ask(QUESTION)] as const;
    const phone = { handle: 'owner', device: { id: p.phone.deviceId, name: 'Phone' }, via: 'live', kind: 'person' };
    await handToDecider(p.inquiries, p.phone, asks[0], { message: 'Not now' });
    await deciders.idle();
    deepStrictEqual((await handToDecider(p.inquiries, p.phone, asks[0], { message: 'Not now' })).state, 'ready');
    p.pass(20_000);
    await turn();
    script.answers = () => ({ problem: 'It is down.' });
    await handToDecider(p.inquiries, p.phone, asks[1], { message: 'Not now' });
    await deciders.idle();
    script.answers = () => new Promise(() => undefined);
    await handToDecider(p.inquiries, p.phone, asks[2], {});
    const before = await resolution(asks[2]);
    p.pass(35_000);
    await deciders.look();
    const ended = await Promise.all(asks.map(resolution));
    deepStrictEqual(
      [before, ...ended.map((one) => [one?.outcome, one?.by.kind, one?.message])],
      [
        undefined,
        ['answered', 'decider', undefined],
        ['declined', 'person', 'Not now'],
        ['declined', 'person', undefined],
      ],
    );
    deepStrictEqual([ended[1]?.by, p.counted.at(-1)], [phone, 'declined']);
  });

  test('[POL9] a decline that was handed over on a device that is revoked is none', async (t) => {
    const p = await place(t);
    const { deciders, script, resolution, proposal } = await withDecider(p);
    script.answers = async () => {
      await p.database.transaction((trx) =>
        trx.updateTable('devices').set({ revoked_at: 1 }).where('id', '=', p.phone.deviceId).execute(),
      );
      return { problem: 'It is down.' };
    };
    const inquiryId = await p.ask(QUESTION);
    await handToDecider(p.inquiries, p.phone, inquiryId, {});
    await deciders.idle();
    const { state, problem } = (await proposal())!;
    deepStrictEqual([await resolution(inquiryId), state, problem], [undefined, 'failed', 'It is down.']);
  });

  test('[POL8] before the deadline it begins in time for the hold, later where the deadline moved, and is no one else', async (t) => {
    const p = await place(t);
    const { turn, resolution, asked, proposal, id, script, choose } = await withDecider(p);
    const before = { ...QUESTION, onExpire: 'decider' as const, latest: 7200 };
    const [one, two, three] = [await p.ask(before), await p.ask(before), await p.ask(before)] as const;
    await extendInquiry(p.inquiries, p.phone, two, 600);
    await answerInquiry(p.inquiries, p.phone, three, { text: 'Red' });
    const counts = [];
    for (const seconds of [1801, 1740, 10, 25, 572]) {
      p.pass(seconds * 1000);
      await turn();
      counts.push([asked.length, (await proposal())?.why]);
    }
    deepStrictEqual(counts, [
      [0, undefined],
      [0, undefined],
      [1, 'deadline'],
      [1, undefined],
      [2, 'deadline'],
    ]);
    deepStrictEqual([(await resolution(one))?.by, await resolution(two)], [BY(id), undefined]);
    await choose(null);
    p.pass(20_000);
    await turn();
    const { problem, state } = (await proposal())!;
    deepStrictEqual([await resolution(two), state, problem], [undefined, 'failed', 'It may not decide this any more.']);
    script.answers = () => ({});
  });

  test('[POL8] for tool calls it is asked only with leave, edits nothing, and never what is marked with caution', async (t) => {
    const p = await place(t);
    const { deciders, resolution, asked, script, choose, turn, id } = await withDecider(p);
    const open = await p.ask(CALL);
    const refused = [];
    for (const inquiryId of [open, await p.ask(SECRET), await p.ask(CAREFUL)])
      refused.push(await handToDecider(p.inquiries, p.phone, inquiryId).catch((error: { code: string }) => error.code));
    await choose({ actions: true, suggests: true });
    await p.ask(CAREFUL);
    await p.ask(SECRET);
    script.answers = says({ decisions: [{ type: 'approve' }] });
    await handToDecider(p.inquiries, p.phone, open);
    await deciders.idle();
    p.pass(20_000);
    await turn();
    const { by, text } = (await resolution(open))!;
    deepStrictEqual(
      [refused, by, text, asked.map(({ ask }) => ask.actions?.[0]?.allowed)],
      [Array(3).fill('inquiry.undecidable'), BY(id), `Approved: \`Bash\` \`1\`.${SAID}`, [['approve', 'reject']]],
    );
  });

  test('[POL8] [RES3] where a sender offers only choices to approve that people make, a decider is not offered to approve', async (t) => {
    const p = await place(t);
    const { deciders, asked } = await withDecider(p, { actions: true });
    const options = [{ id: 'always', label: 'Always', type: 'approve', remember: 'for ever' }];
    const action = { name: 'Bash', args: {}, allowed: ['approve', 'reject'], options };
    await handToDecider(p.inquiries, p.phone, await p.ask({ actions: [action] } as Ask));
    await deciders.idle();
    deepStrictEqual(asked[0]?.ask.actions, [{ ...action, allowed: ['reject'], options: [] }]);
  });

  test('[POL8] of the earlier answers it learns those of the one person it stands in for, to this source', async (t) => {
    const p = await place(t);
    const { deciders, asked } = await withDecider(p);
    const first = await p.ask({ prompt: 'Which colour?' });
    await answerInquiry(p.inquiries, p.phone, first, { text: 'Green' });
    for (const ask of [CAREFUL, SECRET])
      await answerInquiry(p.inquiries, p.phone, await p.ask(ask), { outcome: 'declined', message: 'No.' });
    const open = await p.ask({ ...QUESTION, context: { agent: 'shop' } });
    await handToDecider(p.inquiries, p.phone, open);
    await deciders.idle();
    const { examples, ...question } = asked[0]!;
    deepStrictEqual(
      examples.map(({ asked: what, answer }) => [what, answer]),
      [['Which colour?', 'Green']],
    );
    deepStrictEqual(question, {
      ask: { title: 'Which?', prompt: 'Which?', context: { agent: 'shop' } },
      sourceName: 'Release train',
      locale: 'en',
      person: 'Owner',
    });
  });

  test('[POL8] it learns the newest twenty answers, however many questions nobody answered lie between', async (t) => {
    const p = await place(t);
    const { deciders, asked } = await withDecider(p);
    for (let at = 0; at < 30; at++) {
      await answerInquiry(p.inquiries, p.phone, await p.ask(QUESTION), { text: String(at) });
      await withdrawIfOpen(p.inquiries, p.sourceId, await p.ask(QUESTION));
    }
    await handToDecider(p.inquiries, p.phone, await p.ask(QUESTION));
    await deciders.idle();
    deepStrictEqual(
      asked[0]?.examples.map(({ answer }) => answer),
      Array.from({ length: 20 }, (_, at) => String(29 - at)),
    );
  });

  test('[POL8] one that hangs holds up no other, an ask not at all, and has four runs at once', async (t) => {
    const p = await place(t);
    const { script, asked, choose, id, proposal } = await withDecider(p, { suggests: true });
    const hanging: (() => void)[] = [];
    script.answers = () => new Promise((done) => hanging.push(() => done({ answer: { text: 'Late' } })));
    const many = await Promise.all(Array.from({ length: 9 }, () => p.ask(QUESTION)));
    while (asked.length < 4) await new Promise((done) => setImmediate(done));
    const other = await createDecider(
      p.inquiries,
      { kind: 'chat', name: 'Other', url: 'https://other.test', model: 'm', instructions: 'x' },
      '',
    );
    script.answers = says({ text: 'Quick' });
    await choose({ id: other.id, suggests: true });
    const quick = await p.ask(QUESTION);
    while ((await proposal())?.state !== 'ready') await new Promise((done) => setImmediate(done));
    deepStrictEqual([asked.length, many.length, (await proposal())?.inquiryId, id === other.id], [5, 9, quick, false]);
    for (const done of hanging) done();
  });

  test('[POL9] one that was stopped begins no more before the deadline, nor for a source that was revoked', async (t) => {
    const p = await place(t);
    const { turn, asked, deciders, proposal } = await withDecider(p);
    const before = { ...QUESTION, deadline: 600, onExpire: 'decider' as const };
    const stopped = await p.ask(before);
    const { id } = await handToDecider(p.inquiries, p.phone, stopped);
    await deciders.idle();
    await overrule(p.inquiries, p.phone, id, 'stop');
    p.pass(570_000);
    await turn();
    strictEqual((await proposal())?.state, 'stopped');
    await handToDecider(p.inquiries, p.phone, await p.ask(before));
    await deciders.idle();
    await p.database.transaction((trx) => trx.updateTable('sources').set({ revoked_at: 1 }).execute());
    p.pass(20_000);
    await turn();
    const outcomes = await p.database.read.selectFrom('inquiries').select('outcome').execute();
    deepStrictEqual([asked.length, outcomes], [2, [{ outcome: null }, { outcome: null }]]);
  });

  test('[POL8] what a person hands over goes before suggestions that wait for a place', async (t) => {
    const p = await place(t);
    const { script, asked } = await withDecider(p, { suggests: true });
    const hanging: (() => void)[] = [];
    script.answers = () => new Promise((done) => hanging.push(() => done({ answer: { text: 'Late' } })));
    await Promise.all(Array.from({ length: 6 }, () => p.ask(QUESTION)));
    while (asked.length < 4) await new Promise((done) => setImmediate(done));
    await handToDecider(p.inquiries, p.phone, await p.ask({ prompt: 'Now?', deadline: 3600 }));
    hanging[0]?.();
    while (asked.length < 5) await new Promise((done) => setImmediate(done));
    strictEqual(asked[4]?.ask.prompt, 'Now?');
    for (const done of hanging) done();
  });

  test('[POL9] what it suggested is what it decides before the deadline, unless people put it away', async (t) => {
    const p = await place(t);
    const { deciders, turn, resolution, asked, id, proposal } = await withDecider(p, { suggests: true });
    const before = { ...QUESTION, deadline: 600, onExpire: 'decider' as const };
    const [kept, away] = [await p.ask(before), await p.ask(before)] as const;
    await deciders.idle();
    const shown = (await readSnapshot(p.inquiries, p.phone)).proposals ?? [];
    await overrule(p.inquiries, p.phone, shown.find(({ inquiryId }) => inquiryId === away)!.id, 'dismiss');
    p.pass(550_000);
    await turn();
    const { why, askedBy, at } = (await proposal())!;
    deepStrictEqual([asked.length, why, askedBy], [3, 'deadline', undefined]);
    ok(Date.parse(at) > p.database.clock.now() - 10_000);
    p.pass(20_000);
    await turn();
    deepStrictEqual([(await resolution(kept))?.by, (await resolution(away))?.by], [BY(id), BY(id)]);
  });

  test('[ASK1] a run whose node is gone is taken up by another node, and by one at a time', async (t) => {
    const p = await place(t);
    const { script, asked, node, proposal, turn } = await withDecider(p, { suggests: true });
    script.answers = () => new Promise(() => undefined);
    await p.ask(QUESTION);
    while (asked.length < 1) await new Promise((done) => setImmediate(done));
    script.answers = says({ text: 'Blue' });
    const others = [node(), node()] as const;
    await Promise.all(others.map((one) => turn(one)));
    strictEqual(asked.length, 1);
    p.pass(15_000);
    await Promise.all(others.map((one) => turn(one)));
    deepStrictEqual([asked.length, (await proposal())?.state], [2, 'ready']);
  });

  test('[POL8] who was asked reads which decider may decide it, and what one decided is found in the history', async (t) => {
    const p = await place(t);
    const { id, turn, choose } = await withDecider(p, {}, 0);
    const me = { id: p.phone.personId };
    const deciderOf = async (ask: Ask) => (await readContext(p.database, await p.ask(ask), me)).decider;
    const helper = { id, name: 'Helper' };
    deepStrictEqual([await deciderOf(QUESTION), await deciderOf(CALL)], [helper, undefined]);
    await choose({ actions: true });
    deepStrictEqual(
      [await deciderOf(CALL), await deciderOf(CAREFUL), await deciderOf(SECRET)],
      [helper, undefined, undefined],
    );
    const asked = await p.ask(QUESTION);
    await handToDecider(p.inquiries, p.phone, asked, undefined);
    await turn();
    const found = await readHistory(p.database.read, p.phone, { by: 'decider', limit: 10 });
    deepStrictEqual(
      found.items.map((one) => one.id),
      [asked],
    );
    await choose(null);
    strictEqual(await deciderOf(QUESTION), undefined);
  });
}
