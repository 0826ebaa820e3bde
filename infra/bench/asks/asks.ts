import { Agent, request } from 'undici';
import { connect, disconnect, type Asker } from '../cycle.ts';
import { cpuMs } from '../machine.ts';
import { askAndWait, type ToolResult } from '../mcp-calls.ts';
import { together, type Size } from '../measure.ts';
import { waitingCalls, WAITING, type Waiting } from '../mcp-waiting.ts';
import { rowOf, type Row } from '../report.ts';
import { startHub, type Target } from '../target.ts';

const http = new Agent({ connections: 1_100, headersTimeout: 0, bodyTimeout: 0 });

/** Asks through LangGraph's dialect: a bare interrupt, which its answer resumes. */
async function langgraph({ url, key }: Target, handle: string, value: string): Promise<string | undefined> {
  const { body } = await request(`${url}/v1/ask/langgraph?to=${handle}`, {
    dispatcher: http,
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify([{ id: '8e5953caed2af05d09ee453f2c23da42', value }]),
  });
  const { resume } = (await body.json()) as { resume?: Record<string, string> };
  return Object.values(resume ?? {})[0];
}

const asker: Asker = async (target, { handle }, prompt) => ({
  resolution: { outcome: (await langgraph(target, handle, prompt)) === 'Yes' ? 'answered' : 'lost' },
});

/** What an ask through a dialect costs beside a plain ask that waits, which stands in `bare`. */
export async function measureAsks(
  engine: Row['engine'],
  databaseUrl: string | undefined,
  { rounds, warmCycles, togetherMs }: Size,
): Promise<Row[]> {
  const hub = await startHub({ databaseUrl });
  try {
    const everybody = await Promise.all(hub.people.map((who) => connect(hub, who.tokens)));
    const costs = async (by?: Asker) => {
      const [begun, before] = [performance.now(), cpuMs(hub.pid)];
      const cycles = await together(hub, everybody, () => performance.now() - begun > togetherMs, by);
      return (cpuMs(hub.pid) - before) / cycles;
    };
    for (const by of [undefined, asker]) {
      let begun = 0;
      await together(hub, everybody, () => ++begun > warmCycles, by);
    }
    const [own, plain]: [number[], number[]] = [[], []];
    for (let round = 0; round < rounds; round++) {
      plain.push(await costs());
      own.push(await costs(asker));
    }
    everybody.forEach(disconnect);
    const cycle = rowOf({ name: 'CPU of a cycle through langgraph', engine, unit: 'ms' }, { hub: own, bare: plain });
    const [{ handle }] = hub.people as [Target['people'][number]];
    const plainly = await waiting(hub, (prompt) => askAndWait(hub, { prompt, to: [handle] }));
    const through = await waiting(hub, async (prompt) => ({
      content: [{ text: (await langgraph(hub, handle, prompt)) ?? '' }],
    }));
    const figures = { hub: [through.heapPerCall / 1024], bare: [plainly.heapPerCall / 1024] };
    return [cycle, rowOf({ name: `heap per call of ${WAITING} waiting in langgraph`, engine, unit: 'KiB' }, figures)];
  } finally {
    await hub.stop();
  }
}

// On a fresh process, whose memory holds nothing of what waited before.
async function waiting(hub: Hub, ask: (prompt: string) => Promise<ToolResult>): Promise<Waiting> {
  await hub.restart();
  const promptOf = (number: number) => `Question ${number}?`;
  return waitingCalls(
    hub,
    (number) => ask(promptOf(number)),
    ({ prompt }) => ({ text: `To ${prompt}` }),
    (number) => `To ${promptOf(number)}`,
  );
}

type Hub = Awaited<ReturnType<typeof startHub>>;
