import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Presence } from '../devices/presence.ts';
import type { Database } from '../platform/database.ts';
import type { LiveServer } from './border/sockets.ts';
import { beat, signOutRevoked } from './heartbeat.ts';
import { openPeople, sqliteDatabase } from './testing/hub.ts';

const PEOPLE = 120;
const DEVICES = 1_200;

/** A hub of which only who is connected is known, and whom it told in each turn of the event loop. */
function scene(devices: { id: string; person: { id: string } }[]) {
  const told: string[][] = [[]];
  const tell = (room: string) => void told.at(-1)!.push(room);
  const to = (room: string) => ({ except: () => ({ emit: () => tell(room) }), emit: () => tell(room) });
  const sockets = new Map(devices.map((device, at) => [String(at), { data: { device } }]));
  const hub = {
    sockets: { sockets },
    local: { to, in: () => ({ disconnectSockets() {} }) },
    to: () => ({ emit() {} }),
    in: () => ({ disconnectSockets() {} }),
  } as unknown as LiveServer;
  return {
    hub,
    async perTurn(work: Promise<void>): Promise<number[]> {
      const next = () => void (told.push([]), (last = setImmediate(next)));
      let last = setImmediate(next);
      await work;
      clearImmediate(last);
      return told.map(({ length }) => length).filter((length) => length > 0);
    },
  };
}

async function open(t: { after(end: () => Promise<void>): void }): Promise<Database> {
  const { database, drop } = await sqliteDatabase();
  t.after(drop);
  return database;
}

test('a heartbeat tells everybody, and few of them in one turn of the event loop', async (t) => {
  const database = await open(t);
  const people = await openPeople(database);
  const ids: string[] = [];
  for (let at = 0; at < PEOPLE; at++) ids.push(await people.person(`person${at}`));
  const { hub, perTurn } = scene(ids.map((id) => ({ id: `dev_${id}`, person: { id } })));
  const touched: string[] = [];
  const presence = { touch: (id: string) => void touched.push(id) } as unknown as Presence;
  assert.deepEqual(await perTurn(beat(hub, database, presence)), [50, 50, 20]);
  assert.equal(touched.length, PEOPLE);
});

test('[SEC1] of very many devices each that is no longer signed in is found, in turns', async (t) => {
  const database = await open(t);
  const devices = Array.from({ length: DEVICES }, (_, at) => ({ id: `dev_${at}`, person: { id: 'per_1' } }));
  const { hub, perTurn } = scene(devices);
  assert.deepEqual(await perTurn(signOutRevoked(hub, database)), [500, 500, 200]);
});
