import { deepStrictEqual, ok, rejects } from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { decodeJwt, decodeProtectedHeader } from 'jose';
import type { Decision } from '#shared/answer.ts';
import type { Ask } from '#shared/inquiry.ts';
import { parseExact } from '#shared/json.ts';
import { addDevice } from '../../devices/admit.ts';
import { ask } from '../../inquiries/ask.ts';
import { readForSource } from '../../inquiries/read.ts';
import type { Place } from '../../inquiries/testing/place.ts';
import { DAY_MS } from '../../platform/clock.ts';
import { testsIn } from '../../platform/testing/tests-in.ts';
import { createSourceForEverybody } from '../../sources/create.ts';
import { digestCall, type Claims } from '../claims.ts';
import { consume, forgetConsumed } from '../consume.ts';
import { readKeySet, renewKeys } from '../keys.ts';
import { checkReceipt, placesOf, signReceipt } from '../receipts.ts';
import { receiptRoutes } from '../routes.ts';
import { serveRoutes } from './serve.ts';

const ISSUER = 'https://hub.test';
const BIG = '{"amount":9007199254740993,"to":"anna"}';
const call = (args: string) => ({
  name: 'pay',
  args: parseExact(args) as never,
  allowed: ['approve', 'edit', 'reject'],
});
const ASK = { actions: [call(BIG), call('{"amount":9007199254740992,"to":"anna"}'), call('{}')], validFor: 100 } as Ask;
const DECISIONS: Decision[] = [{ type: 'approve' }, { type: 'edit', argsText: '{"amount":1.0}' }, { type: 'reject' }];

