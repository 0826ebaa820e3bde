import { deepStrictEqual, equal } from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Database } from '../../platform/database.ts';
import { openDatabase } from '../../platform/engines/open.ts';
import { freshDatabase } from '../../platform/testing/postgres.ts';
import { createVapid, loadVapidKeys } from './protocol/vapid.ts';
import { openScene } from './testing/scene.ts';

let fresh: Awaited<ReturnType<typeof freshDatabase>>;
let nodes: [Database, Database];
before(async () => {
  fresh = await freshDatabase();
  const open = () => openDatabase({ dataDir: '', databaseUrl: fresh.url });
  nodes = [await open(), await open()];
});
after(async () => {
  for (const node of nodes) await node.close();
  await fresh.drop();
});

test('two nodes send each push once, and to each device one at a time', async () => {
  const scenes = [await openScene(nodes[0]), await openScene(nodes[1])] as const;
  const [place] = scenes;
  const devices = [];
  for (let count = 0; count < 8; count++) devices.push(await place.device());
  const ids = [await place.ask(), await place.ask(), await place.ask()];
  const pushers = [await place.pusher(), await place.pusher({ database: nodes[1] })];
  await Promise.all(pushers.map((pusher) => pusher.runDue()));
  await place.withdraw(ids[0] ?? '');
  await Promise.all(pushers.map((pusher) => pusher.runDue()));
  const sent = devices.map(({ received }) =>
    received.map(({ message, topic }) => `${message.t} ${topic}`).toSorted((a, b) => (a < b ? -1 : 1)),
  );
  const each = [...ids.map((id) => `ask ${id}`).toSorted((a, b) => (a < b ? -1 : 1)), `withdraw ${ids[0]}`];
  deepStrictEqual(new Set(sent.map((one) => one.join(', '))), new Set([each.join(', ')]));
  equal(place.service.mostAtOnce(), 1);
  const attempts = (await Promise.all(ids.map(place.attempts))).flat();
  deepStrictEqual([attempts.length, new Set(attempts.map(({ status }) => status))], [8 * 4, new Set([201])]);
  for (const scene of scenes) await scene.close();
});

test('nodes that start together sign with the same key', async () => {
  await nodes[0].transaction((trx) => trx.deleteFrom('settings').where('name', '=', 'vapid').execute());
  const [first, second] = await Promise.all(nodes.map(loadVapidKeys));
  deepStrictEqual(first, second);
  const vapid = await createVapid({ keys: first!, subject: 'mailto:a@example.org', clock: nodes[0].clock });
  equal(Buffer.from(vapid.publicKey, 'base64url').length, 65);
});
