import assert from 'node:assert/strict';
import { test } from 'node:test';
import { BACKLOG_LIMIT, backlogOf, cutStuck } from './pressure.ts';
import type { LiveServer } from './border/sockets.ts';
import { openPeople, sqliteDatabase, startHub } from './testing/hub.ts';
import { openReadyPage, until } from './testing/page.ts';

/** A socket of which only what waits to be sent is known. */
function line(name: string, ended: string[]) {
  const socket = { bufferedAmount: 0, terminate: () => void ended.push(name) };
  return {
    data: { backlog: 0 },
    conn: { close: () => undefined, writeBuffer: [] as { data?: string }[], transport: { socket } },
  };
}

test('a device that reads nothing between two looks is cut, a slow one is spared', () => {
  const ended: string[] = [];
  const [idle, slow, stuck] = [line('idle', ended), line('slow', ended), line('stuck', ended)];
  const hub = {
    sockets: { sockets: new Map([idle, slow, stuck].map((one, at) => [String(at), one])) },
  } as unknown as LiveServer;
  for (const one of [slow, stuck]) one.conn.transport.socket.bufferedAmount = 3 * BACKLOG_LIMIT;
  assert.equal(cutStuck(hub), 0);
  slow.conn.transport.socket.bufferedAmount -= 1;
  stuck.conn.writeBuffer.push({ data: 'more' }, {});
  assert.equal(backlogOf(stuck), 3 * BACKLOG_LIMIT + 4);
  assert.equal(cutStuck(hub), 1);
  assert.deepEqual(ended, ['stuck']);
});

test('a page that reads nothing and asks for more is cut', async (t) => {
  const { database, drop } = await sqliteDatabase();
  t.after(drop);
  const people = await openPeople(database);
  const hub = await startHub({ database });
  t.after(() => hub.stop());
  const device = await people.device();
  const page = await openReadyPage(hub.url, device.token);
  t.after(() => page.close());
  const { transport } = page.socket.io.engine as unknown as { transport: { ws: { _socket: { pause(): void } } } };
  transport.ws._socket.pause();
  const request = { enrolmentId: 'enr_1', deviceName: 'x'.repeat(100_000), userAgent: '', address: '', expiresAt: '' };
  for (let count = 0; count < 200; count++) hub.live.devices.accessRequest(device.personId, request);
  page.socket.emit('sync', {}, () => undefined);
  await until(() => hub.live.count() === 0, 'the line to end');
});
