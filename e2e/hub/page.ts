import { io, type Socket } from 'socket.io-client';
import { LIVE_PATH, LIVE_PROTOCOL, type DeviceToHub, type HubToDevice } from '#shared/live.ts';
import type { Problem } from '#shared/problem.ts';
import type { Device } from './people.ts';
import { until } from './until.ts';

type Heard<Name extends keyof HubToDevice> = Parameters<HubToDevice[Name]>[0];

/** An open page of a device: it remembers what it hears and does nothing by itself. */
export type Page = {
  device: Device;
  socket: Socket;
  of<Name extends keyof HubToDevice>(name: Name): Heard<Name>[];
  /** Sends an event; rejects when no acknowledgement came in 30 s. */
  send<T>(name: keyof DeviceToHub | (string & {}), ...body: unknown[]): Promise<T & { problem?: Problem }>;
  close(): void;
};

/** A page that is not let in yet, or never. */
export function connectPage(
  hub: { url: string },
  auth: unknown,
  options: { reconnection?: boolean; extraHeaders?: Record<string, string> } = {},
): Socket {
  return io(hub.url, {
    path: LIVE_PATH,
    transports: ['websocket'],
    auth: auth as Record<string, unknown>,
    forceNew: true,
    reconnection: false,
    ...options,
  });
}

/** A page of a device once its first snapshot is there. */
export async function openPage(hub: { url: string }, device: Device, { reconnection = false } = {}): Promise<Page> {
  const socket = connectPage(hub, { protocol: LIVE_PROTOCOL, token: device.token }, { reconnection });
  socket.io.reconnectionDelay(50);
  socket.io.reconnectionDelayMax(500);
  const heard = new Map<string, unknown[]>();
  socket.onAny((name: string, event: unknown) => {
    const events = heard.get(name) ?? [];
    events.push(event);
    heard.set(name, events);
  });
  const of = <Name extends keyof HubToDevice>(name: Name) => (heard.get(name) ?? []) as Heard<Name>[];
  await until('a snapshot', () => of('snapshot').length > 0);
  return {
    device,
    socket,
    of,
    send: async (name, ...body) => socket.timeout(30_000).emitWithAck(name, ...body),
    close: () => void socket.disconnect(),
  };
}

type Live = { version: number };

/** What a page does when a heartbeat is ahead of it (DESIGN section 5, "Live"). */
export function syncWhenBehind({ socket, of }: Page): void {
  socket.on('heartbeat', ({ version }: Live) => {
    const seen = [...of('snapshot'), ...of('inquiry'), ...of('withdraw')].map((event: Live) => event.version);
    if (version > Math.max(...seen)) socket.emit('sync', {}, () => {});
  });
}
