import { privatePostgres } from '../server/platform/testing/postgres.ts';
import { connect, cycle, disconnect } from './bench/cycle.ts';
import { type McpFigures, measureMcp } from './bench/gate.ts';
import { WAITING } from './bench/mcp-waiting.ts';
import { CROWD, memoryOf, startBare, startHub, type Target } from './bench/target.ts';

const ROUNDS = 6;
const ALONE_CYCLES = 150;
const TOGETHER_MS = 4_000;
const FAN_OUTS = 15;
const STARTS = 5;

type Figures = { p50Ms: number; p99Ms: number; cyclesPerSecond: number; fanOutMs: number; bytesPerDevice: number };
type Samples = { alone: number[]; together: number[]; fanOut: number[]; memory: number[] };

/**
 * Measures hubs and bare server in alternating rounds of one run, so that a noisy machine disturbs all alike.
 * Memory comes first, on fresh processes; the first round only warms up.
 */
async function compare(targets: Target[]): Promise<Map<string, Figures>> {
  const samples = new Map<string, Samples>();
  for (const target of targets) samples.set(target.name, { alone: [], together: [], ...(await measureCrowd(target)) });
  for (let round = -1; round < ROUNDS; round++) {
    for (const target of round % 2 ? targets : targets.toReversed()) {
      const measured = await measureOnce(target);
      if (round < 0) continue;
      for (const name of ['alone', 'together'] as const) samples.get(target.name)?.[name].push(...measured[name]);
    }
  }
  return new Map([...samples].map(([name, sample]) => [name, figuresOf(sample)]));
}

async function measureOnce(target: Target): Promise<Pick<Samples, 'alone' | 'together'>> {
  const everybody = await Promise.all(target.people.map((who) => connect(target, who.tokens)));
  const alone: number[] = [];
  const [person, devices] = [target.people[0], everybody[0]];
  if (person && devices)
    for (let at = 0; at < ALONE_CYCLES; at++)
      alone.push((await cycle(target, person, devices, `alone ${Math.random()}`)).ms);
  const begun = performance.now();
  let cycles = 0;
  await Promise.all(
    target.people.map(async (who, at) => {
      const own = everybody[at];
      while (own && performance.now() - begun < TOGETHER_MS) {
        await cycle(target, who, own, `together ${Math.random()}`);
        cycles++;
      }
    }),
  );
  const together = [(cycles * 1000) / (performance.now() - begun)];
  everybody.forEach(disconnect);
  return { alone, together };
}

async function measureCrowd(target: Target): Promise<Pick<Samples, 'fanOut' | 'memory'>> {
  const before = memoryOf(target.pid);
  const devices = await connect(target, target.crowd.tokens);
  const memory = [(memoryOf(target.pid) - before) / CROWD];
  const fanOut: number[] = [];
  for (let at = 0; at < FAN_OUTS; at++)
    fanOut.push((await cycle(target, target.crowd, devices, `crowd ${Math.random()}`)).withdrawMs);
  disconnect(devices);
  return { fanOut, memory };
}

function figuresOf({ alone, together, fanOut, memory }: Samples): Figures {
  return {
    p50Ms: quantile(alone, 0.5),
    p99Ms: quantile(alone, 0.99),
    cyclesPerSecond: quantile(together, 0.5),
    fanOutMs: quantile(fanOut, 0.5),
    bytesPerDevice: quantile(memory, 0.5),
  };
}

function quantile(values: number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? NaN;
}

const AIMS: { figure: keyof Figures; title: string; aim: string }[] = [
  { figure: 'p50Ms', title: 'one person, latency p50', aim: '<= 2.0' },
  { figure: 'p99Ms', title: 'one person, latency p99', aim: '<= 2.0' },
  { figure: 'cyclesPerSecond', title: '20 people at once, cycles/s', aim: '>= 0.75' },
  { figure: 'fanOutMs', title: `withdraw to ${CROWD} sockets, p50`, aim: '<= 1.3' },
  { figure: 'bytesPerDevice', title: 'memory per idle device', aim: '<= 1.3' },
];

