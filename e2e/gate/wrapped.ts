import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { BUNDLE } from '../bundle.ts';
import { environment } from '../hub/hub.ts';
import { until } from '../hub/until.ts';

const ROOT = resolve(import.meta.dirname, '../..');
const EVERYTHING = join(ROOT, 'node_modules/@modelcontextprotocol/server-everything/dist/index.js');

/** Programs that speak MCP on their own input and output. */
export const CHILD = {
  echo: [process.execPath, fileURLToPath(import.meta.resolve('./children/echo.ts'))],
  modern: [process.execPath, fileURLToPath(import.meta.resolve('./children/modern.ts'))],
  flood: [process.execPath, fileURLToPath(import.meta.resolve('./children/flood.ts'))],
  everything: [process.execPath, EVERYTHING, 'stdio'],
} as const;

/** What runs `beckon gate` before a program, and in which environment. */
export function wrapping(options: string[], child: readonly string[], env: Record<string, string>) {
  return {
    command: process.execPath,
    args: [
      BUNDLE.command,
      'gate',
      ...(options.includes('--otherwise') ? [] : ['--otherwise', 'annotations']),
      ...options,
      '--',
      ...child,
    ],
    env: environment(env) as Record<string, string>,
  };
}

export type Reply = {
  id?: number | string | null;
  method?: string;
  params?: Record<string, unknown>;
  result?: { content: { text: string }[]; isError?: boolean; resultType?: string };
  error?: { code: number; message: string };
};
/** A client that writes lines as the test says and keeps every line it gets. */
export type Wrapped = {
  send(line: string): void;
  got: Reply[];
  /** The reply with this id. */
  reply(id: number | string | null): Promise<Reply>;
  err(): string;
  /** The process of the wrapped server. */
  childPid(): Promise<number>;
  closeInput(): void;
  signal(name: NodeJS.Signals): void;
  ended: Promise<number>;
};

export function startWrapped(options: string[], child: readonly string[], env: Record<string, string>): Wrapped {
  const started = wrapping(options, child, env);
  const process = spawn(started.command, started.args, { env: started.env, stdio: ['pipe', 'pipe', 'pipe'] });
  const got: Reply[] = [];
  let err = '';
  createInterface({ input: process.stdout }).on('line', (line) => got.push(JSON.parse(line) as Reply));
  process.stderr.setEncoding('utf8').on('data', (words: string) => (err += words));
  process.stdin.on('error', () => {});
  const ended = once(process, 'close').then(([code]) => code as number);
  return {
    send: (line) => void process.stdin.write(`${line}\n`),
    got,
    reply: (id) => until(`the reply to ${id}`, () => got.find((one) => one.method === undefined && one.id === id)),
    err: () => err,
    childPid: () => until('the child to say its id', () => Number(/child (\d+)/.exec(err)?.[1] ?? 0)),
    closeInput: () => process.stdin.end(),
    signal: (name) => void process.kill(name),
    ended,
  };
}

/** A call of a tool as a client writes it. */
export function call(id: number, name: string, args: string, more = ''): string {
  return `{"jsonrpc":"2.0","id":${id},"method":"tools/call","params":{"name":"${name}","arguments":${args}${more}}}`;
}

export const INITIALIZE = JSON.stringify({
  jsonrpc: '2.0',
  id: 0,
  method: 'initialize',
  params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'lines', title: 'Line client' } },
});

/** True while a process of this id runs. */
export function runs(pid: number): boolean {
  // A process that ended and was not yet collected by its parent runs no more.
  return existsSync(`/proc/${pid}/stat`) && !/\) Z /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
}

export const textOf = ({ result }: Reply): string => result?.content[0]?.text ?? '';
