import { deepStrictEqual, rejects, strictEqual } from 'node:assert/strict';
import type { TestContext } from 'node:test';
import fc from 'fast-check';
import type { AnswerBody, Decision } from '#shared/answer.ts';
import type { Ask, Inquiry } from '#shared/inquiry.ts';
import { newId } from '#shared/ids.ts';
import type { Rule } from '#shared/policies/rule.ts';
import { AppError } from '#shared/problem.ts';
import { putPolicies, readPolicies } from '../../automation/rules/change.ts';
import { addDevice } from '../../devices/admit.ts';
import { removePerson } from '../../people/remove.ts';
import { testsIn } from '../../platform/testing/tests-in.ts';
import { changeSource } from '../../sources/change.ts';
import { answerInquiry } from '../answer.ts';
import type { Answerer } from '../answerer.ts';
import { ask } from '../ask.ts';
import { escalate } from '../escalate.ts';
import { sweep } from '../expire.ts';
import { takeBack } from '../hands.ts';
import { readOpen } from '../read.ts';
import { resolve } from '../resolve.ts';
import { inquiryById, readIn } from '../store.ts';
import { withdrawAskedOf } from '../withdraw.ts';
import { anotherNode, type Place } from './place.ts';

const allowed = ['approve', 'edit', 'reject', 'respond'] as const;
const CALL: Ask = {
  to: ['owner', 'anna', 'ben'],
  deadline: 600,
  approvals: { count: 2 },
  actions: [
    { name: 'drop', args: { rows: 3 }, allowed: [...allowed] },
    { name: 'drop', args: { rows: 4 }, allowed: [...allowed] },
  ],
};
const YES: Decision[] = [{ type: 'approve' }, { type: 'approve' }];
const NO: Decision[] = [{ type: 'reject' }, { type: 'reject' }];
const edited = (rows: string): Decision[] => [{ type: 'edit', argsText: `{"rows":${rows}}` }, { type: 'approve' }];

