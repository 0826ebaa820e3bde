import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, request } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { Server } from 'socket.io';
import { io as connect } from 'socket.io-client';
import { overTurns } from '../platform/loop.ts';
import { BACKLOG_LIMIT, measureBacklog, cutStuck, endLines, sendWhole } from './pressure.ts';
import type { LiveServer } from './border/sockets.ts';
import { openPeople, sqliteDatabase, startHub } from './testing/hub.ts';
import { openReadyPage, until } from './testing/page.ts';

/** What `ws` writes its frames with. */
type Sender = { sendFrame(frame: Buffer[], done: () => void): void };

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
  assert.equal(measureBacklog(stuck), 3 * BACKLOG_LIMIT + 4);
  assert.equal(cutStuck(hub), 1);
  assert.deepEqual(ended, ['stuck']);
});

test('a broadcast hands each socket one buffer, whole, and so much as before reaches its page', async (t) => {
  const http = createServer().listen(0, '127.0.0.1');
  await once(http, 'listening');
  const io = new Server(http, { transports: ['websocket'], perMessageDeflate: false });
  t.after(() => io.close());
  sendWhole(io as unknown as LiveServer);
  const line = once(io, 'connection') as Promise<[{ conn: { transport: { socket: { _sender: Sender } } } }]>;
  const { port } = http.address() as AddressInfo;
  const page = connect(`http://127.0.0.1:${port}`, { transports: ['websocket'] });
  t.after(() => page.disconnect());
  const [{ conn }] = await line;
  const { _sender: sender } = conn.transport.socket;
  const frames: Buffer[][] = [];
  const send = sender.sendFrame.bind(sender);
  sender.sendFrame = (frame, done) => (frames.push(frame), send(frame, done));
  const words = 'für alle '.repeat(10_000);
  const heard = new Promise((resolve) => page.on('said', resolve));
  io.emit('said', { words });
  assert.deepEqual(await heard, { words });
  assert.deepEqual([frames.length, frames[0]?.length], [1, 1]);
});

test('lines that are cut at one moment are let go 10 ms of them at a time, with turns for all else in between', async (t) => {
  const http = createServer().listen(0, '127.0.0.1');
  await once(http, 'listening');
  const io = new Server(http, { transports: ['websocket'] });
  t.after(() => io.close());
  let now = 0;
  endLines(
    io as unknown as LiveServer,
    overTurns(() => now),
  );
  const { port } = http.address() as AddressInfo;
  for (let at = 0; at < 5; at++) {
    const page = connect(`http://127.0.0.1:${port}`, {
      transports: ['websocket'],
      forceNew: true,
      reconnection: false,
    });
    t.after(() => page.disconnect());
    await once(page as never, 'connect');
  }
  const left: string[] = [];
  const sockets = [...io.sockets.sockets.values()];
  for (const socket of sockets) socket.on('disconnect', (why) => (left.push(why), (now += 4)));
  for (const { conn } of sockets)
    (conn as unknown as { transport: { socket: NodeJS.EventEmitter } }).transport.socket.emit('close', 1006);
  const perTurn: number[] = [left.length];
  while (left.length < 5) perTurn.push((await turn(), left.length));
  assert.deepEqual([perTurn, new Set(left)], [[0, 3, 5], new Set(['transport close'])]);
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
  const asked = { enrolmentId: 'enr_1', deviceName: 'x'.repeat(100_000), userAgent: '', address: '', expiresAt: '' };
  for (let count = 0; count < 200; count++) hub.live.devices.toPerson(device.personId, 'access_request', asked);
  page.socket.emit('sync', {}, () => undefined);
  await until(() => hub.live.count() === 0, 'the line to end');
});

test('[SEC1] a line on which nobody signs in ends, though its client never says goodbye', async (t) => {
  const { database, drop } = await sqliteDatabase();
  t.after(drop);
  const people = await openPeople(database);
  const hub = await startHub({ database, enterWithinMs: 200 });
  t.after(() => hub.stop());
  const page = await openReadyPage(hub.url, (await people.device()).token);
  t.after(() => page.close());
  const lines = [await silentLine(hub.url), await silentLine(hub.url)] as const;
  // A CONNECT that is refused, masked by zeros.
  const text = '40{"protocol":2,"token":"bkd_unknown"}';
  lines[1].write(Buffer.concat([Buffer.from([0x81, 0x80 | text.length, 0, 0, 0, 0]), Buffer.from(text)]));
  await until(() => lines.every((line) => line.closed), 'both lines to end');
  assert.deepEqual([page.socket.connected, hub.live.count()], [true, 1]);
});

/** A WebSocket whose client reads and never answers. */
async function silentLine(url: string): Promise<Socket> {
  const headers = {
    connection: 'Upgrade',
    upgrade: 'websocket',
    'sec-websocket-version': '13',
    'sec-websocket-key': Buffer.alloc(16).toString('base64'),
  };
  const upgrade = request(`${url}/live/?EIO=4&transport=websocket`, { headers });
  const line = await new Promise<Socket>((opened, failed) => {
    upgrade.on('upgrade', (_reply, socket) => opened(socket));
    upgrade.on('error', failed).end();
  });
  return line.on('error', () => undefined).resume();
}
