import { deepStrictEqual } from 'node:assert/strict';
import { describe, test, type TestContext } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { type Cable, type Fault, layCable } from '../hub/cable.ts';
import { type Chance, chanceOf, faultCases, faultSeed } from '../hub/chance.ts';
import { freePort, freshDatabase, startRedis } from '../hub/servers.ts';
import { openScene, type Scene } from './scene.ts';

const SEED = faultSeed();
const CASES = faultCases(3, 30);

describe(`a network that cuts, delays and loses, seed ${SEED}`, { timeout: 3_600_000 }, () => {
  for (const count of [2, 3])
    test(`[ASK1] [RES1] [LIV1] [DLV1] between ${count} nodes, Postgres, Redis, devices, endpoints and tools (${CASES} cases)`, async (t) => {
      // Of its own, so that a seed brings the same faults back, whatever the load does meanwhile.
      const chance = chanceOf(SEED + count);
      const { cables, scene } = await open(t, count);
      for (let number = 1; number <= CASES; number++) {
        const faults = chance.some([...cables.keys()], 1 + chance.below(3)).map((name) => ({ name, ...draw(chance) }));
        const what = faults.map(({ name, says }) => `${name} ${says}`).join(', ');
        console.log(`case ${number}: ${what}`);
        await scene.under(async () => {
          await pause(500);
          for (const { name, fault } of faults) cables.get(name)?.fault(fault);
          await pause(2_000 + chance.below(6_000));
          for (const { name } of faults) {
            cables.get(name)?.heal();
            // Of what was on its way some comes late, and some connections are gone.
            if (chance.below(2) === 0) cables.get(name)?.cut();
          }
        });
        await scene.isWhole();
      }
      const { ran, replied, webhooks } = await scene.isWhole();
      deepStrictEqual([ran > 0, replied > 0, webhooks > 0], [true, true, true]);
    });
});

const KINDS = ['refuses', 'vanishes', 'silent', 'silent to it', 'silent from it', 'slow', 'lossy'] as const;

function draw(chance: Chance): { says: string; fault: Fault } {
  const says = chance.of(KINDS);
  const bytes = chanceOf(chance.below(2 ** 32));
  if (says === 'slow') return { says, fault: { late: () => 50 + bytes.below(150) } };
  // What TCP makes of a lost packet: all behind it waits until it was sent again.
  if (says === 'lossy') return { says, fault: { late: () => (bytes.below(10) < 3 ? 200 + bytes.below(1_500) : 0) } };
  return { says, fault: says };
}

/** Each link of the scene is a cable of its own. */
async function open(t: TestContext, count: number): Promise<{ cables: Map<string, Cable>; scene: Scene }> {
  const cleaning = new AsyncDisposableStack();
  t.after(() => cleaning.disposeAsync());
  const database = cleaning.adopt(await freshDatabase(), ({ drop }) => drop());
  const redis = cleaning.adopt(await startRedis(), ({ kill }) => kill());
  const cables = new Map<string, Cable>();
  const lay = async (name: string, url: string): Promise<string> => {
    const cable = cleaning.adopt(await layCable(url), ({ close }) => close());
    cables.set(name, cable);
    return cable.url.replace(/\/$/, '');
  };
  const settings: Record<string, string>[] = [];
  for (let node = 1; node <= count; node++) {
    const port = String(await freePort());
    settings.push({
      PORT: port,
      NODE_URL: await lay(`node ${node} from others`, `http://127.0.0.1:${port}`),
      DATABASE_URL: await lay(`node ${node} to Postgres`, database.url),
      REDIS_URL: await lay(`node ${node} to Redis`, redis.url),
    });
  }
  const scene = cleaning.adopt(
    await openScene((node) => settings[node] ?? {}, chanceOf(SEED), count, lay),
    ({ remove }) => remove(),
  );
  return { cables, scene };
}
