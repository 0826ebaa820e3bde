import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { connect, disconnect, type Asker } from './cycle.ts';
import { askAndWait, callTool, type Endpoint } from './mcp-calls.ts';
import { cpuMs, quantile } from './machine.ts';
import { together, type Size } from './measure.ts';
import { type Waiting, WAITING, waitingCalls } from './mcp-waiting.ts';
import { rowOf, type Row } from './report.ts';
import { startHub, type Target } from './target.ts';

const UPSTREAM = join(import.meta.dirname, 'gate-upstream.ts');
const WARM = 200;
const CALLS = 1000;
const TO = ['person0'];

/**
 * What MCP costs on SQLite: a call that needs no approval, straight and through the gate; and calls that wait, against
 * as many asks over HTTP, which stand in `bare`.
 */
export async function measureMcp(size: Size): Promise<Row[]> {
  const folder = mkdtempSync(join(tmpdir(), 'beckon-bench-'));
  const upstream = spawn(process.execPath, [UPSTREAM], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [url] = (await once(createInterface({ input: upstream.stdout }), 'line')) as [string];
  const file = join(folder, 'gates.json');
  const gates = {
    open: { upstream: { url }, otherwise: 'allow' },
    held: { upstream: { url }, otherwise: 'ask', to: TO },
  };
  writeFileSync(file, JSON.stringify({ gates }));
  const hub = await startHub({ settings: { GATES_FILE: file } });
  try {
    const added = await compare({ url }, { url: `${hub.url}/mcp/gate/open`, key: hub.key });
    const toolRow = await compareTool(hub, size);
    const http = await waitHttp(hub);
    const tool = await waitTool(hub);
    return [
      { name: 'a call that needs no approval, more through the gate', engine: 'sqlite', value: added, unit: 'ms' },
      toolRow,
      ...rowsOf('send_inquiry', tool, http),
      ...rowsOf('a gate', await waitGate(hub), http),
    ];
  } finally {
    upstream.kill();
    await hub.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

function rowsOf(where: string, own: Waiting, http: Waiting): Row[] {
  const of = (name: string, unit: string, figure: (waiting: Waiting) => number): Row =>
    rowOf(
      { name: `${name} waiting in ${where}`, engine: 'sqlite', unit },
      { hub: [figure(own)], bare: [figure(http)] },
    );
  return [
    of(`heap per call of ${WAITING}`, 'KiB', ({ heapPerCall }) => heapPerCall / 1024),
    of(`all answers to ${WAITING} calls`, 's', ({ answerMs }) => answerMs / 1000),
  ];
}

type Hub = Awaited<ReturnType<typeof startHub>>;

// Each on a fresh process, whose memory holds nothing of the one before.
async function waitHttp(hub: Hub): Promise<Waiting> {
  await hub.restart();
  const ask = (number: number) => askAndWait(hub, { prompt: `Question ${number}?`, to: TO });
  return waitingCalls(
    hub,
    ask,
    ({ prompt }) => ({ text: `To ${prompt}` }),
    (number) => `To Question ${number}?`,
  );
}

async function waitTool(hub: Hub): Promise<Waiting> {
  await hub.restart();
  const at = { url: `${hub.url}/mcp`, key: hub.key };
  const ask = (number: number) =>
    callTool(at, 'send_inquiry', { prompt: `Question ${number}?`, to: TO }, { progressToken: number });
  return waitingCalls(
    hub,
    ask,
    ({ prompt }) => ({ text: `To ${prompt}` }),
    (number) => `To Question ${number}?`,
  );
}

async function waitGate(hub: Hub): Promise<Waiting> {
  await hub.restart();
  const at = { url: `${hub.url}/mcp/gate/held`, key: hub.key };
  const approve = () => ({ decisions: [{ type: 'approve' }] });
  const call = (number: number) => callTool(at, 'greet', { name: `caller ${number}` });
  return waitingCalls(hub, call, approve, (number) => `Hello, caller ${number}!`);
}

const byTool: Asker = async ({ url, key }, { handle }, prompt) => {
  const { isError } = await callTool({ url: `${url}/mcp`, key }, 'send_inquiry', { prompt, to: [handle] });
  return { resolution: { outcome: isError ? 'failed' : 'answered' } };
};

/** The hub's CPU for a cycle that is asked with the tool; `bare`: over HTTP. */
async function compareTool(hub: Target, { rounds, warmCycles }: Size): Promise<Row> {
  const everybody = await Promise.all(hub.people.map((who) => connect(hub, who.tokens)));
  const cpuOf = async (asker?: Asker): Promise<number> => {
    const before = cpuMs(hub.pid);
    let begun = 0;
    const cycles = await together(hub, everybody, () => ++begun > warmCycles, asker);
    return (cpuMs(hub.pid) - before) / cycles;
  };
  const sides = { hub: [] as number[], bare: [] as number[] };
  // The first round only warms up.
  for (let round = -1; round < rounds; round++) {
    const [bare, own] = [await cpuOf(), await cpuOf(byTool)];
    if (round < 0) continue;
    sides.bare.push(bare);
    sides.hub.push(own);
  }
  everybody.forEach(disconnect);
  return rowOf({ name: 'CPU of a cycle asked with send_inquiry', engine: 'sqlite', unit: 'ms' }, sides);
}

// One call after the other, in turn on both ways, so that a noisy machine disturbs both alike.
async function compare(direct: Endpoint, gate: Endpoint): Promise<number> {
  const times = { direct: [] as number[], gate: [] as number[] };
  for (let at = -WARM; at < CALLS; at++) {
    for (const [name, endpoint] of [
      ['direct', direct],
      ['gate', gate],
    ] as const) {
      const begun = performance.now();
      await callTool(endpoint, 'greet', { name: 'you' });
      if (at >= 0) times[name].push(performance.now() - begun);
    }
  }
  return quantile(times.gate, 0.5) - quantile(times.direct, 0.5);
}
