import type { Inquiry } from '#shared/inquiry.ts';
import { call } from '../hub/call.ts';
import type { Hub } from '../hub/hub.ts';
import { openPage } from '../hub/page.ts';
import type { Credentials } from './fill.ts';

/** Replies by who asked for them and where. */
export type Told = Record<string, unknown>;

const LISTS = {
  device: [
    'people/me',
    'people/me/sources',
    'people?limit=100',
    'groups?limit=100',
    'sources?limit=100',
    'devices',
    'devices/me/subscription',
    'inbox?limit=100',
    'history?limit=100',
    'notices?limit=100',
    'policies',
    'policies/hub',
    'yolo',
    'deciders',
    'gates',
    'connections',
  ],
  source: ['inquiries?limit=100', 'deliveries?limit=100'],
};
const EACH = { device: ['', '/deliveries', '/runs', '/context', '/reply'], source: ['', '/deliveries'] };

/** When it was read. */
const OF_THE_READING = new Set(['usedAt', 'seenAt', 'serverTime']);

/** All that a hub tells its people and its sources, over HTTP and live. */
export async function readAll(hub: Hub, credentials: Credentials): Promise<Told> {
  const told: Told = {};
  const get = async (who: keyof Credentials, path: string): Promise<unknown> => {
    const { status, body } = await call(hub, `GET ${path}`, { token: credentials[who] });
    if (status !== 404) told[`${who} ${path}`] = status === 200 ? body : { status, body };
    return body;
  };
  for (const who of ['owner', 'bob', 'asker', 'told'] as const) {
    const kind = who === 'owner' || who === 'bob' ? 'device' : 'source';
    const ids = new Set<string>();
    for (const list of LISTS[kind]) {
      const body = (await get(who, `/v1/${list}`)) as { items?: Inquiry[] };
      for (const { id } of body.items ?? []) {
        if (id?.startsWith('inq_')) ids.add(id);
        if (list === 'connections') await get(who, `/v1/connections/${id}/contacts`);
      }
    }
    for (const id of ids) for (const part of EACH[kind]) await get(who, `/v1/inquiries/${id}${part}`);
    if (kind === 'device') told[`${who} live`] = await snapshotOf(hub, who, credentials[who]);
  }
  const text = JSON.stringify(told, (name, value: unknown) => (OF_THE_READING.has(name) ? undefined : value));
  // Each start has another port.
  return JSON.parse(text.replaceAll(`localhost:${new URL(hub.url).port}`, 'localhost')) as Told;
}

async function snapshotOf(hub: Hub, handle: string, token: string): Promise<unknown> {
  const page = await openPage(hub, { id: '', name: '', personId: '', handle, token });
  const snapshot = page.of('snapshot').at(-1);
  page.close();
  return snapshot;
}
