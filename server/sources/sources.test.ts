import { deepStrictEqual, match, ok, strictEqual } from 'node:assert/strict';
import { test } from 'node:test';
import { Webhook } from 'standardwebhooks';
import type { NewSourceReply, Source } from '#shared/wire.ts';
import { openScene, type Scene } from '../devices/testing/scene.ts';
import { recipientsFor } from './recipients.ts';
import type { AppError } from '#shared/problem.ts';
import { webhookKey } from '../platform/secrets/webhook-key.ts';
import { findSource } from './find.ts';

test('a source is made with a key and a webhook secret that are shown this once', async (context) => {
  const scene = await openScene(context);
  const { source, key, webhookSecret } = await addSource(scene, {
    name: 'CI',
    webhookUrl: 'https://ci.example/hook',
    locale: 'zh',
    texts: { declined: 'They said no.' },
  });
  match(key, /^bks_[\w-]{43}$/);
  ok(new Webhook(webhookSecret).sign('msg_1', new Date(0), '{}'));
  const expected = {
    id: source.id,
    name: 'CI',
    owner: 'owner',
    mayAsk: ['owner'],
    webhookUrl: 'https://ci.example/hook',
    locale: 'zh',
    texts: { declined: 'They said no.' },
    createdAt: source.createdAt,
    webhookKey: webhookKey(Buffer.alloc(32), source.id),
  };
  deepStrictEqual(source, expected);
  deepStrictEqual(await listSources(scene), [expected]);
});

test('[DLV1] a webhook address with a user name or password is refused with its place', async (context) => {
  const scene = await openScene(context);
  const addresses = ['https://user:pw@ci.example/', 'https://token@ci.example/', 'https://:pw@ci.example'];
  for (const webhookUrl of addresses) {
    const { status, body } = await scene.call('POST', '/v1/sources', {
      token: scene.owner.token,
      body: { name: 'CI', webhookUrl },
    });
    deepStrictEqual(
      [status, body['detail']],
      [
        422,
        '/webhookUrl holds a user name or password; put a token into its path or query instead, or check the signature of the webhooks.',
      ],
    );
  }
  deepStrictEqual(await listSources(scene), []);
});

test('the language and the texts of a source are changed one by one, taken away with null, and refused as a whole', async (context) => {
  const scene = await openScene(context);
  const { source } = await addSource(scene, { name: 'CI', locale: 'zh' });
  const change = async (body: object, id = source.id) => {
    const reply = await scene.call('PATCH', `/v1/sources/${id}`, { token: scene.owner.token, body });
    return reply.status === 200 ? reply.body : [reply.status, reply.body['detail']];
  };
  const texts = { expired: '“{title}” ran out.' };
  deepStrictEqual(await change({ texts }), { ...source, texts });
  deepStrictEqual(await change({ texts: { expired: '{who}?' }, locale: 'en' }), [
    422,
    '/texts/expired names {who}; it can name {title}, {deadline}.',
  ]);
  deepStrictEqual(await listSources(scene), [{ ...source, texts }]);
  const { locale: _zh, ...plain } = source;
  deepStrictEqual(await change({ locale: null }), { ...plain, texts });
  deepStrictEqual(await change({ texts: null }), plain);
  deepStrictEqual(await change({}), plain);
  deepStrictEqual(await change({}, 'src_none'), [404, 'There is no such source here.']);
});

test('keys are hashed at rest', async (context) => {
  const scene = await openScene(context);
  const { key } = await addSource(scene, { name: 'CI' });
  const rows = await scene.database.read.selectFrom('sources').selectAll().execute();
  strictEqual(JSON.stringify(rows).includes(key), false);
});

test('[RES5] a source key calls nothing of people, sources and devices', async (context) => {
  const scene = await openScene(context);
  const { key } = await addSource(scene, { name: 'CI' });
  const tried = await Promise.all(
    scene.routes.map(({ method, url }) =>
      scene.call(method as 'POST', url.replace(':id', scene.owner.deviceId), {
        token: key,
        ...(method === 'GET' ? {} : { body: bodyFor(url) }),
      }),
    ),
  );
  deepStrictEqual(
    tried.map(({ status, body }) => [status, body['code']]),
    tried.map(() => [403, 'credential.wrong_kind']),
  );
  ok(tried.length > 20);
});

test('a removed source is refused at once and keeps its row for what it asked', async (context) => {
  const scene = await openScene(context);
  const { source, key } = await addSource(scene, { name: 'CI' });
  deepStrictEqual(await findSource(scene.database, key), {
    kind: 'source',
    id: source.id,
    name: 'CI',
    ownerId: scene.owner.id,
    locale: undefined,
  });
  strictEqual((await scene.call('DELETE', `/v1/sources/${source.id}`, { token: scene.owner.token })).status, 204);
  strictEqual(await findSource(scene.database, key), 'unknown');
  deepStrictEqual(await listSources(scene), []);
  const rows = await scene.database.read.selectFrom('sources').select('id').execute();
  deepStrictEqual(rows, [{ id: source.id }]);
  const again = await scene.call('DELETE', `/v1/sources/${source.id}`, { token: scene.owner.token });
  deepStrictEqual([again.status, again.body['code']], [404, 'source.unknown']);
});

