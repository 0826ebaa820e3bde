import { deepStrictEqual, rejects, strictEqual } from 'node:assert/strict';
import type { TestContext } from 'node:test';
import type { AnswerBody, Decision } from '#shared/answer.ts';
import { newId } from '#shared/ids.ts';
import type { Ask } from '#shared/inquiry.ts';
import type { AppError } from '#shared/problem.ts';
import type { Rule } from '#shared/policies/rule.ts';
import { putPolicies, readPolicies } from '../../automation/rules/change.ts';
import { addDevice } from '../../devices/admit.ts';
import { creationOptions, requestOptions } from '../../people/passkeys/options.ts';
import { relyingOn } from '../../people/passkeys/relying.ts';
import { requireFor } from '../../people/passkeys/scopes.ts';
import { addPasskey, renewCodes } from '../../people/passkeys/store.ts';
import {
  createAuthenticator,
  strangeKey,
  type Authenticator,
  type Lie,
} from '../../people/passkeys/testing/authenticator.ts';
import { verifyNew, verifyProof } from '../../people/passkeys/verify.ts';
import { testsIn } from '../../platform/testing/tests-in.ts';
import { DAY_MS } from '../../platform/clock.ts';
import { answerInquiry } from '../answer.ts';
import type { Answerer } from '../answerer.ts';
import { ask } from '../ask.ts';
import { challengeAnswer } from '../assured.ts';
import type { Place } from './place.ts';

const HUB = 'https://hub.test';
const here = relyingOn(HUB) as { rpId: string; origin: string };
const CALL: Ask = {
  assurance: 'passkey',
  actions: [
    { name: 'drop', args: { rows: 3 }, allowed: ['approve', 'edit', 'reject', 'respond'] },
    { name: 'drop', args: { rows: 4 }, allowed: ['approve', 'edit', 'reject', 'respond'] },
  ],
};
const APPROVE: Decision[] = [{ type: 'approve' }, { type: 'approve' }];
const REJECT: Decision[] = [{ type: 'reject' }, { type: 'reject' }];

