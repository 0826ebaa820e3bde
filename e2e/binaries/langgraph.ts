import { cpSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Program } from '../hub/process.ts';
import { until } from '../hub/until.ts';
import { snippetsOf } from './guide.ts';
import { WRITES } from './outcomes.ts';
import { environmentOf, placeFor, type Agent, type People, type Place } from './scene.ts';

/** LangGraph Server as a developer starts it, in a folder that keeps its threads over a restart. */
export async function startLangGraphServer(people: People) {
  const at = await placeFor(people, { calls: [] });
  const { folder, packages } = at.place;
  symlinkSync(join(packages, 'node_modules'), join(folder, 'node_modules'));
  cpSync(join(import.meta.dirname, '../agents/models/langchain.mjs'), join(folder, 'model.mjs'));
  writeFileSync(join(folder, 'graphs.mjs'), GRAPHS);
  const graphs = { agent: './graphs.mjs:agent', question: './graphs.mjs:question', twice: './graphs.mjs:twice' };
  writeFileSync(join(folder, 'langgraph.json'), JSON.stringify({ graphs }));
  let [program, url] = await served(at.place);
  return {
    get url() {
      return url;
    },
    /** Ends it; it keeps its threads. */
    stop: () => program.end('SIGTERM'),
    /** Starts it again, on another port. */
    async restart(): Promise<void> {
      await program.end('SIGTERM');
      [program, url] = await served(at.place);
    },
    strayed: at.strayed,
    async remove(): Promise<void> {
      await program.end('SIGTERM');
      await at.leave();
    },
  };
}

async function served(place: Place): Promise<[Program, string]> {
  const { folder } = place;
  const cli = join(folder, 'node_modules/@langchain/langgraph-cli/dist/cli/cli.mjs');
  const options = ['--host', '127.0.0.1', '--port', '0', '--no-browser', '--no-reload'];
  const program = new Program(
    ['/bin/sh', '-c', 'cd "$0" && exec "$@"', folder, process.execPath, cli, 'dev', ...options],
    environmentOf(place, { LANGGRAPH_CLI_NO_ANALYTICS: '1', NODE_USE_ENV_PROXY: '1' }),
  );
  const [, url = ''] = await until('LangGraph Server to start', () => {
    if (!program.running) throw new Error(`LangGraph Server did not start: ${program.out}${program.err}`);
    return /Server running at (\S+:\d+)/.exec(program.out);
  });
  return [program, `http://${url}`];
}

/** What an agent of the server is told: to write a file in this folder. */
export function inputFor(folder: string): object {
  return { messages: [{ role: 'user', content: JSON.stringify([[['shell', { command: WRITES, folder }]]]) }] };
}

/** A program on the server's own client: the guide's snippet, and what it takes for granted. */
export function clientOf(server: { url: string }, client: string): Agent {
  return ({ packages, home, folder, hub }) => {
    const [snippet = ''] = snippetsOf('LangGraph Server', 'js');
    const [DEADLINE, deadline] = ['deadline: 3600', `deadline: ${JSON.stringify(hub.deadline)}`];
    if (!snippet.includes(DEADLINE)) throw new Error('the guide names no deadline');
    symlinkSync(join(packages, 'node_modules'), join(home, 'node_modules'));
    writeFileSync(join(home, 'beckon.mjs'), client);
    const file = join(home, 'client.mjs');
    const [apiUrl, input] = [server.url, inputFor(folder)].map((value) => JSON.stringify(value));
    const before = `const [apiUrl, input] = [${apiUrl}, ${input}];\n`;
    writeFileSync(
      file,
      `${before}${snippet.replace(DEADLINE, deadline)}console.log(result.messages.at(-1).content);\n`,
    );
    return { command: [process.execPath, file], env: { NODE_USE_ENV_PROXY: '1' } };
  };
}

/** An agent with a tool that people are asked about, and graphs with questions of their own. */
const GRAPHS = `
import { execSync } from 'node:child_process';
import { Annotation, interrupt, START, StateGraph } from '@langchain/langgraph';
import { createAgent, humanInTheLoopMiddleware, tool } from 'langchain';
import { z } from 'zod';
import { model } from './model.mjs';

// The command line starts this process and leaves it alone where it is killed.
setInterval(() => process.stdout.write('\\n', (error) => error && process.exit()), 1000).unref();

const shell = tool(({ command, folder }) => (execSync(command, { cwd: folder }), 'It ran.'), {
  name: 'shell',
  description: 'Runs a command.',
  schema: z.object({ command: z.string(), folder: z.string() }),
});
export const agent = createAgent({
  model,
  tools: [shell],
  middleware: [humanInTheLoopMiddleware({ interruptOn: { shell: true } })],
});
export const question = new StateGraph(Annotation.Root({ table: Annotation() }))
  .addNode('ask', () => ({ table: interrupt('Which table?') }))
  .addEdge(START, 'ask')
  .compile();
export const twice = new StateGraph(Annotation.Root({ answers: Annotation() }))
  .addNode('ask', (_state, { context }) => ({ answers: [interrupt('Which table?'), interrupt('Are you sure?'), context] }))
  .addEdge(START, 'ask')
  .compile();
`;
