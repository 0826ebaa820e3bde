import { deepStrictEqual, ok, strictEqual } from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import fc from 'fast-check';
import type { Resolution } from '#shared/answer.ts';
import type { Ask } from '#shared/inquiry.ts';
import { StartYolo } from '#shared/policies/yolo.ts';
import type { Rule } from '#shared/policies/rule.ts';
import type { DeviceCaller } from '../../platform/http/access.ts';
import { addDevice } from '../../devices/admit.ts';
import { putPolicies, readPolicies } from '../rules/change.ts';
import { createDecider } from '../deciders/config/store.ts';
import { answerInquiry } from '../../inquiries/answer.ts';
import { ask } from '../../inquiries/ask.ts';
import { handToDecider, overrule } from '../deciders/act.ts';
import { sweep } from '../../inquiries/expire.ts';
import { readHistory } from '../../reports/history/read.ts';
import { readSnapshot } from '../../inquiries/read.ts';
import { withdrawInquiry } from '../../inquiries/withdraw.ts';
import { reportYolo } from '../yolo/report.ts';
import { startYolo, stopYolo } from '../yolo/yolo.ts';
import { withDecider } from './deciding.contract.ts';
import { anotherNode, type Place } from '../../inquiries/testing/place.ts';

const CALL = { actions: [{ name: 'Bash', args: {}, allowed: ['approve', 'reject'] }], deadline: 3600 } as Ask;
const CAREFUL = { actions: [{ name: 'rm', args: {}, allowed: ['approve'], caution: true }], deadline: 3600 } as Ask;
const SECRET: Ask = { questions: [{ id: 'k', type: 'text', prompt: 'Key?', secret: true }], deadline: 3600 };
const QUESTION: Ask = { prompt: 'Which?', deadline: 3600 };
const APPROVES = { decisions: [{ type: 'approve' as const }] };

