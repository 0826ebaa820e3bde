import { deepStrictEqual, ok } from 'node:assert/strict';
import { copyFileSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import type { Inquiry } from '#shared/inquiry.ts';
import { answer, asked } from './gate/people.ts';
import { must } from './hub/call.ts';
import { environment, startHub, type Hub } from './hub/hub.ts';
import { addSource, ownerDevice, type Device } from './hub/people.ts';
import { Program } from './hub/process.ts';
import { until } from './hub/until.ts';

const CLIENT = join(import.meta.dirname, '../server/dialects/client');
const GUIDE = readFileSync(new URL('../infra/agents.md', import.meta.url), 'utf8');
const [, STOPPING = ''] = GUIDE.split('\n### Stopping a process that asks\n');
const [, ASYNC = ''] = GUIDE.split('\n### asyncio\n');
const block = (section: string, language: string): string =>
  new RegExp(`\`\`\`${language}\\n(.*?)\`\`\``, 's').exec(section)?.[1] ?? '';
const SIGTERM = /^signal\.signal.*$/m.exec(block(STOPPING, 'python'))?.[0];

/** The guide's own code, and the same with a key in the place of its last option. */
const PROGRAMS = {
  JavaScript: ['node', `import { ask } from './beckon.mjs';\n${block(STOPPING, 'js')}`, "idempotencyKey: 'KEY', "],
  Python: ['python3', block(STOPPING, 'python'), 'idempotency_key="KEY", '],
  asyncio: ['python3', `import signal\n${SIGTERM}\n${block(ASYNC, 'python')}`, 'idempotency_key="KEY", '],
} as const;

/** Says that the hub's reply has begun: from then on the client knows its question. */
const HEARD = {
  node: `const real = fetch; globalThis.fetch = async (...given) => { const got = await real(...given); console.log('heard'); return got; };\n`,
  python3: `import beckon as own\nread = own._read\nown._read = lambda *given: (print("heard", flush=True), read(*given))[1]\n`,
};

/** It counts on the event loop while it asks twice at once. */
const TICKS = `
import asyncio, json, time
from beckon import AsyncClient
async def main():
    beckon, ticks = AsyncClient(), 0
    asks = asyncio.gather(*[beckon.ask("langgraph", [{"id": str(n), "value": f"Which {n}?"}]) for n in (1, 2)])
    while not asks.done():
        ticks += 1
        print(ticks, flush=True)
        await asyncio.sleep(0.01)
    print(json.dumps(asks.result()))
    asks = asyncio.gather(*[beckon.ask("langgraph", [{"id": "3", "value": "Which 3?"}])])
    try:
        await asyncio.wait_for(asks, 1)
    except asyncio.TimeoutError:
        print("withdrawn", flush=True)
asyncio.run(main())
`;

describe('a process that asks with the client and is stopped', { timeout: 120_000 }, () => {
  let hub: Hub;
  let owner: Device;
  let folder: string;

  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'beckon-stopping-'));
    for (const name of ['beckon.mjs', 'beckon.py']) copyFileSync(join(CLIENT, name), join(folder, name));
    hub = await startHub();
    owner = await ownerDevice(hub);
  });
  after(async () => {
    await hub?.remove();
    rmSync(folder, { recursive: true, force: true });
  });

  function run(command: 'node' | 'python3', program: string, key: string): Program {
    const args = command === 'node' ? [process.execPath, '--input-type=module', '-e'] : [command, '-c'];
    const env = environment({ BECKON_URL: hub.url, BECKON_KEY: key, PYTHONDONTWRITEBYTECODE: '1' });
    // A shell starts what runs behind it with Ctrl-C ignored.
    const reset =
      'import os,signal,sys; signal.signal(signal.SIGINT, signal.SIG_DFL); os.execvp(sys.argv[1], sys.argv[1:])';
    return new Program(['env', '-C', folder, 'python3', '-c', reset, ...args, HEARD[command] + program], env);
  }
  const ofSource = async (token: string): Promise<Inquiry[]> =>
    (await must<{ items: Inquiry[] }>(hub, 'GET /v1/inquiries', { token })).items;
  /** Stops it in the middle of its wait. */
  async function stop(running: Program, signal: NodeJS.Signals): Promise<void> {
    await until('it to wait', () => running.out.includes('heard') || !running.running);
    await running.signal(signal);
    ok((await running.ended).code !== 0);
  }

  for (const [name, [command, program, keyed]] of Object.entries(PROGRAMS))
    for (const signal of ['SIGINT', 'SIGTERM'] as const) {
      test(`${name}: ${signal} takes its question back`, async () => {
        const { key } = await addSource(hub, owner, `${name} ${signal}`);
        await stop(run(command, program, key), signal);
        deepStrictEqual(
          (await ofSource(key)).map(({ resolution }) => resolution?.outcome),
          ['withdrawn'],
        );
      });

      test(`[ASK2] ${name}: ${signal} leaves a question with the caller's key to the process that comes back`, async () => {
        const { key } = await addSource(hub, owner, `${name} ${signal} keyed`);
        const own = program.replace('deadline', `${keyed.replace('KEY', signal)}deadline`);
        await stop(run(command, own, key), signal);
        const [inquiry] = await asked(hub, owner);
        deepStrictEqual(inquiry.askerGoneAt, undefined);
        const back = run(command, own, key);
        await answer(hub, owner, inquiry, { text: 'orders' });
        const { code, out, err } = await back.ended;
        deepStrictEqual([code, err, out.includes('orders')], [0, '', true]);
        deepStrictEqual((await ofSource(key)).length, 1);
      });
    }

  test('asyncio: the event loop goes on while asks wait, and what a time-out cancels is taken back', async () => {
    const { key } = await addSource(hub, owner, 'ticks');
    const running = run('python3', TICKS, key);
    const inquiries = await asked(hub, owner, 2);
    const seen = running.out.length;
    await until('the loop to tick on', () => running.out.length > seen + 100);
    for (const inquiry of inquiries) await answer(hub, owner, inquiry, { text: 'orders' });
    const { code, out, err } = await running.ended;
    deepStrictEqual([code, err, out.trimEnd().endsWith('withdrawn')], [0, '', true]);
    deepStrictEqual(
      (await ofSource(key)).map(({ resolution }) => resolution?.outcome),
      ['withdrawn', 'answered', 'answered'],
    );
  });
});
