import { deepStrictEqual } from 'node:assert/strict';
import { after, before, describe, test, type TestContext } from 'node:test';
import fc from 'fast-check';
import { CompactEncrypt, exportSPKI, generateKeyPair, importJWK, SignJWT, type CryptoKey, type JWTPayload } from 'jose';
import type { Resolution } from '#shared/answer.ts';
import { openPlace } from '../../inquiries/testing/place.ts';
import { toStatus } from './request.ts';
import { SENT, SUBJECT } from './testing/realm.ts';
import { openScene } from './testing/scene.ts';

type Scene = Awaited<ReturnType<typeof openScene>>;

describe('requests that no realm made, or not so', () => {
  let s: Scene;
  let mallory: CryptoKey;
  const closing: (() => unknown)[] = [];
  const close: Pick<TestContext, 'after'> = { after: (run) => void closing.unshift(run as () => unknown) };
  before(async () => {
    const { place, close: closePlace } = await openPlace();
    closing.push(closePlace);
    s = await openScene(close as TestContext, place);
    mallory = (await generateKeyPair('RS256')).privateKey;
  });
  after(async () => {
    for (const run of closing) await run();
  });

  const now = (): number => s.database.clock.now();
  const signed = (header: object, key: CryptoKey | Uint8Array = mallory, changed: JWTPayload = {}): Promise<string> =>
    new SignJWT({
      iss: s.realm.issuer,
      aud: s.realm.issuer,
      sub: SUBJECT,
      azp: 'till',
      typ: 'Bearer',
      jti: 'x',
      ...changed,
    })
      .setExpirationTime(Math.floor(now() / 1000) + 120)
      .setProtectedHeader({ alg: 'RS256', kid: 'realm-key', ...header })
      .sign(key);
  const own = (changed: Record<string, unknown>, header = {}) => s.realm.token('x', now(), changed, header);
  const part = (value: unknown) =>
    Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)).toString('base64url');

  const TOKENS: Record<string, () => Promise<string> | string> = {
    'none at all': () => '',
    'no JWT': () => 'bks_not-a-token',
    'a long one': () => 'a'.repeat(12_000),
    'two in one': async () => `${await own({})},${await own({})}`,
    'alg none': async () => `${part({ alg: 'none' })}.${(await own({})).split('.')[1]}.`,
    'alg None with its signature': async () =>
      `${part({ alg: 'None', kid: 'realm-key' })}.${(await own({})).split('.').slice(1).join('.')}`,
    'the public key as a shared secret': async () => {
      const key = (await importJWK(s.realm.jwk, 'RS256', { extractable: true })) as CryptoKey;
      return signed({ alg: 'HS256' }, Buffer.from(await exportSPKI(key)));
    },
    'the modulus as a shared secret': () => signed({ alg: 'HS512' }, Buffer.from(s.realm.jwk.n ?? '', 'base64url')),
    'a key of its own under the kid of the realm': () => signed({}),
    'a key of its own without a kid': () => signed({ kid: undefined }),
    'a kid that is a path': () => signed({ kid: '../../../../dev/null' }),
    'a kid that is a statement': () => signed({ kid: "' union select 'key' --" }),
    'a kid that every object has': () => signed({ kid: '__proto__' }),
    'its key in the header': () => signed({ jwk: { ...s.realm.jwk, n: 'AQAB' } }),
    'its keys at an address': () => signed({ jku: 'http://127.0.0.1:1/keys', x5u: 'http://127.0.0.1:1/cert' }),
    'an extension that has to be understood': () => own({}, { crit: ['b64'], b64: false }).catch(() => 'unsigned'),
    'another issuer': () => own({ iss: 'https://evil.example/realms/main' }),
    'an issuer with a slash more': () => own({ iss: `${s.realm.issuer}/` }),
    'several issuers': () => own({ iss: [s.realm.issuer] }),
    'no issuer': () => own({ iss: undefined }),
    'another audience': () => own({ aud: 'beckon' }),
    'a second audience, as access tokens have': () => own({ aud: [s.realm.issuer, 'account'] }),
    'a registration token of the realm': () => own({ typ: 'RegistrationAccessToken' }),
    'a refresh token of the realm': () => own({ typ: 'Refresh' }),
    'no typ': () => own({ typ: undefined }),
    'one that ran out': () => own({ exp: Math.floor(now() / 1000) - 1 }),
    'one that never runs out': () => own({ exp: undefined }),
    'an end that is text': () => own({ exp: '9999999999' }),
    'one that begins later': () => own({ nbf: Math.floor(now() / 1000) + 60 }),
    'no id': () => own({ jti: undefined }),
    'an empty id': () => own({ jti: '' }),
    'an id that is a number': () => own({ jti: 5 }),
    'a long id': () => own({ jti: 'j'.repeat(201) }),
    'no client': () => own({ azp: undefined }),
    'a client that turns text around': () => own({ azp: 'till\u202Elive' }),
    'no user': () => own({ sub: undefined }),
    'an encrypted one': async () =>
      new CompactEncrypt(Buffer.from(await own({})))
        .setProtectedHeader({ alg: 'RSA-OAEP-256', enc: 'A256GCM' })
        .encrypt(await importJWK({ ...s.realm.jwk, alg: 'RSA-OAEP-256', use: 'enc' })),
  };
  for (const [what, make] of Object.entries(TOKENS))
    test(`[CIB1] a request is refused that comes with ${what}`, async () => {
      const token = await make();
      deepStrictEqual([await s.send(token), await s.send(token, 'not JSON')], [401, 401]);
      deepStrictEqual(await s.open(), []);
    });

  const BODIES: [what: string, status: number, body: unknown][] = [
    ['nobody', 422, { ...SENT, login_hint: undefined }],
    ['an empty name', 422, { ...SENT, login_hint: '' }],
    ['a name that nobody sees', 422, { ...SENT, login_hint: 'anna\u200B' }],
    ['several names', 422, { ...SENT, login_hint: ['anna'] }],
    ['a binding message with a space', 422, { ...SENT, binding_message: 'W4 SCT' }],
    ['a binding message in Markdown', 422, { ...SENT, binding_message: '`](x' }],
    ['a binding message over two lines', 422, { ...SENT, binding_message: 'W4\n' }],
    ['a long binding message', 422, { ...SENT, binding_message: 'W'.repeat(51) }],
    ['a consent that is a word', 422, { ...SENT, is_consent_required: 'yes' }],
    ['a list', 422, [SENT]],
    ['a text', 422, '"anna"'],
    ['nothing', 422, 'null'],
    ['half of it', 400, '{"login_hint":"anna"'],
    ['more than fits', 413, { ...SENT, more: 'x'.repeat(16_384) }],
  ];
  for (const [what, status, body] of BODIES)
    test(`[CIB1] a request of the realm is refused whose body is ${what}`, async () => {
      deepStrictEqual(await s.send(await own({}), body), status);
      deepStrictEqual(await s.open(), []);
    });

  test('[CIB1] a request that holds for longer than a day is refused: its id could be forgotten before', async () => {
    deepStrictEqual(await s.send(await own({ exp: Math.floor(now() / 1000) + 86_500 })), 422);
    deepStrictEqual(await s.open(), []);
  });

  test('[CIB1] no flipped bit of a token asks anybody', async () => {
    const parts = (await own({})).split('.').map((text) => Buffer.from(text, 'base64url'));
    await fc.assert(
      fc.asyncProperty(fc.nat(2), fc.nat(), fc.nat(7), async (which, at, bit) => {
        const flipped = parts.map((bytes) => Buffer.from(bytes));
        const bytes = flipped[which]!;
        bytes[at % bytes.length]! ^= 1 << bit;
        deepStrictEqual(await s.send(flipped.map((one) => one.toString('base64url')).join('.')), 401);
      }),
      { seed: 1, numRuns: 200 },
    );
    deepStrictEqual(await s.open(), []);
  });

  test('[CIB1] whatever stands in the body of the realm is asked or refused, and never answered yes by itself', async () => {
    const members = fc.constantFrom(
      'login_hint',
      'binding_message',
      'is_consent_required',
      'acr_values',
      'scope',
      '__proto__',
      'x',
    );
    const values = fc.oneof(
      fc.string(),
      fc.jsonValue({ maxDepth: 2 }),
      fc.constantFrom('anna', 'phr', 'constructor toString `'),
    );
    let nth = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(members, values), { maxLength: 3 }), async (changes) => {
        const body = JSON.stringify({ ...SENT, ...Object.fromEntries(changes) });
        const status = await s.send(await s.realm.token(`drawn-${nth++}`, now()), body);
        deepStrictEqual([201, 400, 409, 422].includes(status), true, `${status}: ${body}`);
        for (const asked of await s.open()) {
          deepStrictEqual([asked.to, asked.actions?.length], [[s.phone.handle], 1]);
          await s.decide(asked, 'reject');
        }
      }),
      { seed: 1, numRuns: 200 },
    );
    await s.node().runDue();
    deepStrictEqual(new Set(s.realm.heard), new Set(['CANCELLED']));
  });

  test('[CIB1] keys that redirect, are too many or no JSON ask nobody', async () => {
    for (const serve of [
      (reply) => reply.writeHead(302, { location: '/elsewhere' }).end(JSON.stringify({ keys: [s.realm.jwk] })),
      (reply) => reply.end(JSON.stringify({ keys: [s.realm.jwk], more: 'x'.repeat(300_000) })),
      (reply) => reply.end('<html>'),
      (reply) => reply.writeHead(204).end(),
    ] as (typeof s.realm.serve.keys)[]) {
      const other = await openScene(close as TestContext, (await openOther()).place);
      other.realm.serve.keys = serve;
      deepStrictEqual(await other.send(await other.realm.token('x', now())), 401);
      deepStrictEqual(await other.open(), []);
    }
  });

  async function openOther() {
    const opened = await openPlace();
    closing.push(opened.close);
    return opened;
  }
});

test('[CIB1] only the yes of a person is a yes, whoever or whatever else decided', () => {
  const decided = (kind: string, outcome: string, ...types: string[]) =>
    toStatus({
      resolution: {
        outcome,
        by: { kind },
        answer: { decisions: types.map((type) => ({ type })) },
      } as unknown as Resolution,
    });
  deepStrictEqual(
    [
      decided('person', 'answered', 'approve'),
      decided('person', 'answered', 'reject'),
      decided('person', 'answered'),
      decided('person', 'answered', 'edit'),
      decided('person', 'answered', 'approve', 'approve'),
      decided('person', 'declined', 'approve'),
      ...['policy', 'yolo', 'decider', 'deadline', 'source'].map((kind) => decided(kind, 'answered', 'approve')),
      toStatus({}),
    ],
    [
      'SUCCEED',
      'CANCELLED',
      'CANCELLED',
      'CANCELLED',
      'CANCELLED',
      'CANCELLED',
      ...Array<string>(6).fill('UNAUTHORIZED'),
    ],
  );
});
