import type { Snapshot } from '#shared/live.ts';
import { BACKLOG_LIMIT, cut, measureBacklog } from './pressure.ts';
import { WAITING, type DeviceSocket } from './border/sockets.ts';

const SLOWEST_REPEAT_MS = 1_000;

export type Inbox = {
  /** Everything open for this device; `version` is read before the inquiries. */
  read(reader: { personId: string; deviceId: string }): Promise<Snapshot>;
  version(personId: string): Promise<number>;
  pause(ms: number): Promise<unknown>;
};

/**
 * Sends what is open, then lets the deltas through, so that none is missed between the two (LIV1).
 * Resolves with the version the device then stands at, or -1 when it was gone before.
 *
 * While the snapshot is read the socket is in its person's room and in WAITING, which every delta excepts. A delta
 * of that time is thereby dropped, not queued: it was committed before the socket left WAITING, so the version read
 * after that is above the snapshot's and the snapshot is sent anew. What is committed later finds the socket out of
 * WAITING and reaches it. The socket waits again for the second snapshot, since a delta let through while that is read
 * could be newer than it; one let through before shows the device a gap that the second snapshot closes.
 */
export function catchUp(socket: DeviceSocket, inbox: Inbox): Promise<number> {
  const { data } = socket;
  // One at a time, since the first to end would let deltas through to the second; whoever asks meanwhile shares the next.
  if (data.catching) {
    return (data.again ??= data.catching
      .catch(() => undefined)
      .then(() => {
        data.again = undefined;
        return catchUp(socket, inbox);
      }));
  }
  data.catching = sendUntilLevel(socket, inbox)
    .catch((error: unknown) => {
      // Left as it is, the socket would wait for ever; its page comes back and starts anew.
      cut(socket);
      throw error;
    })
    .finally(() => (data.catching = undefined));
  return data.catching;
}

async function sendUntilLevel(socket: DeviceSocket, inbox: Inbox): Promise<number> {
  const { id: deviceId, person } = socket.data.device;
  for (let repeat = 0; socket.connected; repeat++) {
    // Where a person's inquiries change faster than they can be read, the deltas do the work and the repeats slow down.
    if (repeat > 1) await inbox.pause(Math.min(50 * 2 ** repeat, SLOWEST_REPEAT_MS));
    if (measureBacklog(socket) > BACKLOG_LIMIT) {
      cut(socket);
      break;
    }
    void socket.join(WAITING);
    const snapshot = await inbox.read({ personId: person.id, deviceId });
    socket.emit('snapshot', snapshot);
    void socket.leave(WAITING);
    if ((await inbox.version(person.id)) <= snapshot.version) return snapshot.version;
  }
  return -1;
}
