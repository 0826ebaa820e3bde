import { deepStrictEqual } from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { Webhook } from 'standardwebhooks';
import type { AnswerReply, Resolution } from '#shared/answer.ts';
import type { Inquiry } from '#shared/inquiry.ts';
import type { NewSourceReply } from '#shared/wire.ts';
import type { WebhookDelivery } from '#shared/schemas/deliveries.ts';
import { all, must } from './hub/call.ts';
import { casesOf, chanceOf, seedsOf } from './hub/chance.ts';
import { differences } from './hub/differences.ts';
import { startEndpoint, type Hook } from './hub/endpoint.ts';
import type { Hub } from './hub/hub.ts';
import { startNodes, type Engine, type Nodes } from './hub/nodes.ts';
import { openPage } from './hub/page.ts';
import { addDevices, addSource, ownerDevice, type Device } from './hub/people.ts';
import { until } from './hub/until.ts';

const ASKS = casesOf(300, 2_000);
const AT_ONCE = 24;
const SOURCES = 4;
const DEVICES = 4;
/** A claim of the dead lasts 30 s; then come the tries that the endpoint turned down. */
const DELIVERED_MS = 120_000;

type Told = { type: string; data: Inquiry; id: unknown };
type Source = NewSourceReply & { endpoint: Awaited<ReturnType<typeof startEndpoint>>; told: Told[] };
type Kept = { id: string; source: Source; resolution: Resolution | undefined };

describe('kill -9 in the midst of asking and answering', { concurrency: true }, () => {
  for (const engine of ['SQLite', 'Postgres'] as const)
    for (const seed of seedsOf(`crash on ${engine}`)) crash(engine, seed);
});