/** That a yes which wants a passkey is this yes of this person; the same on every engine. */
export function assuredContract(open: (t: TestContext) => Promise<Place>): void {
  const test = testsIn(async (t) => {
    const place = await open(t);
    const own = await addPasskeyTo(place, place.phone);
    return { ...place, own };
  });
  type Scene = Place & { own: Authenticator };
  const asked = async (p: Place, wanted: Ask = CALL) => {
    const id = await p.ask(wanted);
    const { digest } = await p.read(id);
    const yes = (decisions = APPROVE): AnswerBody => ({ digest, decisions });
    return { id, yes };
  };
  /** An answer with what a passkey signed of it, or of another. */
  async function signed(
    p: Scene,
    id: string,
    body: AnswerBody,
    {
      by = p.phone,
      own = p.own,
      lie,
      of = body,
    }: { by?: Answerer; own?: Authenticator; lie?: Lie; of?: AnswerBody } = {},
  ): Promise<AnswerBody> {
    return { ...body, assertion: own.sign(await challengeAnswer(p.inquiries, by, id, of), lie) };
  }
  const code = async (reply: Promise<unknown>) =>
    reply.then(
      () => 'won',
      (error: AppError) => error.code,
    );

  test('[APR3] a yes counts when its person signed it, and shows how; without it the inquiry stays open, and a no needs nothing', async (p) => {
    const { id, yes } = await asked(p);
    strictEqual(await code(p.answer(id, yes())), 'answer.needs_passkey');
    strictEqual(await code(p.answer(id, { ...yes(), via: 'notification' })), 'answer.needs_passkey');
    for (const decisions of [
      [APPROVE[0], REJECT[1]],
      [{ type: 'edit', args: {} }, REJECT[1]],
      [REJECT[0], { type: 'respond', message: 'Do it yourself.' }],
    ] as Decision[][])
      strictEqual(await code(p.answer(id, yes(decisions))), 'answer.needs_passkey');
    strictEqual((await p.read(id)).state, 'open');
    const { won, resolution } = await p.answer(id, await signed(p, id, yes()));
    deepStrictEqual([won, resolution.by], [true, { ...resolution.by, kind: 'person', amr: ['swk', 'user'] }]);
    const no = await asked(p);
    const { amr: _shown, ...by } = resolution.by as { amr?: string[] };
    deepStrictEqual((await p.answer(no.id, no.yes(REJECT))).resolution.by, by);
    const declined = await asked(p);
    strictEqual((await p.answer(declined.id, { outcome: 'declined' })).won, true);
    const key = await addPasskeyTo(p, p.phone, { synced: false });
    const question = await asked(p, { prompt: 'Which?', assurance: 'passkey' });
    strictEqual(await code(p.answer(question.id, { response: 'All' })), 'answer.needs_passkey');
    // The same words, whichever way they are written.
    const body = await signed(p, question.id, { response: 'All' }, { own: key, of: { text: 'All' } });
    deepStrictEqual((await p.answer(question.id, body)).resolution.by, { ...resolution.by, amr: ['hwk', 'user'] });
  });

  test('[APR3] nothing but what was signed is answered: not another inquiry, answer, argument, person, device, key, page or time', async (p) => {
    const { id, yes } = await asked(p);
    const other = await asked(p);
    const edit = (argsText: string): Decision[] => [{ type: 'edit', argsText }, { type: 'approve' }];
    const refused = async (body: AnswerBody, by?: Answerer) =>
      strictEqual(await code(p.answer(id, body, by)), 'passkey.refused', JSON.stringify(body));
    await refused({ ...yes(), assertion: (await signed(p, other.id, other.yes())).assertion });
    await refused(await signed(p, id, yes(), { of: yes(REJECT) }));
    await refused(await signed(p, id, yes(), { of: { outcome: 'declined' } }));
    await refused(await signed(p, id, yes(), { of: yes([{ type: 'approve' }, { type: 'reject' }]) }));
    await refused(
      await signed(p, id, yes(edit('{"rows":9007199254740993}')), { of: yes(edit('{"rows":9007199254740992}')) }),
    );
    await refused(await signed(p, id, yes(edit('{"rows":1}')), { of: yes(edit('{"rows":2}')) }));
    await refused(await signed(p, id, yes(edit('{"rows":1}')), { of: yes() }));
    await refused({ ...yes(), code: 'nothing' });
    await refused({ ...yes(), assertion: {} });
    for (const lie of [
      { verified: false },
      { present: false },
      { key: strangeKey() },
      { origin: 'https://hub.test.evil.example' },
      { rpId: 'test' },
      { type: 'webauthn.create' },
      { challenge: Buffer.alloc(64).toString('base64url') },
      { userHandle: 'AAAA' },
    ])
      await refused(await signed(p, id, yes(), { lie }));
    await refused(await signed(p, id, yes(), { by: p.laptop }));
    await refused(await signed(p, id, yes()), p.laptop);
    await refused(await signed(p, id, yes(), { own: createAuthenticator(HUB) }));
    const late = await signed(p, id, yes());
    p.pass(60_000);
    await refused(late);
    const early = await signed(p, id, yes());
    p.pass(-DAY_MS);
    await refused(early);
    p.pass(DAY_MS);
    strictEqual((await p.read(id)).state, 'open');
    strictEqual((await p.answer(id, await signed(p, id, yes(edit('{"rows":9007199254740993}'))))).won, true);
  });

  test('[APR3] a passkey of another person, one that was removed, and one whose counter goes back are refused', async (p) => {
    const mara = await another(p, 'mara');
    const hers = await addPasskeyTo(p, mara);
    const { id, yes } = await asked(p, { ...CALL, to: ['owner', 'mara'] });
    strictEqual(await code(p.answer(id, await signed(p, id, yes(), { own: hers }))), 'passkey.refused');
    strictEqual(await code(p.answer(id, await signed(p, id, yes(), { by: mara, own: hers }))), 'passkey.refused');
    const key = await addPasskeyTo(p, p.phone, { synced: false });
    const first = await asked(p);
    await p.answer(first.id, await signed(p, first.id, first.yes(), { own: key, lie: { counter: 9 } }));
    for (const counter of [9, 3, 0])
      strictEqual(
        await code(p.answer(id, await signed(p, id, yes(), { own: key, lie: { counter } }))),
        'passkey.refused',
      );
    const late = await signed(p, id, yes(), { own: key, lie: { counter: 10 } });
    await p.database.transaction((trx) =>
      trx.deleteFrom('passkeys').where('device_type', '=', 'singleDevice').execute(),
    );
    strictEqual(await code(p.answer(id, late)), 'passkey.refused');
    strictEqual((await p.answer(id, await signed(p, id, yes(), { by: mara, own: hers }), mara)).won, true);
  });

  test('[APR3] [race] what was signed counts once: sent twice, or beside a removal of its passkey or a higher counter', async (p) => {
    const key = await addPasskeyTo(p, p.phone, { synced: false });
    for (let round = 0; round < 4; round++) {
      const [one, two] = [await asked(p), await asked(p)];
      const body = await signed(p, one.id, one.yes());
      const replies = await Promise.all([1, 2, 3].map(() => code(p.answer(one.id, body))));
      deepStrictEqual(replies.toSorted(), ['passkey.refused', 'passkey.refused', 'won']);
      // Two at one moment: of one counter, or of a lower one behind a higher one, one counts.
      const counter = 100 * (round + 1);
      const both = [
        await signed(p, two.id, two.yes(), { own: key, lie: { counter } }),
        await signed(p, two.id, two.yes(), { own: key, lie: { counter } }),
      ];
      const raced = await Promise.all(both.map((each) => code(p.answer(two.id, each))));
      deepStrictEqual(raced.filter((each) => each === 'won').length, 1, String(raced));
    }
    const { id, yes } = await asked(p);
    const again = { ...(await signed(p, id, yes())), answerId: 'a' };
    const [first, ...others] = await Promise.all([1, 2, 3].map(() => p.answer(id, again)));
    deepStrictEqual([first?.won, others, await p.answer(id, again)], [true, [first, first], first]);
  });

  test('[APR3] a printed code stands in for a passkey once, whatever races', async (p) => {
    const signer = { personId: p.phone.personId, deviceId: p.phone.deviceId };
    const [printed = ''] = await renewCodes(p.database, signer, await proofOf(p));
    const [one, two] = [await asked(p), await asked(p)];
    const replies = await Promise.all([one, two].map(({ id, yes }) => code(p.answer(id, { ...yes(), code: printed }))));
    deepStrictEqual(replies.toSorted(), ['passkey.refused', 'won']);
    const won = replies[0] === 'won' ? one : two;
    const { by } = (await p.read(won.id)).resolution ?? {};
    deepStrictEqual(by?.kind === 'person' && by.amr, ['otp', 'user']);
  });

  test('[APR3] [RES2] a code that is wrong or used is refused with an answerId too, and a twin has its first reply', async (p) => {
    const signer = { personId: p.phone.personId, deviceId: p.phone.deviceId };
    const [printed = '', second = ''] = await renewCodes(p.database, signer, await proofOf(p));
    const [one, two] = [await asked(p), await asked(p)];
    const wrong = { ...two.yes(), code: 'AAAA-AAAA-AAAA-AAAA', answerId: 'w' };
    deepStrictEqual(await Promise.all([1, 2].map(() => code(p.answer(two.id, wrong)))), [
      'passkey.refused',
      'passkey.refused',
    ]);
    const racing = [one, two].map(({ id, yes }, at) => p.answer(id, { ...yes(), code: printed, answerId: `r${at}` }));
    deepStrictEqual((await Promise.all(racing.map(code))).toSorted(), ['passkey.refused', 'won']);
    const three = await asked(p);
    const same = { ...three.yes(), code: second, answerId: 't' };
    const [first, twin] = await Promise.all([1, 2].map(() => p.answer(three.id, same)));
    deepStrictEqual([first?.won, twin], [true, first]);
  });

  test('[APR3] a late yes has to be signed too, and whoever lost is told who won', async (p) => {
    const { id, yes } = await asked(p, { ...CALL, deadline: 60 });
    const [printed = '', second = ''] = await renewCodes(p.database, p.phone, await proofOf(p));
    const done = await asked(p);
    await p.answer(done.id, await signed(p, done.id, done.yes()));
    const lost = await p.answer(done.id, done.yes(), p.laptop);
    deepStrictEqual([lost.won, lost.resolution.outcome], [false, 'answered']);
    strictEqual(await code(p.answer(done.id, { ...done.yes(), late: true }, p.laptop)), 'answer.needs_passkey');
    p.pass(61_000);
    strictEqual(await code(p.answer(id, yes())), 'answer.needs_passkey');
    strictEqual(await code(p.answer(id, { ...yes(), late: true })), 'answer.needs_passkey');
    await p.answer(id, { ...yes(), code: printed });
    await p.answer(id, await signed(p, id, { ...yes(), late: true }));
    strictEqual(await code(p.answer(id, { ...yes(), code: printed })), 'passkey.refused');
    await rejects(challengeAnswer(p.inquiries, p.phone, id, yes()), { code: 'inquiry.already_resolved' });
    const { late = [] } = await p.read(id);
    deepStrictEqual(
      late.map(({ by }) => by.kind === 'person' && by.amr),
      [
        ['otp', 'user'],
        ['swk', 'user'],
      ],
    );
    strictEqual(second.length, 19);
  });

  test('[APR3] no agent answers yes in a person’s name, and no rule stands in; both say no', async (p) => {
    const { id, yes } = await asked(p);
    const agent: Answerer = { ...p.phone, via: 'mcp' };
    strictEqual(await code(p.answer(id, await signed(p, id, yes()), agent)), 'answer.needs_passkey');
    strictEqual((await p.answer(id, yes(REJECT), agent)).won, true);
    const rule = (then: Rule['then']): Rule => ({ name: 'All', when: { tool: 'drop' }, then }) as Rule;
    const own = { of: 'person' as const, personId: p.phone.personId };
    const states = async (then: Rule['then']) => {
      const { version } = await readPolicies(p.database, own);
      await putPolicies(p.database, own, { version, rules: [rule(then)] }, p.phone.deviceId);
      const states: string[] = [];
      for (const wanted of [CALL, { ...CALL, assurance: 'tap' as const }]) {
        const { inquiryId } = await ask(p.inquiries, { sourceId: p.sourceId, ask: wanted, waitMs: 0 });
        states.push((await p.read(inquiryId)).state);
      }
      return states;
    };
    deepStrictEqual(
      [await states('approve'), await states({ reject: 'No.' })],
      [
        ['open', 'answered'],
        ['answered', 'answered'],
      ],
    );
    // What the owner wants holds against the rules too.
    await addPasskeyTo(p, p.phone);
    await requireFor(p.database, `source ${p.sourceId}`, p.phone);
    deepStrictEqual(
      [await states('approve'), await states({ reject: 'No.' })],
      [
        ['open', 'open'],
        ['answered', 'answered'],
      ],
    );
  });

  test('[APR3] [APR4] where several people approve, each signs their own yes', async (p) => {
    const mara = await another(p, 'mara');
    const own = await addPasskeyTo(p, mara);
    const { id, yes } = await asked(p, { ...CALL, to: ['owner', 'mara'], approvals: { count: 2 } });
    const first = await answerInquiry(p.inquiries, p.phone, id, await signed(p, id, yes()));
    strictEqual('inquiry' in first && first.inquiry.approved?.length, 1);
    const says = async (body: AnswerBody) => code(p.answer(id, body, mara));
    strictEqual(await says(yes()), 'answer.needs_passkey');
    strictEqual(await says(await signed(p, id, yes())), 'passkey.refused');
    strictEqual(await says(await signed(p, id, yes(), { by: mara, own })), 'won');
    const { approved = [], state } = await p.read(id);
    deepStrictEqual(
      [state, approved.map(({ by }) => [by.handle, by.amr?.length])],
      [
        'answered',
        [
          ['owner', 2],
          ['mara', 2],
        ],
      ],
    );
  });

  test('[APR3] the owner wants it of cautions, a source or a gate, from then on; an ask may want it where somebody has one', async (p) => {
    const second = await addPasskeyTo(p, p.phone);
    const wants = async (wanted: Ask, gate?: string) => {
      const command = { sourceId: p.sourceId, ask: wanted, waitMs: 0, ...(gate ? { gate: { name: gate } } : {}) };
      const { assurance, assuredBy } = await p.read((await ask(p.inquiries, command)).inquiryId);
      return [assurance, assuredBy];
    };
    const tap: Ask = { actions: [{ name: 'read', args: {}, allowed: ['approve'] }], assurance: 'tap' };
    const caution: Ask = { actions: [{ name: 'drop', args: {}, allowed: ['approve'], caution: true }] };
    const [before] = [await wants(caution)];
    await requireFor(p.database, 'caution', p.phone);
    await requireFor(p.database, 'gate crm', p.phone);
    const some = [await wants(tap), await wants(caution), await wants(tap, 'crm'), await wants(tap, 'other')];
    await requireFor(p.database, `source ${p.sourceId}`, p.phone);
    const all = [await wants(tap), await wants({ prompt: 'Which?' })];
    const owner = ['passkey', 'owner'];
    deepStrictEqual(
      [before, some, all],
      [
        [undefined, undefined],
        [['tap', undefined], owner, owner, ['tap', undefined]],
        [owner, [undefined, undefined]],
      ],
    );
    await another(p, 'mara');
    const faults = async (wanted: Ask) =>
      p.ask(wanted).then(
        () => [],
        (error: AppError) => error.faults?.map((fault) => [fault.path, fault.code]),
      );
    deepStrictEqual(await faults({ ...CALL, to: ['mara'] }), [['/assurance', 'ask.no_passkey']]);
    deepStrictEqual(
      await faults({ prompt: 'Which?', suggested: { text: 'a' }, onExpire: 'suggested', assurance: 'passkey' }),
      [['/onExpire', 'ask.suggested_passkey']],
    );
    // What the owner wants is asked all the same.
    strictEqual((await p.read(await p.ask({ ...caution, to: ['mara'] }))).state, 'open');
    strictEqual(second.id.length, 22);
  });
}

