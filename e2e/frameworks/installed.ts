import { cpSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startHub } from '../hub/hub.ts';
import { packagesOf } from '../hub/packages.ts';
import { ownerDevice } from '../hub/people.ts';

const AGENTS = join(import.meta.dirname, '../agents');

/** The folder with the packages that the examples run on. */
export const packagesOfExamples = (): Promise<string> => packagesOf(AGENTS);

export type Examples = Awaited<ReturnType<typeof openExamples>>;

/** A hub with its owner, and a copy of the examples that ask through it; `remove` takes both away. */
export async function openExamples() {
  const hub = await startHub();
  const person = await ownerDevice(hub);
  const copy = await installed(hub);
  return {
    hub,
    person,
    copy,
    async remove(): Promise<void> {
      await hub.remove();
      rmSync(copy, { recursive: true });
    },
  };
}

/** A copy of the examples outside the repository, beside the hub's own client and their packages. */
async function installed({ url }: { url: string }): Promise<string> {
  const packages = await packagesOfExamples();
  const copy = mkdtempSync(join(tmpdir(), 'beckon-agent-'));
  symlinkSync(join(packages, 'node_modules'), join(copy, 'node_modules'));
  const client = await (await fetch(`${url}/client/beckon.mjs`)).text();
  for (const { name } of readdirSync(AGENTS, { withFileTypes: true }).filter((entry) => entry.isDirectory())) {
    cpSync(join(AGENTS, name), join(copy, name), { recursive: true });
    writeFileSync(join(copy, name, 'client.mjs'), client);
    writeFileSync(join(copy, name, 'beckon.mjs'), IMPATIENT);
    writeFileSync(join(copy, name, 'rounds.mjs'), ROUNDS);
  }
  return copy;
}

/** The client of tests, which cannot wait as long as people may and have to know when an agent waits. */
const IMPATIENT = `import * as client from './client.mjs';
const real = fetch;
const heard = async (...given) => { const got = await real(...given); console.log('heard'); return got; };
if (process.env.HEARD) globalThis.fetch = heard;
const within = (options) => ({ ...options, deadline: process.env.DEADLINE || options?.deadline });
export const ask = (dialect, body, options) => client.ask(dialect, body, within(options));
export const start = (dialect, body, options) => client.start(dialect, body, within(options));
export const reply = (id) => (console.log('waits'), client.reply(id));
`;

/** Runs an example several times in one process, since it loads thousands of modules. */
const ROUNDS = `const [, , ...rounds] = process.argv;
for (const [at, round] of rounds.entries()) {
  const { prompt, env } = JSON.parse(round);
  Object.assign(process.env, env);
  process.argv[2] = prompt;
  for (const name of ['SIGINT', 'SIGTERM']) process.removeAllListeners(name); // of the round before
  console.log('round ' + at);
  console.error('round ' + at);
  await import('./agent.mjs?' + at).catch(console.error);
}
console.log('round ' + rounds.length);
`;
