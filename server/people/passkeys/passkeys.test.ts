import { deepStrictEqual, match, strictEqual } from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import type { Passkey, Passkeys } from '#shared/schemas/passkeys.ts';
import { addDevice } from '../../devices/admit.ts';
import { openScene, type Scene } from '../../devices/testing/scene.ts';
import { DAY_MS, HOUR_MS } from '../../platform/clock.ts';
import { relyingOn, warnOfMoved } from './relying.ts';
import { forgetChallenges, removeDue } from './sweep.ts';
import { createAuthenticator, strangeKey, type Authenticator, type Lie } from './testing/authenticator.ts';

const HUB = 'https://hub.test';
type Options = { challenge: string };
type Problem = { code: string };

async function open(context: TestContext, publicUrl = HUB) {
  const scene = await openScene(context, { publicUrl });
  const { token } = scene.owner;
  return { scene, token, ...callsWith(scene, token) };
}

function callsWith(scene: Scene, token: string) {
  const post = async <T = Problem>(url: string, body: object = {}) => scene.call<T>('POST', url, { token, body });
  const code = async (reply: Promise<{ status: number; body: unknown }>) => {
    const { status, body } = await reply;
    return (body as Problem | undefined)?.code ?? status;
  };
  const challenge = async (does: string, id?: string) =>
    (await post<Options>('/v1/passkeys/challenge', { does, ...(id === undefined ? {} : { id }) })).body;
  return {
    post,
    code,
    challenge,
    list: async () => (await scene.call<Passkeys>('GET', '/v1/passkeys', { token })).body,
    /** Shows with a passkey that something is wanted. */
    prove: async (own: Authenticator, does: string, id?: string, lie?: Lie) => ({
      assertion: own.sign(await challenge(does, id), lie),
    }),
    add: async (own: Authenticator, name: string, proof: object = {}, lie?: Lie) => {
      const options = await post<Options>('/v1/passkeys/options', proof);
      if (options.status !== 200) return options as never;
      return post<Passkey>('/v1/passkeys', { name, response: own.make(options.body, lie) });
    },
  };
}

test('passkeys are for a name over https or localhost; elsewhere the hub says what to do', async (context) => {
  deepStrictEqual(
    ['https://hub.example', 'http://localhost:4275', 'https://a.localhost'].map((url) => relyingOn(url)),
    [
      { rpId: 'hub.example', origin: 'https://hub.example' },
      { rpId: 'localhost', origin: 'http://localhost:4275' },
      { rpId: 'a.localhost', origin: 'https://a.localhost' },
    ],
  );
  for (const url of [
    'http://hub.example',
    'http://192.168.1.7:4275',
    'https://[::1]',
    'https://10.0.0.1',
    'https://hub',
  ])
    match(relyingOn(url).cannot ?? '', /PUBLIC_URL/);
  const { post, code, list } = await open(context, 'http://192.168.1.7:4275');
  strictEqual(await code(post('/v1/passkeys/options')), 'passkey.cannot');
  strictEqual(await code(post('/v1/passkeys/challenge', { does: 'codes' })), 'passkey.cannot');
  match((await list()).cannot ?? '', /address without a name/);
});

test('a person adds a passkey, names it, and is told on all devices; a further one needs the first, or a printed code', async (context) => {
  const { scene, token, post, code, add, list, prove } = await open(context);
  const [cloud, key, third] = [1, 2, 3].map(() => createAuthenticator(HUB)) as [
    Authenticator,
    Authenticator,
    Authenticator,
  ];
  const { status, body: passkey } = await add(cloud, 'iCloud');
  const { createdAt } = passkey;
  deepStrictEqual([status, passkey], [201, { id: passkey.id, name: 'iCloud', createdAt, synced: true }]);
  deepStrictEqual(scene.announced, [['passkey', scene.owner.id, { what: 'added', name: 'iCloud', at: createdAt }]]);
  // Whoever finds a device signed in adds none of theirs.
  strictEqual(await code(post('/v1/passkeys/options')), 'passkey.needed');
  strictEqual((await add(key, 'Key', await prove(cloud, 'add'))).status, 201);
  const { codes } = (await post<{ codes: string[] }>('/v1/passkeys/codes', await prove(key, 'codes'))).body;
  deepStrictEqual([codes.length, new Set(codes).size, (await list()).codesLeft], [10, 10, 10]);
  strictEqual((await add(third, 'Third', { code: codes[0]?.toUpperCase().replaceAll('-', ' ') })).status, 201);
  strictEqual(await code(add(createAuthenticator(HUB), 'Again', { code: codes[0] })), 'passkey.refused');
  strictEqual((await list()).codesLeft, 9);
  const rename = await scene.call('PATCH', `/v1/passkeys/${passkey.id}`, { token, body: { name: 'Keychain' } });
  const { items, ...rest } = await list();
  deepStrictEqual(
    [rename.status, items.map(({ name, usedAt }) => [name, usedAt !== undefined]), rest],
    [
      200,
      [
        ['Keychain', true],
        ['Key', true],
        ['Third', false],
      ],
      { codesLeft: 9, rpId: 'hub.test', scopes: [] },
    ],
  );
});

