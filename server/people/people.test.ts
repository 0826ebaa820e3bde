import { deepStrictEqual, strictEqual } from 'node:assert/strict';
import { test } from 'node:test';
import type { Group, Me, NewPersonReply, Person } from '#shared/wire.ts';
import type { Enrolled } from '#shared/schemas/enrolments.ts';
import { openScene, type Scene } from '../devices/testing/scene.ts';
import { ensureOwner } from './owner.ts';

type Items<T> = { items: T[]; nextCursor?: string };

test('the owner is made once, whoever starts first, and stays when their handle changes', async (context) => {
  const scene = await openScene(context);
  const again = await Promise.all([ensureOwner(scene.database), ensureOwner(scene.database)]);
  deepStrictEqual(
    again.map(({ id, handle, owner }) => ({ id, handle, owner })),
    [1, 2].map(() => ({ id: scene.owner.id, handle: 'owner', owner: true })),
  );
  const { body } = await scene.call<Me>('PATCH', '/v1/people/me', {
    token: scene.owner.token,
    body: { handle: 'alice', name: 'Alice', locale: 'zh', privacy: 'source' },
  });
  deepStrictEqual(body.person, { ...body.person, handle: 'alice', name: 'Alice', locale: 'zh', privacy: 'source' });
  deepStrictEqual(await ensureOwner(scene.database), body.person);
});

test('an invitation adds a person and lets one device of theirs in, once', async (context) => {
  const scene = await openScene(context);
  const { person, token } = await invite(scene, 'bob');
  deepStrictEqual(person, {
    id: person.id,
    handle: 'bob',
    name: 'bob',
    owner: false,
    privacy: 'full',
    createdAt: person.createdAt,
  });
  const me = await scene.call<Me>('GET', '/v1/people/me', { token });
  deepStrictEqual([me.status, me.body.person], [200, person]);
  const list = await scene.call<Items<Person>>('GET', '/v1/people', { token: scene.owner.token });
  deepStrictEqual(
    list.body.items.map(({ handle }) => handle),
    ['owner', 'bob'],
  );
});

test('a lost phone comes back with another link of its person', async (context) => {
  const scene = await openScene(context);
  const { person } = await invite(scene, 'bob');
  const made = await scene.call<{ link: string }>('POST', `/v1/people/${person.id}/link`, { token: scene.owner.token });
  strictEqual(made.status, 201);
  const enrolled = await redeem(scene, made.body.link);
  strictEqual(enrolled.body.person.handle, 'bob');
  strictEqual((await redeem(scene, made.body.link)).status, 410);
});

test('people and groups share one namespace', async (context) => {
  const scene = await openScene(context);
  const { token } = scene.owner;
  const codes = [
    await scene.call('POST', '/v1/groups', { token, body: { handle: 'team', members: ['owner'] } }),
    await scene.call('POST', '/v1/groups', { token, body: { handle: 'team', members: [] } }),
    await scene.call('POST', '/v1/groups', { token, body: { handle: 'owner', members: [] } }),
    await scene.call('POST', '/v1/people', { token, body: { handle: 'team' } }),
    await scene.call('PATCH', '/v1/people/me', { token, body: { handle: 'team' } }),
    await scene.call('PATCH', '/v1/people/me', { token, body: { handle: 'owner' } }),
  ].map(({ status, body }) => [status, body['code']]);
  deepStrictEqual(codes, [
    [201, undefined],
    [409, 'handle.taken'],
    [409, 'handle.taken'],
    [409, 'handle.taken'],
    [409, 'handle.taken'],
    [200, undefined],
  ]);
});