function crash(engine: Engine, seed: number): void {
  describe(`three times on ${engine}, seed ${seed}`, { timeout: 280_000, concurrency: 1 }, () => {
    const chance = chanceOf(seed);
    // Of about 1.75 acknowledgements for each ask; a call that was under way is sent again with its key or answerId.
    const killAfter = [0.2, 0.7, 1.2].map((from) => Math.round(ASKS * (from + 0.4 * chance.number())));
    let nodes: Nodes;
    let hub: Hub;
    let devices: Device[];
    let sources: Source[];
    let kept: Kept[];
    let kills = 0;
    const denied = new Set<unknown>();
    const forged: unknown[] = [];

    before(async () => {
      nodes = await startNodes(engine);
      [hub] = nodes.nodes;
      const owner = await ownerDevice(hub);
      devices = [owner, ...(await addDevices(hub, owner, DEVICES - 1))];
      sources = [];
      while (sources.length < SOURCES) {
        const at = sources.length;
        const endpoint = await startEndpoint((hook) => receive(sources[at] as Source, hook));
        const webhookUrl = `${endpoint.url}/hook`;
        sources.push({ ...(await addSource(hub, owner, `Source ${at}`, { webhookUrl })), endpoint, told: [] });
      }
      kept = await live();
    });
    after(async () => {
      await Promise.all((sources ?? []).map(({ endpoint }) => endpoint.close()));
      await nodes?.remove();
    });

    /** Verifies on arrival: five minutes later a signature is too old. */
    function receive({ webhookSecret, told }: Source, hook: Hook): number {
      try {
        const { type, data } = new Webhook(webhookSecret).verify(
          hook.body,
          hook.headers as Record<string, string>,
        ) as Told;
        told.push({ type, data, id: hook.headers['webhook-id'] });
      } catch (error) {
        forged.push(error);
      }
      return sometimesDown(hook);
    }

    /** Turns every tenth delivery down at its first try, by an error or by silence. */
    function sometimesDown({ headers }: Hook): number {
      const id = headers['webhook-id'];
      if (denied.has(id) || chance.below(10) > 0) return 204;
      denied.add(id);
      return chance.of([0, 500, 503]);
    }

    async function live(): Promise<Kept[]> {
      const done: Kept[] = [];
      let next = 0;
      const lane = async (): Promise<void> => {
        for (let at = next++; at < ASKS; at = next++) done.push(await askAndAnswer(at));
      };
      await Promise.all(Array.from({ length: AT_ONCE }, lane));
      return done;
    }

    let acknowledged = 0;
    let restarted: Promise<void> = Promise.resolve();

    /** Calls until there is a reply, as an agent or an outbox does; the reply may be the signal for the next kill. */
    async function insist<T>(work: () => Promise<T>): Promise<T> {
      for (;;) {
        await restarted;
        try {
          const reply = await work();
          if (++acknowledged >= (killAfter[kills] ?? Infinity)) {
            kills++;
            restarted = hub.kill().then(() => hub.start());
          }
          return reply;
        } catch (error) {
          // A lost connection is tried again, and what the hub is too busy to store; any other refusal is its fault.
          if (!(error instanceof TypeError) && (error as Error).cause !== 503) throw error;
          await pause(20);
        }
      }
    }

    async function askAndAnswer(at: number): Promise<Kept> {
      const source = sources[at % SOURCES] as Source;
      const device = chance.of(devices);
      const { id } = await insist(() =>
        must<Inquiry>(hub, 'POST /v1/inquiries', {
          token: source.key,
          body: { prompt: `Question ${at}?`, key: `key ${at}` },
        }),
      );
      if (at % 4 === 3) return { id, source, resolution: undefined };
      const said = at % 10 === 0 ? { outcome: 'declined', message: `not ${at}` } : { text: `answer ${at}` };
      const body = { answerId: `answer ${at}`, ...said };
      const { won, resolution } = await insist(() =>
        must<AnswerReply>(hub, `POST /v1/inquiries/${id}/answer`, { token: device.token, body }),
      );
      deepStrictEqual([won, resolution.by.kind === 'person' && resolution.by.device.id], [true, device.id]);
      return { id, source, resolution };
    }

    const byId = <T extends { id: string }>(list: T[]): T[] => list.toSorted((a, b) => (a.id < b.id ? 1 : -1));

    test('[ASK1] [crash] every acknowledged ask exists, once, and every acknowledged answer is its resolution', async () => {
      await restarted;
      deepStrictEqual(kills, killAfter.length);
      const stored = await Promise.all(sources.map(({ key }) => all<Inquiry>(hub, '/v1/inquiries', key)));
      const wrong = sources.map((source, at) => {
        const own = byId(kept.filter((one) => one.source === source)).map(({ id, resolution }) => ({ id, resolution }));
        const found = (stored[at] ?? []).map(({ id, resolution }) => ({ id, resolution }));
        return differences(found, own);
      });
      deepStrictEqual(
        wrong,
        sources.map(() => []),
      );
    });

    test('[ASK1] [LIV1] [crash] every open inquiry is in every inbox and every snapshot', async () => {
      const open = byId(kept.filter(({ resolution }) => resolution === undefined)).map(({ id }) => id);
      const inboxes = await Promise.all(devices.map(({ token }) => all<Inquiry>(hub, '/v1/inbox', token)));
      deepStrictEqual(
        inboxes.map((inbox) => inbox.map(({ id }) => id)),
        devices.map(() => open),
      );
      const pages = await Promise.all(devices.map((device) => openPage(hub, device)));
      deepStrictEqual(
        pages.map((page) =>
          page.of('snapshot').map(({ inquiries, more }) => ({ ids: inquiries.map(({ id }) => id), more })),
        ),
        devices.map(() => [{ ids: open.slice(0, 200), more: open.length > 200 }]),
      );
      pages.forEach((page) => page.close());
    });

    test('[ASK1] [DLV1] [crash] every enqueued webhook arrives, under one id and never with a wrong signature', async () => {
      await until('every webhook', async () => (await owed()) === 0, DELIVERED_MS);
      for (const source of sources) {
        const told = new Map<string, Set<unknown>>();
        const resolutions = new Map<string, Resolution | undefined>();
        for (const { type, data, id } of source.told) {
          if (type !== 'inquiry.resolved') continue;
          told.set(data.id, (told.get(data.id) ?? new Set()).add(id));
          resolutions.set(data.id, data.resolution);
        }
        const resolved = byId(kept.filter((one) => one.source === source && one.resolution !== undefined));
        const arrived = [...resolutions].map(([id, resolution]) => ({
          id,
          resolution,
          deliveries: told.get(id)?.size,
        }));
        const owing = resolved.map(({ id, resolution }) => ({ id, resolution, deliveries: 1 }));
        deepStrictEqual(differences<unknown>(byId(arrived), owing), []);
      }
      deepStrictEqual([forged, denied.size > 0], [[], true]);
    });

    async function owed(): Promise<number> {
      const pending = await Promise.all(
        sources.map(({ key }) =>
          must<{ items: WebhookDelivery[] }>(hub, 'GET /v1/deliveries?state=pending&limit=1', { token: key }),
        ),
      );
      return pending.reduce((sum, { items }) => sum + items.length, 0);
    }
  });
}