test('a passkey is made with user verification, for this page, over a challenge of this device that counts once and for a minute', async (context) => {
  const { scene, add, code, post } = await open(context);
  const own = createAuthenticator(HUB);
  const lies: Lie[] = [
    { verified: false },
    { present: false },
    { origin: 'https://hub.test.evil.example' },
    { rpId: 'test' },
    { type: 'webauthn.get' },
    { challenge: Buffer.alloc(64).toString('base64url') },
    { challenge: 'x'.repeat(300) },
  ];
  for (const lie of lies) strictEqual(await code(add(own, 'Mine', {}, lie)), 'passkey.refused', JSON.stringify(lie));
  for (const response of [
    {},
    { response: null },
    { response: { clientDataJSON: 5 } },
    { response: { clientDataJSON: 'e30' } },
  ])
    strictEqual(await code(post('/v1/passkeys', { name: 'Mine', response })), 'passkey.refused');
  const late = (await post<Options>('/v1/passkeys/options')).body;
  scene.advance(60_000);
  strictEqual(await code(post('/v1/passkeys', { name: 'Mine', response: own.make(late) })), 'passkey.refused');
  const options = (await post<Options>('/v1/passkeys/options')).body;
  const elsewhere = callsWith(scene, (await addDevice(scene.database, scene.owner.id, 'Phone')).accessToken);
  const body = { name: 'Mine', response: own.make(options) };
  strictEqual(await elsewhere.code(elsewhere.post('/v1/passkeys', body)), 'passkey.refused');
  const made = await Promise.all([code(post('/v1/passkeys', body)), code(post('/v1/passkeys', body))]);
  deepStrictEqual(made.toSorted(), [201, 'passkey.refused']);
});

test('what a passkey signs to be wanted is wanted alone: not another act, passkey, device, person or time', async (context) => {
  const { scene, add, prove, code, post, challenge, list } = await open(context);
  const [own, second] = [createAuthenticator(HUB, { synced: false }), createAuthenticator(HUB)];
  const first = (await add(own, 'Key')).body;
  const other = (await add(second, 'Other', await prove(own, 'add'))).body;
  const remove = `/v1/passkeys/${first.id}/remove`;
  const refused = async (proof: object) => strictEqual(await code(post(remove, proof)), 'passkey.refused');
  await refused({});
  await refused({ code: 'nothing' });
  await refused({ assertion: {} });
  await refused(await prove(own, 'add'));
  await refused(await prove(own, 'remove', other.id));
  for (const lie of [
    { verified: false },
    { counter: 1 },
    { key: strangeKey() },
    { userHandle: 'AAAA' },
    { origin: 'http://hub.test' },
  ])
    await refused(await prove(own, 'remove', first.id, lie));
  await refused({ assertion: createAuthenticator(HUB).sign(await challenge('remove', first.id)) });
  const late = await prove(own, 'remove', first.id);
  scene.advance(60_000);
  await refused(late);
  // A clock that went back makes no challenge live longer than twice its time.
  const early = await prove(own, 'remove', first.id);
  scene.advance(-HOUR_MS);
  await refused(early);
  scene.advance(HOUR_MS);
  const elsewhere = callsWith(scene, (await addDevice(scene.database, scene.owner.id, 'Phone')).accessToken);
  strictEqual(await elsewhere.code(elsewhere.post(remove, await prove(own, 'remove', first.id))), 'passkey.refused');
  const good = await prove(own, 'remove', first.id, { counter: 50 });
  const replies = await Promise.all([code(post(remove, good)), code(post(remove, good))]);
  deepStrictEqual(replies.toSorted(), [204, 'passkey.refused']);
  deepStrictEqual(
    (await list()).items.map(({ name }) => name),
    ['Other'],
  );
});

