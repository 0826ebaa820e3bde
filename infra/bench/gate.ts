import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { askAndWait, callTool, type Endpoint } from './mcp-calls.ts';
import { type Waiting, waitingCalls } from './mcp-waiting.ts';
import { startHub } from './target.ts';

const UPSTREAM = join(import.meta.dirname, 'gate-upstream.ts');
const WARM = 200;
const CALLS = 1000;
const TO = ['person0'];

/** What MCP costs: a call that needs no approval, straight and through the gate; and calls that wait, against asks over HTTP. */
export type McpFigures = {
  directMs: number[];
  gateMs: number[];
  waiting: Record<'HTTP' | 'send_inquiry' | 'the gate', Waiting>;
};

/** Measures one hub on SQLite, and the least MCP server behind its gates, in the same run. */
export async function measureMcp(): Promise<McpFigures> {
  const folder = mkdtempSync(join(tmpdir(), 'beckon-bench-'));
  const upstream = spawn(process.execPath, [UPSTREAM], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [url] = (await once(createInterface({ input: upstream.stdout }), 'line')) as [string];
  const file = join(folder, 'gates.json');
  const gates = {
    open: { upstream: { url }, otherwise: 'allow' },
    held: { upstream: { url }, otherwise: 'ask', to: TO },
  };
  writeFileSync(file, JSON.stringify({ gates }));
  const hub = await startHub('SQLite', undefined, { GATES_FILE: file });
  try {
    const times = await compare({ url }, { url: `${hub.url}/mcp/gate/open`, key: hub.key });
    const waiting = { HTTP: await waitHttp(hub), send_inquiry: await waitTool(hub), 'the gate': await waitGate(hub) };
    return { ...times, waiting };
  } finally {
    upstream.kill();
    await hub.stop();
    rmSync(folder, { recursive: true, force: true });
  }
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

// One call after the other, in turn on both ways, so that a noisy machine disturbs both alike.
async function compare(direct: Endpoint, gate: Endpoint): Promise<Pick<McpFigures, 'directMs' | 'gateMs'>> {
  const times = { directMs: [] as number[], gateMs: [] as number[] };
  for (let at = -WARM; at < CALLS; at++) {
    for (const [name, endpoint] of [
      ['directMs', direct],
      ['gateMs', gate],
    ] as const) {
      const begun = performance.now();
      await callTool(endpoint, 'greet', { name: 'you' });
      if (at >= 0) times[name].push(performance.now() - begun);
    }
  }
  return times;
}
