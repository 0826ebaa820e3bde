import { setTimeout as pause } from 'node:timers/promises';
import { io, type Socket } from 'socket.io-client';
import { LIVE_PROTOCOL, type DeviceToHub, type HubToDevice } from '#shared/live.ts';
import type { Problem } from '#shared/problem.ts';

type Event = {
  [Name in keyof HubToDevice]: { name: Name; event: Parameters<HubToDevice[Name]>[0] };
}[keyof HubToDevice];
type Named<Name extends keyof HubToDevice> = Parameters<HubToDevice[Name]>[0];

/** A page that remembers all it heard and does nothing by itself. */
export type TestPage = {
  socket: Socket;
  heard: Event[];
  of<Name extends keyof HubToDevice>(name: Name): Named<Name>[];
  /** Ids of the inquiries it was shown. */
  shown: Set<string>;
  send(name: keyof DeviceToHub | (string & {}), body: unknown): Promise<Record<string, unknown>>;
  close(): void;
};

export function openPage(
  url: string,
  token: unknown,
  more: { protocol?: unknown; extraHeaders?: Record<string, string>; reconnection?: boolean } = {},
): TestPage {
  const { protocol = LIVE_PROTOCOL, reconnection = false, ...options } = more;
  const socket: Socket = io(url, {
    path: '/live',
    transports: ['websocket'],
    auth: { protocol, token },
    forceNew: true,
    reconnection,
    reconnectionDelay: 50,
    ...options,
  });
  const heard: Event[] = [];
  const shown = new Set<string>();
  socket.onAny((name, event) => {
    heard.push({ name, event } as Event);
    if (name === 'inquiry') shown.add((event as Named<'inquiry'>).inquiry.id);
  });
  return {
    socket,
    shown,
    heard,
    of: <Name extends keyof HubToDevice>(name: Name) =>
      heard.filter((one) => one.name === name).map(({ event }) => event as Named<Name>),
    send: async (name, body) => (await socket.timeout(20_000).emitWithAck(name, body)) as Record<string, unknown>,
    close: () => void socket.disconnect(),
  };
}

/** A page that stands level: it has heard one snapshot, and whatever happens from here on reaches it as an event. */
export async function openReadyPage(url: string, token: string): Promise<TestPage> {
  const page = openPage(url, token);
  await until(() => page.of('snapshot').length > 0, 'a snapshot');
  // What happened while the hub still looked whether this one was the last would come in another.
  await page.send('sync', {});
  page.heard.splice(
    0,
    page.heard.findLastIndex(({ name }) => name === 'snapshot'),
  );
  return page;
}

/** Why the hub did not let this page in. */
export async function refusal(page: TestPage): Promise<Problem & Record<string, unknown>> {
  const error = await new Promise<Error & { data?: Problem & Record<string, unknown> }>((refused) =>
    page.socket.once('connect_error', refused),
  );
  page.close();
  return error.data ?? ({ code: error.message } as Problem & Record<string, unknown>);
}

/** Waits for a condition, at most 20 s. */
export async function until(holds: () => boolean | Promise<boolean>, what: string): Promise<void> {
  const start = performance.now();
  for (; performance.now() < start + 20_000; await pause(5))
    if (await holds()) return void performance.measure('test: wait for a condition', { start });
  throw new Error(`waited 20 s in vain for ${what}`);
}

/** What is open according to this page, from its snapshots and the deltas above them; undefined while it misses a version. */
export function openOn(page: TestPage): string[] | undefined {
  let open = new Set<string>();
  let version = -1;
  let misses = true;
  const take = (next: number, change: () => void) => {
    if (next <= version) return;
    misses ||= next !== version + 1;
    version = next;
    change();
  };
  for (const { name, event } of page.heard) {
    if (name === 'snapshot') {
      if (event.version < version)
        throw new Error(`a snapshot of version ${event.version} came after version ${version}`);
      [open, version, misses] = [new Set(event.inquiries.map(({ id }) => id)), event.version, false];
    }
    if (name === 'inquiry') take(event.version, () => open.add(event.inquiry.id));
    if (name === 'withdraw') take(event.version, () => open.delete(event.inquiryId));
  }
  return misses ? undefined : [...open].toSorted();
}