test('the owner wants a passkey for some calls only with a spare, ends it with one, and nobody goes below meanwhile', async (context) => {
  const { add, prove, code, post, list } = await open(context);
  const [own, second] = [createAuthenticator(HUB), createAuthenticator(HUB)];
  const scope = 'caution';
  strictEqual(await code(post('/v1/passkeys/scopes', { scope })), 'passkey.too_few');
  const first = (await add(own, 'Key')).body;
  strictEqual(await code(post('/v1/passkeys/scopes', { scope })), 'passkey.too_few');
  const other = (await add(second, 'Other', await prove(own, 'add'))).body;
  deepStrictEqual([await code(post('/v1/passkeys/scopes', { scope })), (await list()).scopes], [204, ['caution']]);
  const remove = async (by: Authenticator, id: string) =>
    post(`/v1/passkeys/${id}/remove`, await prove(by, 'remove', id));
  strictEqual(await code(remove(own, other.id)), 'passkey.last');
  await post('/v1/passkeys/codes', await prove(own, 'codes'));
  strictEqual(await code(remove(own, other.id)), 204);
  strictEqual(await code(remove(own, first.id)), 'passkey.last');
  strictEqual(await code(post('/v1/passkeys/scopes/release', { scope })), 'passkey.refused');
  const away = await prove(own, 'release', 'source src_00000000000000000000000000');
  strictEqual(await code(post('/v1/passkeys/scopes/release', { scope, ...away })), 'passkey.refused');
  strictEqual(await code(post('/v1/passkeys/scopes/release', { scope, ...(await prove(own, 'release', scope)) })), 204);
  deepStrictEqual((await list()).scopes, []);
  strictEqual(await code(remove(own, first.id)), 204);
});

test('the owner removes a passkey of another after a day in which its devices are told and can keep it, and never adds one', async (context) => {
  const { scene, token } = await open(context);
  const invited = await scene.call<{ person: { id: string } }>('POST', '/v1/people', {
    token,
    body: { handle: 'bob' },
  });
  const bob = invited.body.person.id;
  const own = callsWith(scene, (await addDevice(scene.database, bob, 'Phone')).accessToken);
  const passkey = (await own.add(createAuthenticator(HUB), 'Lost')).body;
  const removal = `/v1/passkeys/${passkey.id}/removal`;
  const owner = callsWith(scene, token);
  const told: unknown[] = [];
  const sweep = () => removeDue(scene.database, (personId, { what, name }) => told.push([personId, what, name]));
  strictEqual(await own.code(own.post(removal)), 'person.not_owner');
  strictEqual(await owner.code(owner.post(removal)), 204);
  scene.advance(DAY_MS - 1000);
  await owner.post(removal);
  await sweep();
  strictEqual((await own.list()).items.length, 1);
  strictEqual(
    (await scene.call('DELETE', removal, { token: (await addDevice(scene.database, bob, 'B')).accessToken })).status,
    204,
  );
  scene.advance(2000);
  await sweep();
  strictEqual((await own.list()).items[0]?.removalAt, undefined);
  await owner.post(removal);
  scene.advance(DAY_MS);
  await Promise.all([sweep(), sweep()]);
  deepStrictEqual([(await own.list()).items, told], [[], [[bob, 'removed', 'Lost']]]);
  deepStrictEqual(
    scene.announced
      .filter(([name]) => name === 'passkey')
      .map(([, id, event]) => [id, (event as { what: string }).what]),
    [
      [bob, 'added'],
      [bob, 'removal'],
      [bob, 'removal'],
      [bob, 'kept'],
      [bob, 'removal'],
    ],
  );
  const seen = await scene.call<{ items: Passkey[] }>('GET', `/v1/people/${bob}/passkeys`, { token });
  deepStrictEqual(seen.body, { items: [], codesLeft: 0 });
});

test('passkeys of another host are shown as such, warned of at the start, and open nothing', async (context) => {
  const { scene, add, list, post, code } = await open(context);
  const own = createAuthenticator(HUB);
  await add(own, 'Old');
  await scene.database.transaction((trx) => trx.updateTable('passkeys').set({ rp_id: 'old.test' }).execute());
  strictEqual((await list()).items[0]?.elsewhere, 'old.test');
  strictEqual(await code(post('/v1/passkeys/challenge', { does: 'codes' })), 'passkey.none');
  strictEqual(await code(post('/v1/passkeys/options')), 'passkey.needed');
  const warned: unknown[] = [];
  const log = { warn: (about: object) => void warned.push(about) } as never;
  await warnOfMoved(scene.database, relyingOn(HUB), log);
  await warnOfMoved(scene.database, relyingOn('https://old.test'), log);
  deepStrictEqual(warned, [{ host: 'old.test', count: 1 }]);
  await post('/v1/passkeys/options', {});
  scene.advance(HOUR_MS);
  await forgetChallenges(scene.database);
  deepStrictEqual(await scene.database.read.selectFrom('passkey_challenges').selectAll().execute(), []);
});
