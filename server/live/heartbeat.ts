import { setImmediate as turn } from 'node:timers/promises';
import { signedInAmong, type Presence } from '../devices/presence.ts';
import { readVersions } from '../inquiries/read.ts';
import { iso } from '../platform/clock.ts';
import type { Database } from '../platform/database.ts';
import { signOut } from './border/admit.ts';
import { personRoom, WAITING, type LiveServer } from './border/sockets.ts';

/** A device counts as live this long after it was last seen: one heartbeat may fail. */
export const LIVE_FOR_MS = 40_000;

/** So many in one turn of the event loop, so that whoever asks meanwhile does not wait for all that are connected. */
const DEVICES_AT_ONCE = 500;
const PEOPLE_AT_ONCE = 50;

/** Closes the sockets of devices that were revoked or ran out. */
export async function signOutRevoked(io: LiveServer, database: Database): Promise<void> {
  for (const devices of portions([...peopleByDevice(io).keys()], DEVICES_AT_ONCE)) {
    const signedIn = await signedInAmong(database, devices);
    for (const deviceId of devices) if (!signedIn.has(deviceId)) signOut(io, deviceId);
    await turn();
  }
}

/**
 * Looks at everybody connected to this node: their devices count as live for 40 s more, and each person's version
 * goes out, by which a device notices what it missed.
 */
export async function beat(io: LiveServer, database: Database, presence: Presence): Promise<void> {
  const connected = peopleByDevice(io);
  const until = database.clock.now() + LIVE_FOR_MS;
  for (const deviceId of connected.keys()) presence.touch(deviceId, until);
  for (const people of portions([...new Set(connected.values())], PEOPLE_AT_ONCE)) {
    const versions = await readVersions(database.read, people);
    const serverTime = iso(database.clock.now());
    for (const [personId, version] of versions)
      io.local.to(personRoom(personId)).except(WAITING).emit('heartbeat', { version, serverTime });
    await turn();
  }
}

function portions<One>(all: One[], size: number): One[][] {
  return Array.from({ length: Math.ceil(all.length / size) }, (_, at) => all.slice(at * size, (at + 1) * size));
}

function peopleByDevice(io: LiveServer): Map<string, string> {
  return new Map(Array.from(io.sockets.sockets.values(), ({ data: { device } }) => [device.id, device.person.id]));
}