const postgres = await privatePostgres();
const { url } = await postgres.createDatabase();
const [bare, sqlite, pg] = [await startBare(), await startHub('SQLite'), await startHub('Postgres', url)];
try {
  const figures = await compare([bare, sqlite, pg]);
  const starts = { SQLite: await startTimes(sqlite.restart), Postgres: await startTimes(pg.restart) };
  const base = figures.get(bare.name);
  const report = Object.fromEntries(
    [sqlite, pg].map(({ name }) => {
      const own = figures.get(name);
      const ratios = Object.fromEntries(
        AIMS.map(({ figure }) => [figure, own && base ? own[figure] / base[figure] : NaN]),
      );
      return [name, { figures: own, ratios, readyMs: starts[name as keyof typeof starts] }];
    }),
  );
  const mcp = await measureMcp();
  if (process.argv.includes('--json'))
    process.stdout.write(`${JSON.stringify({ bare: base, ...report, mcp: mcpReport(mcp) }, null, 2)}\n`);
  else {
    print(base, report as never);
    printMcp(mcp);
  }
} finally {
  await Promise.all([bare.stop(), sqlite.stop(), pg.stop()]);
  await postgres.stop();
}

async function startTimes(restart: () => Promise<number>): Promise<number> {
  const times: number[] = [];
  for (let at = 0; at < STARTS; at++) times.push(await restart());
  return quantile(times, 0.5);
}

function print(
  base: Figures | undefined,
  report: Record<string, { figures: Figures; ratios: Record<string, number>; readyMs: number }>,
): void {
  for (const [name, { figures, ratios, readyMs }] of Object.entries(report)) {
    process.stdout.write(`\nHub on ${name} against a bare socket.io server in the same run\n`);
    for (const { figure, title, aim } of AIMS) {
      process.stdout.write(
        `  ${title.padEnd(34)} ${ratios[figure]?.toFixed(2).padStart(6)}x  (aim ${aim}; ${figures[figure].toFixed(1)} against ${base?.[figure].toFixed(1)})\n`,
      );
    }
    process.stdout.write(
      `  ${'process start to ready'.padEnd(34)} ${(readyMs / 1000).toFixed(2).padStart(6)} s  (aim <= 1.0)\n`,
    );
  }
}

function mcpReport({ directMs, gateMs, waiting }: McpFigures) {
  const [direct, gate] = [quantile(directMs, 0.5), quantile(gateMs, 0.5)];
  return { p50Ms: { direct, gate, gateAdds: gate - direct }, waiting };
}

function printMcp(figures: McpFigures): void {
  const { p50Ms, waiting } = mcpReport(figures);
  const { HTTP: base, ...others } = waiting;
  const lines = [
    `${'a call that needs no approval'.padEnd(34)} ${p50Ms.gateAdds.toFixed(2).padStart(6)} ms more through the gate at p50  (aim <= 2.0; ${p50Ms.gate.toFixed(2)} against ${p50Ms.direct.toFixed(2)})`,
    ...Object.entries(others).flatMap(([name, { bytesPerCall, answerMs }]) => [
      `${`${WAITING} waiting in ${name}, memory`.padEnd(34)} ${(bytesPerCall / base.bytesPerCall).toFixed(2).padStart(6)}x  (${kib(bytesPerCall)} KiB a call against ${kib(base.bytesPerCall)})`,
      `${`${WAITING} waiting in ${name}, answered`.padEnd(34)} ${(answerMs / base.answerMs).toFixed(2).padStart(6)}x  (all in ${(answerMs / 1000).toFixed(2)} s against ${(base.answerMs / 1000).toFixed(2)})`,
    ]),
  ];
  process.stdout.write(`\nMCP on SQLite, waiting calls against as many asks over HTTP\n  ${lines.join('\n  ')}\n`);
}

function kib(bytes: number): string {
  return (bytes / 1024).toFixed(0);
}
