import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { addDevice } from '../../../server/devices/admit.ts';
import { ensureOwner } from '../../../server/people/owner.ts';
import { send } from '../calls.ts';
import { quantile } from '../machine.ts';
import { rowOf, type Row } from '../report.ts';
import { runChild, runHub, type Running } from '../target.ts';
import { openStreams, type Stream } from './streams.ts';

const CHUNKS = 1_000;
const MANY = 100;
/** As many as are opened: what a process takes once for its first streams is not counted with each. */
const WARM = 1_000;
const OPEN = 500;
/** Until every idle stream has said something more. */
const REST_MS = 1_500;

/** What stands before a platform, and where it is called. */
type Proxy = Pick<Running, 'memory'> & { at: string };
type Memory = { used: number; resident: number };

/** What a stream through the hub costs; `bare` is the least proxy that Node can be. */
export async function measureRelay(): Promise<Row[]> {
  await using running = new AsyncDisposableStack();
  const child = async (file: string, ...args: string[]): Promise<Running> =>
    running.adopt(await runChild([join(import.meta.dirname, file), ...args]), ({ stop }) => stop());
  const { url: platform } = await child('platform.ts');
  const hub = running.adopt(
    await runHub({}, async (database) => {
      const { id } = await ensureOwner(database);
      return { token: (await addDevice(database, id, 'bench')).accessToken };
    }),
    ({ stop }) => stop(),
  );
  const asked = { name: 'Bench', kind: 'chatcompletions', baseUrl: platform, answerUrl: `${platform}/answer` };
  const { url } = await send<{ url: string }>(hub, '/v1/connections', hub.token, asked);
  // Each on fresh processes, which hold nothing of the streams before.
  const fresh = async (): Promise<{ hub: Proxy; bare: Proxy }> => {
    await hub.restart();
    const bare = await child('bare.ts', platform);
    return {
      hub: { at: hub.url + new URL(url).pathname, memory: hub.memory },
      bare: { at: bare.url, memory: bare.memory },
    };
  };
  const rows: Row[] = [];
  for (const streams of [1, MANY]) rows.push(await delayRow(platform, await fresh(), streams));
  const idle = await fresh();
  const [own, bare] = [await memoryOf(idle.hub), await memoryOf(idle.bare)];
  for (const [at, streams] of [OPEN, 2 * OPEN].entries()) {
    const row = (name: string, kind: keyof Memory): Row =>
      rowOf(
        { name: `${name} per stream, ${streams} open`, engine: 'sqlite', unit: 'KiB' },
        { hub: [own[at]![kind]], bare: [bare[at]![kind]] },
      );
    rows.push(row('heap and buffers', 'used'), row('memory of the process', 'resident'));
  }
  return rows;
}

/** What a chunk takes more than straight from the platform, all ways in turn, in ms. */
async function delayRow(platform: string, { hub, bare }: { hub: Proxy; bare: Proxy }, count: number): Promise<Row> {
  const ways = { straight: platform, hub: hub.at, bare: bare.at };
  const delays: Record<string, number[]> = {};
  const all: Stream[] = [];
  for (const [way, at] of Object.entries(ways)) {
    const streams = await openStreams(`${at}/timed`, count);
    all.push(...streams);
    const heard = (delays[way] = [] as number[]);
    for (const stream of streams) stream.hear = (ms) => heard.push(ms);
  }
  while (Object.values(delays).some(({ length }) => length < 2 * CHUNKS)) await pause(50);
  for (const stream of all) stream.close();
  // The first of them only warm up.
  const [straight, own, least] = ['straight', 'hub', 'bare'].map((way) =>
    quantile(delays[way]!.slice(CHUNKS), 0.5),
  ) as [number, number, number];
  const name = `p50 of a chunk, more than straight, ${count === 1 ? 'one stream' : `${count} streams`}`;
  return rowOf({ name, engine: 'sqlite', unit: 'ms' }, { hub: [own - straight], bare: [least - straight] });
}

/** What a process needs more for each stream, with so many open and with twice as many, in KiB. */
async function memoryOf({ at, memory }: Proxy): Promise<Memory[]> {
  for (const stream of await openStreams(`${at}/idle`, WARM)) stream.close();
  await pause(REST_MS);
  const before = await memory();
  const open: Stream[] = [];
  const found: Memory[] = [];
  for (let turn = 0; turn < 2; turn++) {
    open.push(...(await openStreams(`${at}/idle`, OPEN)));
    await pause(REST_MS);
    const after = await memory();
    const each = (bytes: number): number => bytes / open.length / 1024;
    found.push({
      used: each(after.heapUsed + after.external - before.heapUsed - before.external),
      resident: each(after.rss - before.rss),
    });
  }
  for (const stream of open) stream.close();
  return found;
}
