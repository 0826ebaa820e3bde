import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { BUNDLE } from '../bundle.ts';
import { type Ended, Program } from './process.ts';
import { until } from './until.ts';

/** Where tests keep what Node compiled, if the environment names no place. */
const COMPILED = resolve(import.meta.dirname, '../../node_modules/.cache/node');
const START_MS = 90_000;
/** What every hub of a test is started with. */
export const SETTINGS = { LOG_LEVEL: 'info', RATE_LIMIT: '10000000' };

/** A start takes a sixth less of the processor, and tests start hundreds of hubs. */
const FEWER_COLLECTIONS = ['--min-semi-space-size=16'];

/** Puts a program under another one. */
type Under = (program: string[]) => string[];
const asItIs: Under = (program) => program;

/** One node of a hub, as an operator runs it. */
export type Hub = {
  url: string;
  dataDir: string;
  /** All it wrote to standard error, over every start. */
  log(): string;
  /** `kill -9`, as a power cut ends it. */
  kill(): Promise<void>;
  /** SIGTERM, as an operator ends it. */
  stop(): Promise<Ended>;
  /** Starts it again on the same port and data; resolves when it is ready. */
  start(): Promise<void>;
  /** Sends a signal that it survives. */
  signal(signal: NodeJS.Signals): Promise<void>;
  /** Kills it and removes its data. */
  remove(): Promise<void>;
  /** Runs one command of the command line beside it. */
  cli(...args: string[]): Promise<Ended>;
};

/**
 * Starts the hub on a free port with data of its own, under another program if one is named; resolves when `/readyz` says
 * so.
 */
export async function startHub(settings: Record<string, string> = {}, under: Under = asItIs): Promise<Hub> {
  const began = performance.now();
  const dataDir = settings['DATA_DIR'] ?? mkdtempSync(join(tmpdir(), 'beckon-hub-'));
  const env = environment({ DATA_DIR: dataDir, ...SETTINGS, ...settings });
  let earlier = '';
  let program = runHub({ ...env, PORT: settings['PORT'] ?? '0' }, under);
  const port = (await saidWhere(program)).port;
  const url = `http://127.0.0.1:${port}`;
  await ready(url, program);
  performance.measure('test: start a hub', { start: began });
  return {
    url,
    dataDir,
    log: () => earlier + program.err,
    kill: async () => void (await program.end('SIGKILL')),
    stop: () => program.end('SIGTERM'),
    signal: (signal) => program.signal(signal),
    async start() {
      const again = performance.now();
      earlier += program.err;
      program = runHub({ ...env, PORT: port }, under);
      await ready(url, program);
      performance.measure('test: start a hub', { start: again });
    },
    async remove() {
      await program.end('SIGKILL');
      rmSync(dataDir, { recursive: true, force: true });
    },
    cli: (...args) => runCommand(args, { ...env, PORT: port, BECKON_URL: url }),
  };
}

/** Starts a hub that is expected to end by itself. */
export function runHub(env: NodeJS.ProcessEnv, under: Under = asItIs): Program {
  return new Program(under([process.execPath, ...FEWER_COLLECTIONS, BUNDLE.hub]), env);
}

/** With so many file descriptors at most. */
export function withDescriptors(most: number): Under {
  return (program) => ['/bin/sh', '-c', `ulimit -n ${most}; exec "$@"`, 'sh', ...program];
}

/** Runs one command of `beckon` to its end. */
export function runCommand(args: readonly string[], env: NodeJS.ProcessEnv): Promise<Ended> {
  return new Program([process.execPath, BUNDLE.command, ...args], env).ended;
}

/** The environment of this process without the hub's own settings, and with these. */
export function environment(settings: Record<string, string>): NodeJS.ProcessEnv {
  const kept = ['PATH', 'HOME', 'TMPDIR', 'NODE_COMPILE_CACHE'].flatMap((name) => {
    const value = process.env[name];
    return value === undefined ? [] : [[name, value]];
  });
  // Where the browsers of tests are (playwright.config.ts): else each page offers to change its person's time zone.
  return { NODE_COMPILE_CACHE: COMPILED, TZ: 'Europe/Berlin', ...Object.fromEntries(kept), ...settings };
}

/** The secret of the one-time link that the first start wrote for the owner. */
export async function firstSecret({ dataDir }: Pick<Hub, 'dataDir'>): Promise<string> {
  const file = join(dataDir, 'sign-in-link');
  const [, secret = ''] = await until(
    'the sign-in link',
    () => existsSync(file) && /#(\S+)\n/.exec(readFileSync(file, 'utf8')),
  );
  return secret;
}

async function saidWhere(program: Program): Promise<URL> {
  const said = await until(
    'the hub to say where it is',
    () => !program.running || /open at (\S+)/.exec(program.out),
    START_MS,
  );
  if (said === true) throw new Error(`the hub did not start: ${program.err}`);
  return new URL(said[1] ?? '');
}

async function ready(url: string, program: Program): Promise<void> {
  await until(
    'the hub to be ready',
    async () => {
      if (!program.running) throw new Error(`the hub did not start: ${program.err}`);
      return fetch(`${url}/readyz`).then(
        ({ ok }) => ok,
        () => false,
      );
    },
    START_MS,
  );
}
