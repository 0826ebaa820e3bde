import { Manager, type Socket } from 'socket.io-client';
import type { Ack, DeviceToHub, HubToDevice, Refused } from '#shared/live.ts';
import { isRevoked } from './api.ts';

type Live = Socket<HubToDevice, DeviceToHub>;
type Handlers = { [Event in keyof HubToDevice]: HubToDevice[Event] };
type Sent<Event extends keyof DeviceToHub> = Parameters<DeviceToHub[Event]>[0];
type Acked<Event extends keyof DeviceToHub> =
  Parameters<DeviceToHub[Event]>[1] extends Ack<infer Reply> ? Reply | Refused : never;

export type Line = {
  /** The hub's acknowledgement, or undefined when none came within `timeoutMs`. */
  send<Event extends keyof DeviceToHub>(
    event: Event,
    body: Sent<Event>,
    timeoutMs?: number,
  ): Promise<Acked<Event> | undefined>;
  connected(): boolean;
  reconnect(): void;
  close(): void;
};

export type LineParts = Handlers & { up(): void; down(): void; forgotten(): void; outdated(): void };

const PROTOCOL = 2;
const ACK_TIMEOUT_MS = 5000;

/**
 * Opens the live connection (DESIGN section 5, "Live"): WebSocket only, back again by itself after 0.5 to
 * 5 s, also when it was the hub that hung up. `forgotten` when the hub does not know the token any more,
 * `outdated` when it speaks another protocol than this page.
 */
export function openLine(token: string, parts: LineParts): Line {
  const { up, down, forgotten, outdated, ...handlers } = parts;
  const { hostname, port } = location;
  const manager = new Manager({
    // The library writes the brackets of an IPv6 address itself.
    hostname: hostname.replace(/[[\]]/g, ''),
    port,
    path: '/live',
    transports: ['websocket'],
    reconnectionDelay: 500,
    reconnectionDelayMax: 5000,
    timeout: 8000,
  });
  const socket: Live = manager.socket('/', { auth: { protocol: PROTOCOL, token } });
  let again: ReturnType<typeof setTimeout> | undefined;
  let closed = false;

  // socket.io comes back by itself after a lost line, but not after the hub refused or hung up.
  const comeBack = () => {
    clearTimeout(again);
    if (!closed && !socket.active) again = setTimeout(() => socket.connect(), 2000);
  };
  socket.on('connect', up);
  socket.on('disconnect', () => {
    down();
    comeBack();
  });
  socket.on('connect_error', (error: Error & { data?: { code?: unknown } }) => {
    if (isRevoked(error.data)) return forgotten();
    if (error.data?.code === 'live.protocol') outdated();
    down();
    comeBack();
  });
  for (const [event, handler] of Object.entries(handlers)) socket.on(event as keyof HubToDevice, handler);

  return {
    async send(event, body, timeoutMs = ACK_TIMEOUT_MS) {
      if (!socket.connected) return undefined;
      try {
        // One typed call per event name is more than TypeScript can follow here.
        return (await (socket as Socket).timeout(timeoutMs).emitWithAck(event, body)) as never;
      } catch {
        return undefined;
      }
    },
    connected: () => socket.connected,
    reconnect() {
      if (closed) return;
      clearTimeout(again);
      socket.disconnect().connect();
    },
    close() {
      closed = true;
      clearTimeout(again);
      socket.removeAllListeners();
      socket.disconnect();
    },
  };
}
