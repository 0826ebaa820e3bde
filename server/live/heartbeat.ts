import { signedInAmong, type Presence } from '../devices/presence.ts';
import { versionsOf } from '../inquiries/read.ts';
import { iso } from '../platform/clock.ts';
import type { Database } from '../platform/database.ts';
import { signOut } from './border/admit.ts';
import { personRoom, WAITING, type Hub } from './border/sockets.ts';

/** A device counts as live this long after it was last seen: one heartbeat may fail. */
export const LIVE_FOR_MS = 40_000;

/** Closes the sockets of devices that were revoked or ran out: one statement for all that are connected to this node. */
export async function signOutRevoked(hub: Hub, database: Database): Promise<void> {
  const connected = [...peopleByDevice(hub).keys()];
  const signedIn = await signedInAmong(database, connected);
  for (const deviceId of connected) if (!signedIn.has(deviceId)) signOut(hub, deviceId);
}

/**
 * One look at everybody connected to this node: their devices count as live for 40 s more, and each person's version
 * goes out, by which a device notices what it missed.
 */
export async function beat(hub: Hub, database: Database, presence: Presence): Promise<void> {
  const connected = peopleByDevice(hub);
  if (connected.size === 0) return;
  const until = database.clock.now() + LIVE_FOR_MS;
  for (const deviceId of connected.keys()) presence.touch(deviceId, until);
  const versions = await versionsOf(database.read, [...new Set(connected.values())]);
  const serverTime = iso(database.clock.now());
  for (const [personId, version] of versions)
    hub.local.to(personRoom(personId)).except(WAITING).emit('heartbeat', { version, serverTime });
}

function peopleByDevice(hub: Hub): Map<string, string> {
  return new Map(Array.from(hub.sockets.sockets.values(), ({ data: { device } }) => [device.id, device.person.id]));
}