/** The receipts of resolutions, their keys, and that each call runs once by them; the same on every engine. */
export function receiptsContract(open: (t: TestContext) => Promise<Place>): void {
  const test = testsIn(async (t) => {
    const p = await open(t);
    p.pass(1);
    await renewKeys(p.inquiries, 90);
    return Object.assign(p, { t });
  });
  const signing = (p: Place) => ({ database: p.database, sealingKey: p.inquiries.sealingKey, issuer: ISSUER });
  const sign = async (p: Place, id: string, options = {}) => signReceipt(signing(p), await p.read(id), options);
  const check = async (p: Place, receipt: string, more = {}) =>
    checkReceipt(receipt, { ...(await readKeySet(p)), issuer: ISSUER, now: p.database.clock.now(), ...more });
  const decided = async (p: Place, asked = ASK, decisions = DECISIONS): Promise<string> => {
    const id = await p.ask(asked);
    await p.answer(id, { digest: (await p.read(id)).digest, decisions });
    return id;
  };

  test('[APR2] a receipt says who decided, when it ends, and for each call what was shown and what may run, to the last digit', async (p) => {
    const id = await decided(p);
    const { source, digest, resolution } = await p.read(id);
    const claims = decodeJwt(await sign(p, id));
    const shown = (args: string) => digestCall('pay', parseExact(args));
    const type = 'beckon_call';
    const seconds = (at = '') => Math.floor(Date.parse(at) / 1000);
    deepStrictEqual(claims, {
      iss: ISSUER,
      sub: `person:${p.phone.handle}`,
      acr: 'person',
      amr: ['user'],
      act: { sub: `source:${source.id}` },
      iat: seconds(resolution?.at),
      exp: seconds(resolution?.validUntil),
      jti: `rcp${id.slice(3)}`,
      txn: id,
      outcome: 'answered',
      shown: digest,
      authorization_details: [
        { type, tool: 'pay', shown: shown(BIG), decision: 'approve', run: shown(BIG) },
        {
          type,
          tool: 'pay',
          shown: shown('{"to":"anna","amount":9007199254740992}'),
          decision: 'edit',
          run: shown('{"amount":1.0}'),
        },
        { type, tool: 'pay', shown: shown('{}'), decision: 'reject' },
      ],
    });
    const options = [
      { id: 'once', label: 'Once', type: 'approve' },
      { id: 'never', label: 'Never', type: 'reject' },
    ];
    const own = await decided(p, { actions: [1, 2].map(() => ({ ...call('{}'), options })) } as Ask, [
      { type: 'approve', optionId: 'once' },
      { type: 'reject', optionId: 'never' },
    ]);
    const pressed = decodeJwt<Claims>(await sign(p, own)).authorization_details as { option?: string }[];
    deepStrictEqual(
      pressed.map(({ option }) => option),
      ['once', 'never'],
    );
    ok(shown(BIG) !== shown('{"amount":9007199254740992,"to":"anna"}'), 'numbers above 2^53 are told apart');
    ok(shown('{"amount":1}') !== shown('{"amount":1.0}'), 'and so are numbers that are written otherwise');
  });

  test('[APR2] a receipt is the same text at every reading; ES256 is there for verifiers without EdDSA', async (p) => {
    const id = await decided(p);
    const [first, , es256] = [await sign(p, id), p.pass(DAY_MS / 2), await sign(p, id, { alg: 'ES256' })];
    deepStrictEqual(await sign(p, id), first);
    const header = decodeProtectedHeader(es256);
    deepStrictEqual([header.alg, header.typ], ['ES256', 'beckon-receipt+jwt']);
    const { keys } = await readKeySet(p);
    deepStrictEqual(
      keys.map(({ alg, use, d }) => [alg, use, d]),
      [
        ['EdDSA', 'sig', undefined],
        ['ES256', 'sig', undefined],
      ],
    );
  });

  test('[APR2] a question has a receipt without its words, a secret one without a digest of them, and what nobody decided none', async (p) => {
    const details = async (asked: Ask, answer: object) => {
      const id = await p.ask(asked);
      await p.answer(id, answer);
      const { exp, authorization_details } = decodeJwt(await sign(p, id)) as unknown as Claims;
      return [exp, authorization_details.map(Object.keys)];
    };
    const secret = { id: 'key', type: 'text' as const, prompt: 'The key?', secret: true };
    deepStrictEqual(
      [
        await details({ prompt: 'Which?' }, { text: 'This' }),
        await details({ questions: [secret] }, { values: { key: 'hunter2' } }),
        await details(ASK, { outcome: 'declined' }),
      ],
      [
        [undefined, [['type', 'answer']]],
        [undefined, [['type']]],
        [undefined, ASK.actions?.map(() => ['type', 'tool', 'shown', 'decision'])],
      ],
    );
    await rejects(sign(p, await p.ask({ prompt: 'Still open?' })), { code: 'receipt.none' });
  });

  test('[APR2] a receipt verifies exactly what it says: no flipped byte, no other call, none that is late', async (p) => {
    const receipt = await sign(p, await decided(p));
    const run = async (text: string, args: string, more = {}) => {
      const claims = await check(p, text, more);
      return claims ? placesOf(claims, 'pay', parseExact(args)) : 'refused';
    };
    deepStrictEqual(
      [await run(receipt, BIG), await run(receipt, '{"amount":1.0}'), await run(receipt, '{"amount":1}')],
      [[0], [1], []],
    );
    deepStrictEqual(
      [await run(receipt, '{}'), placesOf((await check(p, receipt))!, 'spend', parseExact(BIG))],
      [[], []],
    );
    for (let at = 0; at < receipt.length; at++) {
      const other = receipt[at] === 'A' ? 'Q' : 'A';
      deepStrictEqual(await run(receipt.slice(0, at) + other + receipt.slice(at + 1), BIG), 'refused', `byte ${at}`);
    }
    const [header = '', payload = '', signature = ''] = receipt.split('.');
    const none = Buffer.from('{"alg":"none","typ":"beckon-receipt+jwt"}').toString('base64url');
    for (const text of [`${none}.${payload}.`, `${header}.${payload}.`, `${header}..${signature}`, '', '…', '..'])
      deepStrictEqual(await run(text, BIG), 'refused', text);
    deepStrictEqual(await run(receipt, BIG, { issuer: 'https://other.test' }), 'refused');
    deepStrictEqual(await run(receipt, BIG, { audience: 'bank' }), 'refused');
    p.pass(100_000);
    deepStrictEqual(await run(receipt, BIG), 'refused');
  });

  test('[APR2] keys are renewed without a gap: the next one is known a day before it signs, older receipts hold', async (p) => {
    const { keys: before } = await readKeySet(p);
    const old = await decided(p, { ...ASK, validFor: 30 * 86_400 });
    const receipt = await sign(p, old);
    p.pass(89 * DAY_MS);
    await Promise.all([renewKeys(p.inquiries, 90), renewKeys(p.inquiries, 90)]);
    const { keys } = await readKeySet(p);
    const used = async () => decodeProtectedHeader(await sign(p, await decided(p))).kid;
    deepStrictEqual([keys.length, keys.slice(2), await used()], [4, before, before[0]?.kid]);
    p.pass(DAY_MS);
    deepStrictEqual([await used(), await sign(p, old)], [keys[0]?.kid, receipt]);
    // Once all that the first pair signed is forgotten, nobody signs with it any more, and it is known all the same.
    p.pass(91 * DAY_MS);
    await renewKeys(p.inquiries, 90);
    await rejects(sign(p, old), { code: 'receipt.none' });
    deepStrictEqual((await readKeySet(p)).keys.slice(-2), before);
  });

  test('[APR2] [race] each call of a receipt runs once, whichever nodes try at once, and a second use is refused', async (p) => {
    const twice = { ...ASK, actions: [call(BIG), call(BIG)] } as Ask;
    const receipt = await sign(p, await decided(p, twice, [{ type: 'approve' }, { type: 'approve' }]));
    const claims = (await check(p, receipt))!;
    const use = () => consume(p.database, claims, placesOf(claims, 'pay', parseExact(BIG)), p.database.clock.now());
    const uses = await Promise.allSettled([1, 2, 3, 4].map(use));
    deepStrictEqual(uses.map(({ status }) => status).toSorted(), ['fulfilled', 'fulfilled', 'rejected', 'rejected']);
    await rejects(use(), { code: 'receipt.used', status: 409 });
    // A clock that was wrong for a while: it says that the receipt ended long ago, and then that it holds.
    p.pass(100_000 + 2 * DAY_MS);
    await forgetConsumed(p.database);
    p.pass(-100_000 - 2 * DAY_MS);
    await rejects(use(), { code: 'receipt.used', status: 409 });
    p.pass(100_000 + 30 * DAY_MS + 1000);
    await forgetConsumed(p.database);
    deepStrictEqual(await p.database.read.selectFrom('consumed_receipts').selectAll().execute(), []);
  });

  test('[APR2] [door] a source reads and uses its own receipts and no other’s; everybody reads the keys', async (p) => {
    const owner = (await p.database.read.selectFrom('sources').select('owner_id').executeTakeFirstOrThrow()).owner_id;
    const other = await createSourceForEverybody(p.database, owner, 'Other agent');
    const { key, source } = await createSourceForEverybody(p.database, owner, 'Agent');
    const { accessToken } = await addDevice(p.database, owner, 'Tablet');
    const url = await serveRoutes(p, (http) =>
      receiptRoutes(http, { database: p.database, sealingKey: p.inquiries.sealingKey, publicUrl: () => ISSUER }),
    );
    const send = async (path: string, token?: string, body?: string) => {
      const headers = {
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      };
      const reply = await fetch(url + path, { headers, ...(body === undefined ? {} : { method: 'POST', body }) });
      const { code, ...said } = (await reply.json()) as { code?: string; receipt?: string; keys?: object[] };
      return { ...said, status: code ?? reply.status };
    };
    const { inquiryId: id } = await ask(p.inquiries, { sourceId: source.id, ask: ASK, waitMs: 0 });
    const { digest } = await readForSource(p.inquiries, id, source.id);
    await p.answer(id, { digest, decisions: DECISIONS });
    const path = `/v1/inquiries/${id}/receipt`;
    const { receipt = '' } = await send(path, key);
    deepStrictEqual(
      [
        (await send('/.well-known/jwks.json')).keys?.length,
        (await send(path, accessToken)).receipt,
        (await send(path, other.key)).status,
        (await send(path)).status,
        (await send('/v1/inquiries/inq_01k9zq4m2v7c3h8x5t6r0n1d2e/receipt', key)).status,
      ],
      [2, receipt, 'inquiry.unknown', 'credential.missing', 'inquiry.unknown'],
    );
    const use = async (args: string, token = key, text = receipt) =>
      (await send('/v1/receipts/consume', token, `{"receipt":"${text}","tool":"pay","args":${args}}`)).status;
    deepStrictEqual(
      [
        await use(BIG, other.key),
        await use('{"amount":9007199254740992,"to":"anna"}'),
        await use(BIG, key, `${receipt}x`),
        await use(BIG, accessToken),
        await use(BIG),
        await use(BIG),
        await use('{"amount":1.0}'),
      ],
      ['receipt.refused', 'receipt.refused', 'receipt.refused', 'credential.wrong_kind', 200, 'receipt.used', 200],
    );
  });
}