/** That nothing runs before so many different people approved exactly it; the same on every engine. */
export function handsContract(open: (t: TestContext) => Promise<Place>): void {
  const test = testsIn(async (t) => {
    const p = await open(t);
    return { ...p, anna: await addPerson(p, 'anna'), ben: await addPerson(p, 'ben') };
  });
  /** What a decision by this person comes to: the outcome, how many have approved, or the code of a refusal. */
  async function say(p: Place, id: string, by: Answerer, decisions: Decision[], more: Partial<AnswerBody> = {}) {
    const { digest } = await p.read(id);
    const reply = await refusedOr(answerInquiry(p.inquiries, by, id, { digest, decisions, ...more }));
    if (typeof reply === 'string') return reply;
    if ('inquiry' in reply) return reply.inquiry.approved?.length ?? 0;
    return `${reply.won ? 'won' : 'lost'} ${reply.resolution.outcome}`;
  }
  const seen = async (p: Place, id: string, by: Answerer): Promise<Inquiry | undefined> =>
    (await readOpen(p.database.read, by, { limit: 50, now: p.database.clock.now() })).items.find(
      (one) => one.id === id,
    );
  const namesOf = ({ approved = [] }: Pick<Inquiry, 'approved'>) => approved.map(({ by }) => by.handle);
  const back = (p: Place, id: string, by: Answerer) => refusedOr(takeBack(p.inquiries, by, id));

  test('[APR4] [LIV1] the first yes is told to everybody and lets nothing run, the second of another person resolves it, and both are named', async (p) => {
    const id = await p.ask(CALL);
    p.news.length = 0;
    const before = await versions(p);
    const { digest } = await p.read(id);
    const reply = await answerInquiry(p.inquiries, p.anna, id, { digest, decisions: YES });
    const told = 'inquiry' in reply ? reply.inquiry : undefined;
    const { approved = [], revision, state, standing } = (await seen(p, id, p.ben))!;
    deepStrictEqual(
      [told?.approved, [state, revision, standing], approved.map(({ by }) => by)],
      [
        approved,
        ['open', 2, YES],
        [
          {
            kind: 'person',
            handle: 'anna',
            device: { id: p.anna.deviceId, name: 'Phone' },
            via: 'live',
            personId: p.anna.personId,
          },
        ],
      ],
    );
    const people = [p.phone, p.anna, p.ben].map(({ personId }) => personId).toSorted();
    const raised = people.map((personId) => ({ personId, version: (before.get(personId) ?? 0) + 1 }));
    deepStrictEqual(p.news, [{ event: 'inquiry', inquiryId: id, versions: raised }]);
    deepStrictEqual(await say(p, id, p.phone, YES), 'won answered');
    const { resolution, approved: all, standing: none } = await p.read(id);
    deepStrictEqual(
      [resolution?.by.kind === 'person' && resolution.by.handle, namesOf({ approved: all }), none],
      ['owner', ['anna', 'owner'], undefined],
    );
    deepStrictEqual(
      [await back(p, id, p.anna), await say(p, id, p.ben, YES)],
      ['inquiry.already_resolved', 'lost answered'],
    );
  });

  test('[APR4] [RES2] one person is one hand, on whichever device, however often, and a retry after it was taken back is none', async (p) => {
    const id = await p.ask(CALL);
    deepStrictEqual(
      [
        await say(p, id, p.phone, YES, { answerId: 'a' }),
        await say(p, id, p.phone, YES, { answerId: 'a' }),
        await say(p, id, p.laptop, YES, { answerId: 'b' }),
        await say(p, id, { ...p.phone, via: 'mcp' }, YES),
        await say(p, id, { ...p.laptop, via: 'notification' }, YES),
        (await p.read(id)).revision,
      ],
      [1, 1, 1, 1, 1, 2],
    );
    deepStrictEqual(
      [await back(p, id, p.anna), await back(p, id, p.laptop), await back(p, id, p.phone)],
      ['approval.none', undefined, 'approval.none'],
    );
    deepStrictEqual(
      [await say(p, id, p.phone, YES, { answerId: 'a' }), await say(p, id, p.laptop, YES, { answerId: 'b' })],
      [0, 0],
    );
    const { revision, approved } = await p.read(id);
    deepStrictEqual([revision, approved, (await seen(p, id, p.ben))?.standing], [3, undefined, undefined]);
    deepStrictEqual([await say(p, id, p.anna, YES), await say(p, id, p.phone, YES)], [1, 'won answered']);
  });

  test('[APR4] [RES1] a no ends it at once, and is nobody’s approval', async (p) => {
    for (const no of [{ decisions: NO }, { outcome: 'declined' as const, decisions: undefined }]) {
      const id = await p.ask(CALL);
      const { digest } = await p.read(id);
      strictEqual(await say(p, id, p.anna, YES), 1);
      const { won, resolution } = await p.answer(id, { ...no, digest } as AnswerBody);
      strictEqual(won, true);
      deepStrictEqual([resolution.validUntil, namesOf(await p.read(id))], [undefined, ['anna']]);
    }
  });

  test('[APR4] whoever edits or approves other calls starts anew, and nobody approves an edit that they did not send', async (p) => {
    const id = await p.ask(CALL);
    deepStrictEqual(
      [
        await say(p, id, p.anna, YES),
        await say(p, id, p.ben, edited('9007199254740993')),
        await say(p, id, p.phone, YES),
        await say(p, id, p.ben, YES),
        await say(p, id, p.phone, edited('9007199254740992')),
        await say(p, id, p.ben, edited('9007199254740993')),
      ],
      [1, 1, 'answer.edited', 'answer.edited', 1, 1],
    );
    const standing = (await seen(p, id, p.anna))?.standing ?? [];
    deepStrictEqual([standing, namesOf(await p.read(id))], [edited('9007199254740993'), ['ben']]);
    deepStrictEqual(
      [
        await say(p, id, p.anna, [YES[0]!, NO[1]!]),
        await say(p, id, p.anna, [{ type: 'edit', args: { rows: 3 } }, { type: 'approve' }]),
        await say(p, id, p.ben, standing),
        await say(p, id, p.phone, [standing[0]!, NO[1]!]),
        await say(p, id, p.anna, [standing[0]!, { type: 'reject', message: 'Too many.' }]),
      ],
      ['answer.edited', 1, 1, 1, 'won answered'],
    );
    const { resolution, approved } = await p.read(id);
    deepStrictEqual(
      [JSON.stringify(resolution?.answer?.decisions), namesOf({ approved })],
      ['[{"type":"edit","args":{"rows":9007199254740993}},{"type":"reject","message":"Too many."}]', ['owner', 'anna']],
    );
  });

  test('[APR4] buttons of the asker count together by their option, and a text in place of a result by its words', async (p) => {
    const options = [
      { id: 'once', label: 'Once', type: 'approve' as const },
      { id: 'always', label: 'Always', type: 'approve' as const },
    ];
    const id = await p.ask({ ...CALL, actions: [{ ...CALL.actions![0]!, options }] });
    const by = (optionId: string): Decision[] => [{ type: 'approve', optionId }];
    const said = (message: string): Decision[] => [{ type: 'respond', message }];
    deepStrictEqual(
      [
        await say(p, id, p.anna, by('once')),
        await say(p, id, p.ben, by('always')),
        await say(p, id, p.phone, said('3 rows')),
        await say(p, id, p.anna, said('4 rows')),
        await say(p, id, p.ben, said('4 rows')),
      ],
      [1, 1, 1, 1, 'won answered'],
    );
  });

  test('[APR4] [POL4] [POL6] no rule, decider, deadline or source says yes, nor anything that resolves by itself', async (p) => {
    const rule: Rule = { name: 'Fine', when: { tool: 'drop' }, then: 'approve' };
    const which = { of: 'hub' as const, personId: p.phone.personId };
    const { version } = await readPolicies(p.database, which);
    await putPolicies(p.database, which, { version, rules: [rule] }, p.phone.deviceId);
    const { approvals: _two, ...alone } = CALL;
    strictEqual((await p.read(await p.ask(alone))).state, 'answered');
    const own = await p.ask(CALL);
    await changeSource(p.database, p.sourceId, { approvals: { count: 3 } });
    const usual = await p.ask({ ...CALL, approvals: { count: 2 } });
    deepStrictEqual(
      [(await p.read(own)).state, (await p.read(usual)).state, (await p.read(usual)).approvals],
      ['open', 'open', { count: 3 }],
    );
    const { version: next } = await readPolicies(p.database, which);
    const instead: Rule = { name: 'Anna', when: { tool: 'drop' }, then: { ask: ['anna'] } };
    await putPolicies(p.database, which, { version: next, rules: [instead] }, p.phone.deviceId);
    deepStrictEqual((await p.read(await p.ask(CALL))).to, CALL.to);
    await say(p, own, p.anna, YES);
    const label = 'x';
    for (const by of [
      { kind: 'policy', label, ruleId: label },
      { kind: 'decider', label, deciderId: label },
      { kind: 'deadline', label },
      { kind: 'source', label },
      { kind: 'person', handle: 'owner', device: { id: p.phone.deviceId, name: label }, via: 'live' },
    ] as const) {
      const work = p.database.steps(function* () {
        const row = yield* readIn(inquiryById(own));
        return yield* resolve(row, { outcome: 'answered', answer: { decisions: YES }, by }, { hub: p.inquiries });
      });
      await rejects(work, { code: 'answer.needs_hands' });
    }
    strictEqual((await p.read(own)).state, 'open');
  });

  test('[APR4] [ASK3] what cannot be had is refused, and says what to do; a default says whose it is', async (p) => {
    const faults = async (wanted: Ask, more: object = {}) =>
      ask(p.inquiries, { sourceId: p.sourceId, ask: wanted, waitMs: 0, ...more }).then(
        () => [],
        (error: AppError) => error.faults?.map(({ path, code, message }) => [path, code, message]),
      );
    const alone = { ...CALL, to: ['anna'] };
    const few = (who = '') => [
      ['/approvals/count', 'ask.too_few_people', `${who}asks 2 people to approve and reaches only 1: name more in to`],
    ];
    const nothing = [
      ['/approvals', 'ask.nothing_to_approve', 'stands where nothing is approved: it goes with actions'],
    ];
    deepStrictEqual(
      [
        await faults(alone),
        await faults({ ...CALL, to: ['anna', 'anna'] }),
        await faults(alone, { gate: { name: 'crm' } }),
        await faults({ prompt: 'Ship?', to: CALL.to, approvals: { count: 2 } }),
      ],
      [few(), few(), few('the setting of the gate "crm" '), nothing],
    );
    await changeSource(p.database, p.sourceId, { approvals: { count: 2 } });
    const { approvals: _own, ...plain } = alone;
    deepStrictEqual(
      [await faults(plain), await faults({ prompt: 'Ship?', to: ['anna'] }), await faults(plain, { yolo: true })],
      [few('the default of this source '), [], []],
    );
    await changeSource(p.database, p.sourceId, { approvals: null });
    deepStrictEqual(await faults(plain), []);
  });

  test('[APR4] who was removed after approving counts no longer, and whom it is asked of later may', async (p) => {
    const id = await p.ask({ ...CALL, to: ['owner', 'anna'], escalate: [{ after: 60, to: ['ben'] }] });
    deepStrictEqual([await say(p, id, p.anna, YES), await say(p, id, p.ben, YES)], [1, 'inquiry.unknown']);
    await removePerson(p.database, p.anna.personId, withdrawAskedOf(p.inquiries));
    strictEqual(await say(p, id, p.phone, YES), 1);
    deepStrictEqual(namesOf(await p.read(id)), ['owner']);
    p.pass(60_000);
    await escalate(p.inquiries, id);
    strictEqual(await say(p, id, p.ben, YES), 'won answered');
  });

  test('[APR4] [RES4] [RES6] at the deadline one of two is no yes: the text says who approved, and a late yes is offered to nobody', async (p) => {
    const id = await p.ask(CALL);
    p.pass(1);
    strictEqual(await say(p, id, p.anna, YES), 1);
    p.pass(600_000);
    deepStrictEqual(await say(p, id, p.ben, YES), 'lost expired');
    await sweep(p.inquiries);
    const { resolution, late } = await p.read(id);
    deepStrictEqual(
      [resolution?.outcome, resolution?.answer, resolution?.text.split('\n').at(-1), late],
      ['expired', undefined, '1 of 2 approved: anna. That approves nothing.', undefined],
    );
    deepStrictEqual(await say(p, id, p.ben, YES, { late: true }), 'lost expired');
    deepStrictEqual([(await p.read(id)).late, await back(p, id, p.anna)], [undefined, 'inquiry.already_resolved']);
    deepStrictEqual(await say(p, id, p.ben, NO, { late: true }), 'lost expired');
    strictEqual((await p.read(id)).late?.length, 1);
  });

  test('[APR4] whatever people do, it is approved once, by so many different people who approved the same', async (p) => {
    const cases: Decision[][] = [YES, edited('1'), edited('2'), [YES[0]!, NO[1]!]];
    const step = fc.tuple(
      fc.nat(3),
      fc.constantFrom('yes', 'yes', 'yes', 'yes', 'back', 'no'),
      fc.nat(cases.length - 1),
    );
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(2, 3), fc.array(step, { minLength: 1, maxLength: 9 }), async (count, steps) => {
        const id = await p.ask({ ...CALL, approvals: { count } });
        // Two of the four are devices of one person.
        const devices = [p.phone, p.laptop, p.anna, p.ben];
        let stands: { variant: number; people: string[] } | undefined;
        let over = '';
        for (const [who, does, variant] of steps) {
          const by = devices[who]!;
          const isMine = stands?.people.includes(by.personId) ?? false;
          let expected: string | number | undefined;
          if (does === 'back') {
            expected = over ? 'inquiry.already_resolved' : isMine ? undefined : 'approval.none';
            if (!over && stands && isMine) {
              const people = stands.people.filter((one) => one !== by.personId);
              stands = people.length > 0 ? { ...stands, people } : undefined;
            }
            deepStrictEqual(await back(p, id, by), expected);
            continue;
          }
          if (over) expected = `lost ${over}`;
          else if (does === 'no') expected = `won ${(over = 'answered')}`;
          else if (stands && [1, 2].includes(stands.variant) && [0, 3].includes(variant)) expected = 'answer.edited';
          else {
            if (stands?.variant !== variant) stands = { variant, people: [by.personId] };
            else if (!isMine) stands = { variant, people: [...stands.people, by.personId] };
            expected = stands.people.length;
            if (expected === count) expected = `won ${(over = 'answered')}`;
          }
          deepStrictEqual(await say(p, id, by, does === 'no' ? NO : cases[variant]!), expected);
        }
        const { approved = [], state } = await p.read(id);
        deepStrictEqual([approved.map(({ by }) => by.personId), state], [stands?.people ?? [], over || 'open']);
      }),
      { numRuns: 60 },
    );
  });

  test('[APR4] [RES1] [race] people who approve on two nodes at once make one resolution, whether somebody takes theirs back or not', async (p) => {
    const nodes = [p.inquiries, anotherNode(p)];
    for (let round = 0; round < 12; round += 1) {
      const id = await p.ask({ ...CALL, approvals: { count: 3 } });
      const { digest } = await p.read(id);
      const body = { digest, decisions: YES };
      const takes = round % 2 === 1;
      if (takes) await answerInquiry(p.inquiries, p.anna, id, body);
      const people = takes ? [p.phone, p.laptop, p.ben] : [p.phone, p.laptop, p.anna, p.ben, p.ben];
      const [taken, ...replies] = await Promise.all([
        takes ? refusedOr(takeBack(nodes[1]!, p.anna, id)) : undefined,
        ...people.map((by, at) => answerInquiry(nodes[at % 2]!, by, id, body)),
      ]);
      const { state, approved = [] } = await p.read(id);
      const wins = replies.filter((one) => typeof one === 'object' && one.won).length;
      const different = new Set(approved.map(({ by }) => by.personId)).size;
      const whole = takes && taken === undefined ? ['open', 0, 2] : ['answered', 1, 3];
      deepStrictEqual([state, wins, different], whole);
      strictEqual(approved.length, different);
    }
  });
}

/** The code of a refusal, else what came of it. */
function refusedOr<T>(work: Promise<T>): Promise<T | string> {
  return work.catch((error: unknown) => {
    if (error instanceof AppError) return error.code;
    throw error;
  });
}

async function versions({ database }: Place): Promise<Map<string, number>> {
  const rows = await database.read.selectFrom('people').select(['id', 'version']).execute();
  return new Map(rows.map(({ id, version }) => [id, version]));
}

/** A person with a device. */
async function addPerson({ database }: Place, handle: string): Promise<Answerer> {
  const row = { id: newId('per', database.clock.now()), handle, name: handle, created_at: 0, locale: null };
  await database.transaction((trx) => trx.insertInto('people').values(row).execute());
  const { deviceId } = await addDevice(database, row.id, 'Phone');
  return { deviceId, deviceName: 'Phone', personId: row.id, handle, via: 'live' };
}
