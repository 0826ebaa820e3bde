import type { Announce } from '../devices/admit.ts';
import type { Automation } from '../automation/automation.ts';
import type { Signals } from '../platform/nodes/signals.ts';
import { iso, type Clock } from '../platform/clock.ts';
import { signOut } from './border/admit.ts';
import { deviceRoom, personRoom, WAITING, type LiveServer } from './border/sockets.ts';

/** Versions that the socket which answered was not told, kept until its answer is acknowledged with them. */
export type ExceptSocket = Map<string, number>;
export const exceptSocketKey = (screen: string, inquiryId: string) => `${screen} ${inquiryId}`;

/** Tells people's devices on all nodes. One emit for each person, because it carries their version: encoded once, however many sockets. */
export function announceInquiries(io: LiveServer, exceptSocket: ExceptSocket, clock: Clock): Automation['announce'] {
  const at = (personId: string) => io.to(personRoom(personId));
  const to = (personId: string) => at(personId).except(WAITING);
  return {
    yolo: (personId, event) => void to(personId).emit('yolo', event),
    inquiry({ inquiry, versions }) {
      for (const { personId, version } of versions) to(personId).emit('inquiry', { version, inquiry });
    },
    moved(versions) {
      const serverTime = iso(clock.now());
      for (const { personId, version } of versions) to(personId).emit('heartbeat', { version, serverTime });
    },
    withdraw({ inquiryId, resolution, versions, spare }) {
      const screen = spare === undefined ? undefined : io.sockets.sockets.get(spare);
      const except = spare === undefined ? WAITING : [WAITING, spare];
      for (const { personId, version } of versions) {
        at(personId).except(except).emit('withdraw', { version, inquiryId, resolution });
        if (screen?.data.device.person.id === personId)
          exceptSocket.set(exceptSocketKey(screen.id, inquiryId), version);
      }
    },
    later: ({ personId, ...event }) => void to(personId).emit('later', event),
    proposal({ inquiryId, proposal, versions }) {
      const event = { inquiryId, ...(proposal ? { proposal } : {}) };
      for (const { personId, version } of versions) to(personId).emit('proposal', { version, ...event });
    },
    notTaken: ({ personIds, ...event }) => personIds.forEach((id) => at(id).emit('not_taken', event)),
    asker: ({ personIds, ...event }) => personIds.forEach((id) => at(id).emit('asker', event)),
    pickedUp: ({ personIds, ...event }) => personIds.forEach((id) => at(id).emit('picked_up', event)),
  };
}

export function announceDevices(io: LiveServer, signals: Signals): Announce {
  return {
    toPerson: (id, name, event) => void io.to(personRoom(id)).emit(name, ...([event] as never)),
    toDevice: (id, name, event) => void io.to(deviceRoom(id)).emit(name, ...([event] as never)),
    revoked(deviceId) {
      signOut(io, deviceId);
      // Its calls that wait read again, and are refused.
      signals.publish(deviceId);
    },
  };
}