test('a removed person is out at once with every device; the owner stays', async (context) => {
  const scene = await openScene(context);
  const { person, token, deviceId } = await invite(scene, 'bob');
  await scene.call('POST', '/v1/groups', { token: scene.owner.token, body: { handle: 'team', members: ['bob'] } });
  strictEqual((await scene.call('DELETE', `/v1/people/${person.id}`, { token: scene.owner.token })).status, 204);
  strictEqual((await scene.call('GET', '/v1/people/me', { token })).status, 401);
  deepStrictEqual(scene.announced.at(-1), ['revoked', deviceId]);
  const { body: groups } = await scene.call<{ items: { members: string[] }[] }>('GET', '/v1/groups', {
    token: scene.owner.token,
  });
  deepStrictEqual(groups.items[0]?.members, []);

  const owner = await scene.call('DELETE', `/v1/people/${scene.owner.id}`, { token: scene.owner.token });
  deepStrictEqual([owner.status, owner.body['code']], [409, 'person.is_owner']);
  const nobody = await scene.call('DELETE', `/v1/people/${person.id}`, { token: scene.owner.token });
  deepStrictEqual([nobody.status, nobody.body['code']], [404, 'person.unknown']);
});

test('a group is made, changed and removed, and names every member nobody knows', async (context) => {
  const scene = await openScene(context);
  const { token } = scene.owner;
  await invite(scene, 'bob');
  const made = await scene.call<Group>('POST', '/v1/groups', { token, body: { handle: 'team', members: ['owner'] } });
  const { id } = made.body;
  deepStrictEqual(made.body, { id, handle: 'team', name: 'team', members: ['owner'] });
  const changed = await scene.call<Group>('PUT', `/v1/groups/${id}`, {
    token,
    body: { name: 'Team', members: ['owner', 'bob'] },
  });
  deepStrictEqual(changed.body, { id, handle: 'team', name: 'Team', members: ['bob', 'owner'] });
  const refused = await scene.call('PUT', `/v1/groups/${id}`, { token, body: { members: ['bob', 'zoe', 'team'] } });
  deepStrictEqual(
    [refused.status, refused.body['faults']],
    [
      422,
      [
        { path: '/members/1', code: 'person.unknown', message: 'names nobody: there is no person "zoe"' },
        { path: '/members/2', code: 'person.unknown', message: 'names nobody: there is no person "team"' },
      ],
    ],
  );
  deepStrictEqual((await scene.call<Items<Group>>('GET', '/v1/groups', { token })).body, { items: [changed.body] });
  strictEqual((await scene.call('DELETE', `/v1/groups/${id}`, { token })).status, 204);
  strictEqual((await scene.call('DELETE', `/v1/groups/${id}`, { token })).status, 404);
});

test('who is not the owner changes nothing about people, groups and sources', async (context) => {
  const scene = await openScene(context);
  const { token } = await invite(scene, 'bob');
  const owners = scene.routes.filter(({ url }) => /^\/v1\/(people|groups|sources)(?!\/me)/.test(url));
  const replies = await Promise.all(
    owners.map(({ method, url }) => scene.call(method as 'GET', url.replace(':id', 'x'), { token })),
  );
  deepStrictEqual(
    replies.map(({ status, body }) => [status, body['code']]),
    owners.map(() => [403, 'person.not_owner']),
  );
});

test('a list of people comes in pages', async (context) => {
  const scene = await openScene(context);
  const { token } = scene.owner;
  for (const handle of ['bob', 'carol']) await invite(scene, handle);
  const first = await scene.call<Items<Person>>('GET', '/v1/people?limit=2', { token });
  const second = await scene.call<Items<Person>>('GET', `/v1/people?limit=2&cursor=${first.body.nextCursor}`, {
    token,
  });
  deepStrictEqual(
    [first.body.items.map(({ handle }) => handle), second.body.items.map(({ handle }) => handle)],
    [['owner', 'bob'], ['carol']],
  );
  strictEqual(second.body.nextCursor, undefined);
});

async function invite(scene: Scene, handle: string): Promise<{ person: Person; token: string; deviceId: string }> {
  const { body } = await scene.call<NewPersonReply>('POST', '/v1/people', {
    token: scene.owner.token,
    body: { handle },
  });
  const enrolled = await redeem(scene, body.link);
  return { person: body.person, token: enrolled.body.accessToken, deviceId: enrolled.body.deviceId };
}

function redeem(scene: Scene, link: string): Promise<{ status: number; body: Enrolled }> {
  return scene.call<Enrolled>('POST', '/v1/enrolments/redeem', { body: { secret: link.split('#')[1] } });
}
