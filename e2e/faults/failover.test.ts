import { deepStrictEqual } from 'node:assert/strict';
import { describe, test, type TestContext } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import type { Inquiry } from '#shared/inquiry.ts';
import { call, must } from '../hub/call.ts';
import { chanceOf, faultCases, faultSeed } from '../hub/chance.ts';
import { until } from '../hub/until.ts';
import { type Cluster, startBouncer, startCluster } from './cluster.ts';
import { openScene, type Scene, shown } from './scene.ts';

const SEED = faultSeed();
const RESTARTS = faultCases(2, 10);
/** From the moment on at which a server takes writes. */
const RECOVERED_MS = 15_000;
const MAY_LOSE = /a failover of Postgres may lose asks and answers of the last moments/;

describe(`Postgres fails over, seed ${SEED}`, { timeout: 3_600_000 }, () => {
  test('[ASK1] [RES1] a primary is killed under load: with a synchronous standby nothing acknowledged is lost', async (t) => {
    const { cluster, scene } = await open(t, { synchronous: true });
    const [first, second] = scene.nodes.nodes;
    const asked = await must<Inquiry>(first, 'POST /v1/inquiries', {
      token: scene.source.key,
      body: { prompt: 'Before?' },
    });
    const waiting = call<Inquiry>(second!, `GET /v1/inquiries/${asked.id}?wait=60`, { token: scene.source.key });
    const recovered = await scene.under(async () => {
      await pause(2_000);
      await cluster.primary.kill();
      await pause(500);
      await cluster.promote();
      const since = await recovery(scene);
      await pause(2_000);
      return since;
    });
    console.log('ms after the standby took writes:', recovered);
    const { token } = scene.devices[0]!;
    const said = { token, body: { text: 'after' } };
    await must(first, `POST /v1/inquiries/${asked.id}/answer`, said);
    const { body } = await waiting;
    const warned = scene.nodes.nodes.map((hub) => MAY_LOSE.test(hub.log()));
    deepStrictEqual(
      [Object.values(recovered).filter((ms) => ms > RECOVERED_MS), body.resolution?.answer, warned],
      [[], { text: 'after' }, [false, false]],
    );
    // Its supervisor starts the old primary, which takes writes too: nobody may go back to it.
    await cluster.primary.start();
    await scene.under(() => pause(7_000));
    await scene.isWhole();
  });

  test('without a synchronous standby the start says what a failover may lose', async (t) => {
    const { cluster, scene } = await open(t, { synchronous: false });
    deepStrictEqual(
      scene.nodes.nodes.map((hub) => MAY_LOSE.test(hub.log())),
      [true, true],
    );
    await cluster.primary.kill();
    await cluster.promote();
    const recovered = await recovery(scene);
    console.log('ms after the standby took writes:', recovered);
    deepStrictEqual(
      Object.values(recovered).filter((ms) => ms > RECOVERED_MS),
      [],
    );
  });

  for (const pooled of [false, true])
    test(`[ASK1] [RES1] Postgres restarts every 5 to 10 s${pooled ? ' behind PgBouncer' : ''}, ${RESTARTS} times`, async (t) => {
      const cluster = await startCluster({ synchronous: false });
      t.after(() => cluster.remove());
      await cluster.standby.kill();
      const bouncer = pooled ? await startBouncer(cluster.primary) : undefined;
      t.after(() => bouncer?.remove());
      const chance = chanceOf(SEED);
      const scene = await openScene({ DATABASE_URL: bouncer?.url ?? cluster.primary.url }, chance);
      t.after(() => scene.remove());
      const slowest = await scene.under(async () => {
        let most = 0;
        for (let number = 0; number < RESTARTS; number++) {
          await pause(5_000 + chance.below(5_000));
          await cluster.primary.kill();
          await cluster.primary.start();
          most = Math.max(most, ...Object.values(await recovery(scene)));
        }
        return most;
      });
      const figures = await scene.isWhole();
      console.log(`${RESTARTS} restarts, all recovered within ${slowest} ms:`, figures);
      deepStrictEqual([slowest <= RECOVERED_MS, figures.replied > 0, figures.webhooks > 0], [true, true, true]);
    });
});

async function open(
  t: TestContext,
  how: Parameters<typeof startCluster>[0],
): Promise<{ cluster: Cluster; scene: Scene }> {
  const cleaning = new AsyncDisposableStack();
  t.after(() => cleaning.disposeAsync());
  const cluster = cleaning.adopt(await startCluster(how), ({ remove }) => remove());
  const settings = { DATABASE_URL: cluster.url };
  const scene = cleaning.adopt(await openScene(settings, chanceOf(SEED)), ({ remove }) => remove());
  return { cluster, scene };
}

/** How many ms it takes until each node asks, tells its devices, wakes who waits, and does what is due by itself. */
async function recovery({ nodes, source, devices, pages }: Scene): Promise<Record<string, number>> {
  const began = performance.now();
  const took: Record<string, number> = {};
  const { token } = devices[0]!;
  const lines = nodes.nodes.map(async (node, at) => {
    const other = nodes.nodes[(at + 1) % nodes.nodes.length]!;
    const note = (what: string) => (took[`${what} on node ${at + 1}`] = Math.round(performance.now() - began));
    const insist = <T>(hub: typeof node, route: string, calling: { token: string; body?: unknown }) =>
      until(route, async () => {
        const reply = await call<T>(hub, route, { ...calling, signal: AbortSignal.timeout(5_000) }).catch(
          () => undefined,
        );
        return reply && reply.status < 300 && reply.body;
      });
    const [back, late] = [`Back ${began} on node ${at + 1}?`, `Too late ${began} on node ${at + 1}?`];
    const body = { prompt: back, key: back, deadline: 3_600 };
    const { id } = await insist<Inquiry>(node, 'POST /v1/inquiries', { token: source.key, body });
    note('asks');
    const due = { prompt: late, key: late, deadline: 1 };
    const expired = insist<Inquiry>(node, 'POST /v1/inquiries?wait=60', { token: source.key, body: due });
    const heard = until('a page to show it', () => pages.some((page) => shown(page).includes(id)));
    const waits = insist<Inquiry>(other, `GET /v1/inquiries/${id}?wait=30`, { token: source.key });
    await heard;
    note('tells devices');
    await insist(node, `POST /v1/inquiries/${id}/answer`, { token, body: { text: 'back' } });
    await waits;
    note('wakes who waits on the other, of one asked');
    await expired;
    note('expires, a second after its deadline is set,');
  });
  await Promise.all(lines);
  return took;
}
