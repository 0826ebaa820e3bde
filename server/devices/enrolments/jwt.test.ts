import { deepStrictEqual, rejects, strictEqual } from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, test } from 'node:test';
import { exportJWK, generateKeyPair, SignJWT, UnsecuredJWT, type CryptoKey } from 'jose';
import type { Enrolled } from '#shared/schemas/enrolments.ts';
import type { TrustedIssuer } from '../../platform/settings.ts';
import { tieAccount } from '../../people/store.ts';
import { openScene, type Scene } from '../testing/scene.ts';

const ISSUER = 'https://login.example';
const AUDIENCE = 'beckon';

let key: CryptoKey;
let anotherKey: CryptoKey;
let jwksUrl = '';
const server = createServer();

before(async () => {
  const pair = await generateKeyPair('ES256');
  key = pair.privateKey;
  anotherKey = (await generateKeyPair('ES256')).privateKey;
  const jwks = JSON.stringify({
    keys: [{ ...(await exportJWK(pair.publicKey)), kid: 'one', alg: 'ES256', use: 'sig' }],
  });
  server.on('request', (_request, reply) => reply.setHeader('content-type', 'application/json').end(jwks));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  jwksUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/jwks`;
});

after(() => server.close());

test('a JWT of a trusted issuer lets a device in for the person to whom the owner tied its account', async (context) => {
  const scene = await openScene(context, { issuers: [trusted()] });
  const account = { issuer: ISSUER, subject: '42' };
  await tieAccount(scene.database, scene.owner.id, account);
  for (const claims of [{ sub: '42' }, { sub: '42', preferred_username: 'somebody' }]) {
    const { status, body } = await redeem(scene, await sign(claims));
    deepStrictEqual([status, body.person.id], [200, scene.owner.id]);
    deepStrictEqual(scene.announced.at(-1)?.slice(0, 2), ['enrolled', scene.owner.id]);
  }
});

test('[SEC1] an account that calls itself like somebody here is let in by nobody but the owner', async (context) => {
  const scene = await openScene(context, { issuers: [trusted()] });
  const tie = 'Its account is tied to no person here; the owner does that once: beckon person tie HANDLE';
  await tieAccount(scene.database, scene.owner.id, { issuer: 'https://other.example', subject: '7' });
  for (const [sub, written] of [
    ['7', '7'],
    ['owner', 'owner'],
    ["7'; x", "'7'\\''; x'"],
  ] as const)
    strictEqual(await refusal(scene, await sign({ sub, preferred_username: 'owner' })), `${tie} ${ISSUER} ${written}`);
  strictEqual(await refusal(scene, await sign({ sub: 'a\u202eb' })), 'Its "sub" holds characters that nobody sees.');
  deepStrictEqual(scene.announced, []);
});

test('of several audiences of one issuer the refusal says what is wrong for the one that a JWT is for', async (context) => {
  const scene = await openScene(context, { issuers: [trusted(), { ...trusted(), audience: 'chat' }] });
  strictEqual(await refusal(scene, await sign({ sub: '42' }, { expiresAt: 1 })), 'It ran out.');
});

test('an account is one person’s, and a person has one, until the owner replaces it', async (context) => {
  const scene = await openScene(context, { issuers: [trusted()] });
  const { database } = scene;
  const bob = { id: 'per_bob', handle: 'bob', name: 'Bob', created_at: 0 };
  await database.transaction((trx) => trx.insertInto('people').values(bob).execute());
  const [one, other] = ['1', '2'].map((subject) => ({ issuer: ISSUER, subject })) as [Account, Account];
  await tieAccount(database, scene.owner.id, one);
  await tieAccount(database, scene.owner.id, one);
  const tied = {
    code: 'account.tied',
    message: `"owner" is tied to 1 at ${ISSUER} already; --replace takes that back.`,
  };
  await rejects(tieAccount(database, bob.id, one), tied);
  await rejects(tieAccount(database, scene.owner.id, other), tied);
  await tieAccount(database, bob.id, { ...one, replace: true });
  const { body } = await redeem(scene, await sign({ sub: '1' }));
  strictEqual(body.person.id, bob.id);
});

test('another claim names the account where the operator says so', async (context) => {
  const scene = await openScene(context, { issuers: [{ ...trusted(), subjectClaim: 'oid' }] });
  await tieAccount(scene.database, scene.owner.id, { issuer: ISSUER, subject: '42' });
  strictEqual((await redeem(scene, await sign({ oid: '42' }))).status, 200);
  strictEqual(await refusal(scene, await sign({ sub: '42' })), 'It names nobody: its "oid" is missing.');
});

test('[SEC1] a JWT that is not wholly right lets nobody in, and says why', async (context) => {
  const scene = await openScene(context, { issuers: [trusted()] });
  const now = Math.floor(Date.now() / 1000);
  const claims = { sub: 'owner' };
  const refusals: [string, string][] = [
    ['nonsense', 'It is not a JWT, or names no issuer.'],
    [await sign(claims, { issuer: 'https://evil.example' }), 'This hub does not trust its issuer.'],
    [await sign(claims, { audience: 'mail' }), 'Its "aud" is missing or not what this hub expects.'],
    [await sign(claims, { expiresAt: now - 60 }), 'It ran out.'],
    [await sign(claims, { expiresAt: undefined }), 'Its "exp" is missing or not what this hub expects.'],
    [await sign(claims, { key: anotherKey }), 'Its signature is not right.'],
    [await sign(claims, { kid: 'two' }), 'Its issuer has no such key.'],
    [await sign({ preferred_username: 'owner' }), 'It names nobody: its "sub" is missing.'],
    [unsecured(now), 'Its algorithm is not taken.'],
  ];
  const told = [];
  for (const [jwt] of refusals) told.push(await refusal(scene, jwt));
  deepStrictEqual(
    told,
    refusals.map(([, reason]) => reason),
  );
  deepStrictEqual(scene.announced, []);
});

test('an issuer whose keys cannot be read lets nobody in', async (context) => {
  const scene = await openScene(context, { issuers: [{ ...trusted(), jwksUrl: 'http://127.0.0.1:1/jwks' }] });
  strictEqual(await refusal(scene, await sign({ sub: 'owner' })), 'The keys of its issuer cannot be read right now.');
});

test('a hub that trusts nobody takes no JWT', async (context) => {
  const scene = await openScene(context);
  strictEqual(await refusal(scene, await sign({ sub: 'owner' })), 'This hub does not trust its issuer.');
});

function trusted(): TrustedIssuer {
  return { issuer: ISSUER, audience: AUDIENCE, jwksUrl, subjectClaim: 'sub' };
}

type Account = { issuer: string; subject: string };
type Signing = { issuer?: string; audience?: string; expiresAt?: number | undefined; key?: CryptoKey; kid?: string };

function sign(claims: Record<string, string>, signing: Signing = {}): Promise<string> {
  const jwt = new SignJWT(claims)
    .setProtectedHeader({ alg: 'ES256', kid: signing.kid ?? 'one' })
    .setIssuer(signing.issuer ?? ISSUER)
    .setAudience(signing.audience ?? AUDIENCE);
  const expiresAt = 'expiresAt' in signing ? signing.expiresAt : Math.floor(Date.now() / 1000) + 300;
  if (expiresAt !== undefined) jwt.setExpirationTime(expiresAt);
  return jwt.sign(signing.key ?? key);
}

function unsecured(now: number): string {
  return new UnsecuredJWT({ sub: 'owner' })
    .setIssuer(ISSUER)
    .setAudience(AUDIENCE)
    .setExpirationTime(now + 300)
    .encode();
}

function redeem(scene: Scene, jwt: string) {
  return scene.call<Enrolled>('POST', '/v1/enrolments/redeem', { body: { jwt, deviceName: 'Work laptop' } });
}

async function refusal(scene: Scene, jwt: string): Promise<string> {
  const { status, body } = await scene.call('POST', '/v1/enrolments/redeem', { body: { jwt } });
  deepStrictEqual([status, body['code']], [401, 'jwt.refused']);
  return String(body['detail']).replace('This JWT lets nobody in. ', '');
}