/** What a decider does at once, because a rule or YOLO says so; the same on every engine. */
export function delegationContract(place: (t: TestContext) => Promise<Place>): void {
  async function open(
    t: TestContext,
    ...chosen: Parameters<typeof withDecider> extends [Place, ...infer R] ? R : never
  ) {
    const p = await place(t);
    const d = await withDecider(p, ...chosen);
    const me = { personId: p.phone.personId };
    const rules = async (then: Rule['then'] | undefined, of: 'hub' | 'person' = 'hub', until?: string) => {
      const which = { of, ...me };
      const { version } = await readPolicies(p.database, which);
      const rule = { name: 'To Helper', when: { source: p.sourceId }, ...(until ? { until } : {}) };
      const list = then === undefined ? [] : [{ ...rule, then }];
      await putPolicies(p.database, which, { version, rules: list }, p.phone.deviceId);
    };
    await p.database.transaction(async (trx) => {
      const subscription = {
        endpoint: 'https://push.test/1',
        p256dh: '',
        auth: '',
        vapid_public_key: '',
        created_at: 0,
      };
      await trx
        .insertInto('subscriptions')
        .values({ device_id: p.phone.deviceId, ...subscription })
        .execute();
      await trx.updateTable('devices').set({ live_until: 0 }).where('id', '=', p.phone.deviceId).execute();
    });
    const rung = async () =>
      (
        await p.database.read.selectFrom('pushes').select('subject_id').where('subject_id', 'like', 'inq%').execute()
      ).map(({ subject_id }) => subject_id);
    const yolos = { database: p.database, announce: () => undefined, wakePushes: () => undefined };
    const caller: DeviceCaller = {
      kind: 'device',
      id: p.phone.deviceId,
      name: 'Phone',
      person: { id: p.phone.personId, handle: p.phone.handle, name: '', owner: true, locale: undefined },
    };
    const yolo = {
      start: (body: object) => startYolo(yolos, caller, StartYolo.parse({ until: 3600, ...body })),
      stop: (id: string) => stopYolo(yolos, caller, id),
    };
    return { p, ...d, rules, rung, yolo };
  }
  const decided = (id: string, ruleId?: string) => ({
    kind: 'decider',
    label: 'Helper',
    deciderId: id,
    ...(ruleId ? { ruleId } : {}),
  });

  test('[POL8] a rule hands over without waking anyone; the hold is shown, and then it counts, with the rule', async (t) => {
    const { p, id, rules, rung, turn, deciders, proposal, resolution } = await open(t);
    await rules({ decider: id });
    const inquiryId = await p.ask(QUESTION);
    await deciders.idle();
    const { why, state, decidesAt } = (await proposal())!;
    const inbox = (await readSnapshot(p.inquiries, p.phone)).inquiries.map((one) => one.id);
    deepStrictEqual([why, state, typeof decidesAt, inbox, await rung()], ['rule', 'ready', 'string', [inquiryId], []]);
    p.pass(20_000);
    await turn();
    const { by } = (await resolution(inquiryId))!;
    const ruleId = by.kind === 'decider' ? by.ruleId : undefined;
    const [past] = (await readHistory(p.database.read, p.phone, { limit: 1, rule: ruleId })).items;
    deepStrictEqual([by, past?.rule?.name, await rung()], [decided(id, ruleId), 'To Helper', []]);
    ok(ruleId?.startsWith('rul_'));
  });

  test('[APR5] [POL8] those whom an escalation adds see what a decider holds and are woken with the others, should it come to nothing', async (t) => {
    const { p, id, rules, rung, turn, deciders, proposal } = await open(t);
    const row = { id: 'per_anna', handle: 'anna', name: 'Anna', locale: null, created_at: 0 };
    await p.database.transaction((trx) => trx.insertInto('people').values(row).execute());
    const { deviceId } = await addDevice(p.database, row.id, 'Phone');
    const keys = { p256dh: '', auth: '', vapid_public_key: '' };
    const own = { device_id: deviceId, endpoint: 'https://push.test/2', ...keys, created_at: 0 };
    await p.database.transaction((trx) => trx.insertInto('subscriptions').values(own).execute());
    await rules({ decider: id });
    const inquiryId = await p.ask({ ...QUESTION, escalate: [{ after: 5, to: ['anna'] }] });
    await deciders.idle();
    p.pass(5_000);
    p.news.length = 0;
    await sweep(p.inquiries);
    const annas = await readSnapshot(p.inquiries, { personId: row.id, deviceId });
    deepStrictEqual(
      [annas.proposals?.map(({ state }) => state), p.news.map(({ event }) => event), await rung()],
      [['ready'], ['inquiry', 'moved'], []],
    );
    await overrule(p.inquiries, p.phone, (await proposal())!.id, 'stop');
    await turn();
    deepStrictEqual(await rung(), [inquiryId, inquiryId]);
  });

  test('[POL8] where its decider fails, is too slow, is stopped or gone, people are woken, once, and may answer as always', async (t) => {
    const { p, id, rules, rung, deciders, turn, script, choose, proposal, resolution } = await open(t);
    await rules({ decider: id });
    const rings = async (becomes: () => Promise<unknown>) => {
      const inquiryId = await p.ask(QUESTION);
      const before = (await rung()).includes(inquiryId);
      await becomes();
      const reach = await p.database.read
        .selectFrom('inquiries')
        .select('reach_due_at')
        .where('id', '=', inquiryId)
        .executeTakeFirstOrThrow();
      const state = (await readSnapshot(p.inquiries, p.phone)).proposals?.find(
        (one) => one.inquiryId === inquiryId,
      )?.state;
      const { won } = await answerInquiry(p.inquiries, p.phone, inquiryId, { text: 'Red' });
      return [
        before,
        (await rung()).filter((one) => one === inquiryId).length,
        reach.reach_due_at !== null,
        state,
        won,
      ];
    };
    const found = [];
    script.answers = () => ({ problem: 'It is down.' });
    found.push(await rings(() => deciders.idle()));
    script.answers = () => ({ answer: { text: 'Blue' } });
    found.push(
      await rings(async () => {
        await deciders.idle();
        await overrule(p.inquiries, p.laptop, (await proposal())!.id, 'stop');
      }),
    );
    found.push(
      await rings(async () => {
        await deciders.idle();
        await overrule(p.inquiries, p.laptop, (await proposal())!.id, 'dismiss');
      }),
    );
    found.push(
      await rings(async () => {
        await deciders.idle();
        await p.database.transaction((trx) => trx.deleteFrom('deciders').execute());
        p.pass(20_000);
        await turn();
      }),
    );
    const again = await p.ask(QUESTION);
    deepStrictEqual(
      [found, (await rung()).includes(again), await resolution(again)],
      [
        [
          [false, 1, true, 'failed', true],
          [false, 1, true, 'stopped', true],
          [false, 1, true, undefined, true],
          [false, 1, true, 'failed', true],
        ],
        true,
        undefined,
      ],
    );
    await choose(null);
  });

  test('[POL5] [POL8] a rule that is taken away, or ends, while its decider thinks or is held decides nothing, and people are woken', async (t) => {
    const { p, id, rules, rung, deciders, turn, script, resolution, proposal } = await open(t);
    const found = [];
    const until = () => new Date(p.database.clock.now() + 10_000).toISOString();
    for (const during of ['run', 'hold', 'end'] as const) {
      await rules({ decider: id }, 'hub', during === 'end' ? until() : undefined);
      script.answers = async () => {
        if (during === 'run') await rules(undefined);
        return { answer: { text: 'Blue' } };
      };
      const inquiryId = await p.ask(QUESTION);
      await deciders.idle();
      if (during === 'hold') await rules(undefined);
      p.pass(20_000);
      await turn();
      const { state, problem } = (await proposal())!;
      found.push([state, problem, await resolution(inquiryId), (await rung()).includes(inquiryId)]);
      await answerInquiry(p.inquiries, p.phone, inquiryId, { text: 'Red' });
    }
    deepStrictEqual(found, Array(3).fill(['failed', 'It may not decide this any more.', undefined, true]));
  });

  test('[POL8] what a rule gave to one decider begins anew, with no rule, where a person hands it to that of the source', async (t) => {
    const { p, id, rules, deciders, turn, resolution, proposal, asked } = await open(t);
    const other = { kind: 'chat' as const, name: 'Other', url: 'https://b.test', model: 'm', instructions: 'x' };
    const { id: otherId } = await createDecider(p.inquiries, other, '');
    const found = [];
    for (const named of [otherId, id]) {
      await rules({ decider: named });
      const inquiryId = await p.ask(QUESTION);
      await deciders.idle();
      await handToDecider(p.inquiries, p.phone, inquiryId);
      await deciders.idle();
      const { why, askedBy, decider } = (await proposal())!;
      await rules(undefined);
      p.pass(20_000);
      await turn();
      found.push([why, askedBy, decider.id, (await resolution(inquiryId))?.by]);
    }
    deepStrictEqual([found, asked.length], [Array(2).fill(['asked', 'Phone', id, decided(id)]), 3]);
  });

  test('[POL5] [POL6] what comes too late to be decided bears no rule, and YOLO has not settled it', async (t) => {
    const { p, id, rules, yolo, turn, deciders, script } = await open(t, { actions: true });
    const late = async (ask: Ask) => {
      const inquiryId = await p.ask(ask);
      await deciders.idle();
      p.pass(3_600_000);
      await turn();
      return (await p.database.read
        .selectFrom('inquiries')
        .select(['rule', 'outcome'])
        .where('id', '=', inquiryId)
        .executeTakeFirst())!;
    };
    await rules({ decider: id });
    const found = [await late(QUESTION)];
    await rules(undefined);
    script.answers = () => ({ answer: APPROVES });
    const { id: yoloId } = await yolo.start({ calls: { decider: id }, until: 7_200 });
    found.push(await late(CALL));
    const { settledCount } = await yolo.stop(yoloId);
    deepStrictEqual([found, settledCount], [Array(2).fill({ rule: null, outcome: null }), 0]);
  });

  test('[ASK1] people are woken by any node where the one that asked the decider is gone, or it has no turn', async (t) => {
    const { p, id, rules, rung, script, asked, node } = await open(t);
    await rules({ decider: id });
    script.answers = () => new Promise(() => undefined);
    const many = await Promise.all(Array.from({ length: 6 }, () => p.ask(QUESTION)));
    while (asked.length < 4) await new Promise((done) => setImmediate(done));
    const other = node(anotherNode(p));
    p.pass(34_000);
    await other.look();
    const early = await rung();
    p.pass(2_000);
    await other.look();
    deepStrictEqual([early, (await rung()).toSorted()], [[], many.toSorted()]);
  });

  test('[POL8] a run that cannot be kept is not repeated, and people are told without its words', async (t) => {
    const { p, script, asked, proposal, turn } = await open(t, { suggests: true });
    script.answers = () => ({ ms: null as unknown as number, problem: 'Remote.' });
    await p.ask(QUESTION);
    await turn();
    p.pass(130_000);
    await turn();
    const { state, problem } = (await proposal())!;
    deepStrictEqual([asked.length, state, problem], [1, 'failed', 'What it returned could not be kept.']);
  });

  test('[ASK1] a suggestion whose nodes are gone each time is given up', async (t) => {
    const { p, script, asked, node, proposal } = await open(t, { suggests: true });
    script.answers = () => new Promise(() => undefined);
    await p.ask(QUESTION);
    while (asked.length < 1) await new Promise((done) => setImmediate(done));
    p.pass(130_000);
    await node().look();
    deepStrictEqual([asked.length, (await proposal())?.state], [1, 'failed']);
  });

  test('[POL8] no rule and no YOLO hands over what no decider may decide, or what is asked of a group', async (t) => {
    const { p, id, rules, rung, yolo, asked, choose } = await open(t);
    await p.database.transaction(async (trx) => {
      await trx.insertInto('groups').values({ id: 'grp_ops', handle: 'ops', name: 'Ops', created_at: 0 }).execute();
      await trx.insertInto('group_members').values({ group_id: 'grp_ops', person_id: p.phone.personId }).execute();
    });
    const all = async () => {
      const found = [];
      for (const one of [
        CALL,
        CAREFUL,
        SECRET,
        { ...QUESTION, to: ['ops'] },
        { ...QUESTION, rules: 'none' as const },
      ]) {
        const inquiryId = await p.ask(one);
        found.push((await rung()).includes(inquiryId));
      }
      return found;
    };
    await rules({ decider: id }, 'person');
    const found = [await all()];
    await rules(undefined, 'person');
    await yolo.start({ calls: { decider: id }, questions: { decider: id } });
    found.push(await all());
    deepStrictEqual([found, asked.length], [Array(2).fill(Array(5).fill(true)), 0]);
    await choose(null);
    await rules({ decider: id });
    const call = await p.ask(CALL);
    ok((await rung()).includes(call));
  });

  test('[POL6] what YOLO gave to a decider counts only while it runs: its stop wakes people', async (t) => {
    const { p, id, rung, yolo, deciders, script, turn, resolution } = await open(t, { actions: true });
    script.answers = () => ({ answer: APPROVES });
    const { id: yoloId } = await yolo.start({ calls: { decider: id } });
    const first = await p.ask(CALL);
    await deciders.idle();
    p.pass(20_000);
    await turn();
    const second = await p.ask(CALL);
    await deciders.idle();
    const ended = await yolo.stop(yoloId);
    p.pass(20_000);
    await turn();
    const { approved, decided: count, asked } = await reportYolo(p.database.read, yoloId, { id: p.phone.personId });
    deepStrictEqual(
      [(await resolution(first))?.by, await resolution(second), await rung(), ended.settledCount],
      [decided(id, yoloId), undefined, [second], 1],
    );
    deepStrictEqual(
      [approved.map(({ name, count: calls }) => [name, calls]), count, asked.map((one) => one.id)],
      [[['Bash', 1]], 1, [second]],
    );
  });

  test('[POL6] a stop of YOLO wakes people at once about what its deciders think of or hold, and nothing more is asked', async (t) => {
    const { p, id, rung, yolo, deciders, script, asked, proposal, node } = await open(t, { actions: true });
    const { id: yoloId } = await yolo.start({ calls: { decider: id } });
    script.answers = () => ({ answer: APPROVES });
    const held = await p.ask(CALL);
    await deciders.idle();
    script.answers = () => new Promise(() => undefined);
    const thought = await p.ask(CALL);
    while (asked.length < 2) await new Promise((done) => setImmediate(done));
    await yolo.stop(yoloId);
    await node().look();
    deepStrictEqual((await rung()).toSorted(), [held, thought].toSorted());
    strictEqual((await proposal())?.state, 'failed');
  });

  test('[RES1] whatever races, there is one resolution, truthfully attributed, and an approval has leave', async (t) => {
    const { p, id, rules, yolo, deciders, node, script, turn, resolution, choose } = await open(
      t,
      { actions: true },
      5,
    );
    const elsewhere = anotherNode(p);
    const other = node(elsewhere);
    const op = fc.record({
      by: fc.constantFrom('rule', 'yolo', 'asked', 'instead', 'suggested', 'nobody'),
      leave: fc.boolean(),
      says: fc.constantFrom('answers', 'fails', 'hangs'),
      person: fc.constantFrom('answers', 'declines', 'stops', 'sends', 'dismisses', 'stops yolo', 'leaves', 'revokes'),
      waits: fc.constantFrom(0, 4_999, 5_000, 36_000, 120_000),
      call: fc.boolean(),
    });
    await fc.assert(
      fc.asyncProperty(op, async ({ by, leave, says, person, waits, call }) => {
        await choose({ actions: leave, suggests: by === 'suggested' });
        await rules(by === 'rule' ? { decider: id } : undefined);
        const running =
          by === 'yolo' ? await yolo.start({ calls: { decider: id }, questions: { decider: id } }) : undefined;
        const answer = call ? APPROVES : { text: 'Blue' };
        script.answers = () =>
          says === 'answers'
            ? { answer }
            : says === 'fails'
              ? { problem: 'No.' }
              : new Promise((done) => setImmediate(done, { problem: 'Late.' }));
        const { inquiryId, inquiry } = await ask(p.inquiries, {
          sourceId: p.sourceId,
          ask: { ...(call ? CALL : QUESTION), deadline: 100 },
          waitMs: 0,
        });
        if (by === 'asked' || by === 'instead')
          await handToDecider(p.inquiries, p.phone, inquiryId, by === 'instead' ? {} : undefined).catch(
            () => undefined,
          );
        await Promise.all([deciders.idle(), other.look()]);
        p.pass(waits);
        const proposed = (await readSnapshot(p.inquiries, p.phone)).proposals?.find(
          (one) => one.inquiryId === inquiryId,
        );
        const over = { stops: 'stop', sends: 'now', dismisses: 'dismiss' } as const;
        const mine = async (): Promise<unknown> => {
          if (person === 'answers')
            return answerInquiry(
              p.inquiries,
              p.phone,
              inquiryId,
              (call ? { decisions: [{ type: 'reject' }], digest: inquiry?.digest } : { text: 'Red' }) as never,
            );
          if (person === 'declines') return answerInquiry(p.inquiries, p.phone, inquiryId, { outcome: 'declined' });
          if (person === 'stops yolo') return running && yolo.stop(running.id);
          if (person === 'revokes') return choose(null);
          return person in over && proposed
            ? overrule(p.inquiries, p.laptop, proposed.id, over[person as keyof typeof over])
            : undefined;
        };
        await Promise.allSettled([mine(), turn(), turn(other), sweep(p.inquiries), sweep(elsewhere)]);
        const first = await resolution(inquiryId);
        p.pass(120_000);
        await Promise.all([turn(), turn(other), sweep(p.inquiries), sweep(elsewhere)]);
        const last = (await resolution(inquiryId))!;
        if (first) deepStrictEqual(last, first);
        truthful(last, { by, leave, says, person, call });
        if (running && person !== 'stops yolo') await yolo.stop(running.id);
      }),
      { numRuns: 60 },
    );
    const twice = p.news.filter(({ event }) => event === 'withdraw').map(({ inquiryId }) => inquiryId);
    strictEqual(new Set(twice).size, twice.length);
  });

  test('[POL8] what is proposed ends with its inquiry, whoever resolves it', async (t) => {
    const p = await place(t);
    const { deciders } = await withDecider(p, { suggests: true });
    const callback = { url: 'https://hooks.example/' };
    const more = [{}, { callback }, {}, {}, { deadline: 60 }];
    const ids: string[] = [];
    for (const one of more) ids.push(await p.ask({ ...QUESTION, ...one } as Ask));
    const [answered, told, declined, withdrawn] = ids as [string, string, string, string];
    await deciders.idle();
    const proposed = async () =>
      (await p.database.read.selectFrom('proposals').select('inquiry_id').execute()).map((row) => row.inquiry_id);
    const before = await proposed();
    for (const id of [answered, told]) await answerInquiry(p.inquiries, p.phone, id, { text: 'Red' });
    await answerInquiry(p.inquiries, p.phone, declined, { outcome: 'declined' });
    await withdrawInquiry(p.inquiries, p.sourceId, withdrawn);
    p.pass(120_000);
    await sweep(p.inquiries);
    deepStrictEqual([before.toSorted(), await proposed()], [ids.toSorted(), []]);
  });

  test('[POL9] [LIV1] a snapshot tells what is proposed for each open inquiry, those behind its list too', async (t) => {
    const p = await place(t);
    const { deciders } = await withDecider(p);
    const asks = [await p.ask(QUESTION), await p.ask(QUESTION), await p.ask(QUESTION)] as const;
    for (const inquiryId of [asks[0], asks[2]]) await handToDecider(p.inquiries, p.phone, inquiryId);
    await deciders.idle();
    const { inquiries, more, proposals } = await readSnapshot(p.inquiries, p.laptop, 1);
    deepStrictEqual(
      [inquiries.map(({ id }) => id), more, proposals?.map(({ inquiryId, state }) => [inquiryId, state])],
      [
        [asks[2]],
        true,
        [
          [asks[2], 'ready'],
          [asks[0], 'ready'],
        ],
      ],
    );
  });
}

type Played = { by: string; leave: boolean; says: string; person: string; call: boolean };

/** Whose decision it is, whatever raced. */
function truthful({ outcome, by, answer, text }: Resolution, { by: began, leave, says, person, call }: Played): void {
  switch (by.kind) {
    case 'decider':
      ok(outcome === 'answered' && says === 'answers' && (leave || !call) && began !== 'nobody');
      ok(began !== 'suggested' || person === 'sends');
      strictEqual(by.ruleId !== undefined, began === 'rule' || began === 'yolo');
      ok(text.endsWith('not the person’s own decision.'));
      return;
    case 'person':
      // Nobody says "declined" for a person who did not decline or hand their decline over.
      ok(
        outcome === 'answered'
          ? person === 'answers' && !JSON.stringify(answer).includes('approve')
          : person === 'declines' || began === 'instead',
      );
      return;
    default:
      strictEqual(outcome, 'expired');
  }
}