test('when a key was used is noted at most once a minute', async (context) => {
  const scene = await openScene(context);
  const { key } = await addSource(scene, { name: 'CI' });
  const usedAt = async () => {
    await findSource(scene.database, key);
    return Date.parse((await listSources(scene))[0]?.usedAt ?? '');
  };
  const first = await usedAt();
  scene.advance(30_000);
  strictEqual(await usedAt(), first);
  scene.advance(31_000);
  ok((await usedAt()) >= first + 61_000);
});

test('a source may ask whom it was allowed to, whatever they are called meanwhile', async (context) => {
  const scene = await openScene(context);
  const { token } = scene.owner;
  for (const handle of ['bob', 'carol']) await scene.call('POST', '/v1/people', { token, body: { handle } });
  const group = await scene.call<{ id: string }>('POST', '/v1/groups', {
    token,
    body: { handle: 'team', members: ['owner', 'bob'] },
  });
  await scene.call('POST', '/v1/groups', { token, body: { handle: 'nobody', members: [] } });
  const byPerson = (await addSource(scene, { name: 'A', mayAsk: ['owner', 'bob'] })).source.id;
  const byGroup = (await addSource(scene, { name: 'B', mayAsk: ['team'] })).source.id;
  const nobodyAt = (path: string) => [
    path,
    'handle.unknown',
    'names nobody whom this source may ask; the owner of the hub allows a source to ask further people',
  ];
  const asking = (id: string, handles: string[]) =>
    scene.database
      .steps(() => recipientsFor(id, handles))
      .then(
        () => [],
        (refused: AppError) => refused.faults?.map(({ path, code, message }) => [path, code, message]),
      );

  deepStrictEqual(await asking(byPerson, ['owner', 'bob', 'team']), []);
  deepStrictEqual(await asking(byPerson, ['zoe', 'nobody', 'carol', 'bob']), [
    nobodyAt('/to/0'),
    nobodyAt('/to/1'),
    nobodyAt('/to/2'),
  ]);
  deepStrictEqual(await asking(byGroup, ['team', 'bob', 'carol']), [nobodyAt('/to/2')]);

  await scene.call('PATCH', '/v1/people/me', { token, body: { handle: 'alice' } });
  await scene.call('PUT', `/v1/groups/${group.body.id}`, { token, body: { members: ['bob', 'carol'] } });
  deepStrictEqual(await asking(byPerson, ['alice', 'team']), [nobodyAt('/to/1')]);
  deepStrictEqual(await asking(byGroup, ['carol', 'alice']), [nobodyAt('/to/1')]);
  deepStrictEqual(
    (await listSources(scene)).map(({ mayAsk }) => mayAsk.toSorted()),
    [['alice', 'bob'], ['team']],
  );
});

test('whom a source asks is each person once, a group standing for its members, the owner by default', async (context) => {
  const scene = await openScene(context);
  const { token } = scene.owner;
  const bob = await scene.call<{ person: { id: string } }>('POST', '/v1/people', { token, body: { handle: 'bob' } });
  await scene.call('POST', '/v1/groups', { token, body: { handle: 'team', members: ['owner', 'bob'] } });
  const { id } = (await addSource(scene, { name: 'A', mayAsk: ['owner', 'bob'] })).source;
  const both = [scene.owner.id, bob.body.person.id].toSorted();
  const source = { name: 'A', locale: null, texts: null, webhook_url: null, valid_for: null, subscribed: 0 };
  deepStrictEqual(await scene.database.steps(() => recipientsFor(id, ['team', 'bob'])), {
    handles: ['team', 'bob'],
    personIds: both,
    people: ['bob', 'owner'],
    source,
  });
  deepStrictEqual(await scene.database.steps(() => recipientsFor(id)), {
    handles: ['owner'],
    personIds: [scene.owner.id],
    people: ['owner'],
    source,
  });
});

test('a source for people nobody knows is refused with each of them', async (context) => {
  const scene = await openScene(context);
  const refused = await scene.call('POST', '/v1/sources', {
    token: scene.owner.token,
    body: { name: 'CI', mayAsk: ['zoe', 'owner', 'yan'] },
  });
  deepStrictEqual(
    [refused.status, refused.body['faults']],
    [
      422,
      [
        { path: '/mayAsk/0', code: 'handle.unknown', message: 'names nobody: there is no person or group "zoe"' },
        { path: '/mayAsk/2', code: 'handle.unknown', message: 'names nobody: there is no person or group "yan"' },
      ],
    ],
  );
  deepStrictEqual(await listSources(scene), []);
});

async function addSource(scene: Scene, body: object): Promise<NewSourceReply> {
  return (await scene.call<NewSourceReply>('POST', '/v1/sources', { token: scene.owner.token, body })).body;
}

async function listSources(scene: Scene): Promise<Source[]> {
  return (await scene.call<{ items: Source[] }>('GET', '/v1/sources', { token: scene.owner.token })).body.items;
}

// What these calls take, so that nothing but the credential is wrong.
function bodyFor(url: string): object {
  if (url === '/v1/enrolments') return { handle: 'owner' };
  return url.endsWith('/redeem') ? { secret: 'x' } : {};
}
