import type { Snapshot } from '#shared/live.ts';
import { cut, isBehind } from './pressure.ts';
import { WAITING, type DeviceSocket } from './sockets.ts';

export type Inbox = {
  /** Everything open for this device; `version` is read before the inquiries. */
  read(reader: { personId: string; deviceId: string }): Promise<Snapshot>;
  version(personId: string): Promise<number>;
};

/**
 * Sends what is open, then lets the deltas through, so that none is missed between the two (LIV1).
 * Resolves with the version the device then stands at, or -1 when it was gone before.
 *
 * While the snapshot is read the socket is in its person's room and in WAITING, which every delta excepts. A delta
 * of that time is thereby dropped, not queued: it was committed before the socket left WAITING, so the version read
 * after that is above the snapshot's and the snapshot is sent anew. What is committed later finds the socket out of
 * WAITING and reaches it. Waiting again for the second snapshot matters: a delta let through in between would be
 * newer than the snapshot that follows it.
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
  while (socket.connected) {
    if (isBehind(socket)) {
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
