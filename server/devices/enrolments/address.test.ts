import { deepStrictEqual } from 'node:assert/strict';
import { test } from 'node:test';
import { addDevice } from '../admit.ts';
import { openScene } from '../testing/scene.ts';
import { checkAddress, readStart } from './address.ts';

test('an address says whether another device can open it, and why not', async () => {
  // An address that nobody has (RFC 5737).
  const hub = 'https://192.0.2.1';
  const verdicts: Record<string, unknown> = {};
  for (const written of [
    'http://localhost:4275',
    'https://127.0.0.1',
    'http://[::1]:4275',
    'http://192.168.1.7:4275',
    'ftp://192.0.2.1',
    'https://other.invalid/inbox',
    '192.0.2.1',
    'not an address',
  ]) {
    const { verdict, detail } = await checkAddress(written, hub, 50);
    verdicts[written] = verdict === 'other' ? [verdict, detail] : verdict;
  }
  deepStrictEqual(verdicts, {
    'http://localhost:4275': 'local',
    'https://127.0.0.1': 'local',
    'http://[::1]:4275': 'local',
    'http://192.168.1.7:4275': 'plain',
    'ftp://192.0.2.1': 'unreadable',
    'https://other.invalid/inbox': ['other', hub],
    '192.0.2.1': 'unreachable',
    'not an address': 'unreadable',
  });
});

test('of the page at an address only the start is read', async () => {
  const sent: string[] = [];
  async function* page() {
    for (const text of ['a'.repeat(150), 'b'.repeat(150), 'c'.repeat(150)]) {
      sent.push(text);
      yield await Promise.resolve(Buffer.from(text));
    }
  }
  deepStrictEqual([await readStart(page()), sent.length], ['a'.repeat(150) + 'b'.repeat(50), 2]);
});

test('only the owner has an address checked; without one it is where the hub is opened', async (context) => {
  const scene = await openScene(context);
  const check = async (token: string) => {
    const { status, body } = await scene.call('POST', '/v1/address/check', { token, body: {} });
    return [status, body['verdict'] ?? body['code'], body['address']];
  };
  const { body } = await scene.call<{ person: { id: string } }>('POST', '/v1/people', {
    token: scene.owner.token,
    body: { handle: 'bob' },
  });
  const member = await addDevice(scene.database, body.person.id, 'Theirs');
  deepStrictEqual(
    [await check(scene.owner.token), await check(member.accessToken)],
    [
      [200, 'plain', 'http://hub.test'],
      [403, 'person.not_owner', undefined],
    ],
  );
});