/** A further passkey of whoever holds this device. */
export async function addPasskeyTo(p: Place, by: Answerer, { synced = true } = {}): Promise<Authenticator> {
  const own = createAuthenticator(HUB, { synced });
  const { personId, deviceId } = by;
  const person = { id: personId, handle: by.handle, name: by.handle };
  const made = own.make(await creationOptions(p.database, here, { personId, deviceId }, person));
  await addPasskey(p.database, { personId, deviceId }, 'Key', await verifyNew(p.database, here, by, made));
  return own;
}

/** Another person with a device. */
async function another(p: Place, handle: string): Promise<Answerer> {
  const id = newId('per', p.database.clock.now());
  const row = { id, handle, name: handle, owner: 0, created_at: 0 };
  await p.database.transaction((trx) => trx.insertInto('people').values(row).execute());
  const { deviceId } = await addDevice(p.database, id, 'Phone');
  return { ...p.phone, personId: id, handle, deviceId };
}

/** What shows that the owner wants new codes. */
export async function proofOf(p: Place & { own: Authenticator }) {
  const { personId, deviceId } = p.phone;
  const options = await requestOptions(p.database, here, { personId, deviceId }, { does: 'codes' });
  const assertion = p.own.sign(options);
  return verifyProof(p.database, relyingOn(HUB), { personId, deviceId }, { does: 'codes' }, { assertion });
}
