import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { AppError, type Fault } from '#shared/problem.ts';
import type { SchemaFaults } from '#shared/fit.ts';

/** So much of their thread's own time the schemas of one request may take together: a busy machine refuses no good one. */
const LIMIT_MS = 500;
const LOOK_MS = 100;
/** So many characters of one owner may wait for their turn. */
const MOST_WAITING = 16 * 1024 * 1024;

/** A schema, and a value that is to fit it; both as JSON text. */
export type Check = { schema: string; value: string | undefined };
type Job = { checks: Check[]; size: number; done: (faults: Promise<Fault[][]>) => void };

/**
 * Runs `check` with the faults of values against JSON Schemas (2020-12), or of the schemas themselves. Schemas come from
 * outside and may take for ever, patterns above all: they are checked in a thread of their own, which is ended when those
 * of one request together take more than half a second of it. Owners take turns. `check` runs twice, first to hear what
 * it asks for, and must ask for the same both times.
 */
export async function withSchemaFaults<T>(owner: string, check: (schemaFaults: SchemaFaults) => T): Promise<T> {
  const checks: Check[] = [];
  const first = check((schema, value) => {
    checks.push({ schema: JSON.stringify(schema), value: value === undefined ? undefined : JSON.stringify(value) });
    return [];
  });
  if (checks.length === 0) return first;
  const faults = await inTurn(owner, checks);
  let at = 0;
  return check(() => faults[at++] ?? []);
}

const waiting = new Map<string, Job[]>();
let working = false;

function inTurn(owner: string, checks: Check[]): Promise<Fault[][]> {
  const jobs = waiting.get(owner) ?? [];
  const size = checks.reduce((sum, { schema, value = '' }) => sum + schema.length + value.length, 0);
  if (size + jobs.reduce((sum, job) => sum + job.size, 0) > MOST_WAITING) {
    throw new AppError(429, 'schema.too_many', 'Too many JSON Schemas of this source wait to be checked; send fewer.');
  }
  return new Promise((done) => {
    jobs.push({ checks, size, done });
    waiting.set(owner, jobs);
    if (!working) void work();
  });
}

async function work(): Promise<void> {
  working = true;
  for (let [next] = waiting; next; [next] = waiting) {
    const [owner, jobs] = next;
    const job = jobs.shift();
    if (job) {
      const faults = run(job.checks);
      job.done(faults);
      await faults.catch(() => undefined);
    }
    waiting.delete(owner);
    if (jobs.length > 0) waiting.set(owner, jobs);
  }
  working = false;
}

/** `progress` is written by the thread: the place of the check that runs, and its own time when it began, in ms. */
type Thread = { worker: Worker; progress: Float64Array };
let thread: Thread | undefined;

async function run(checks: Check[]): Promise<Fault[][]> {
  const { worker, progress } = (thread ??= await start());
  const over = new AbortController();
  const look = async (): Promise<void> => {
    const { user, system } = await worker.cpuUsage();
    if ((user + system) / 1000 - (progress[1] ?? 0) > LIMIT_MS) over.abort();
  };
  const watch = setInterval(() => void look().catch(() => over.abort()), LOOK_MS);
  worker.ref();
  progress[0] = 0;
  try {
    worker.postMessage(checks);
    const [faults] = (await once(worker, 'message', { signal: over.signal })) as [Fault[][]];
    worker.unref();
    return faults;
  } catch {
    thread = undefined;
    void worker.terminate();
    return checks.map((_, at) => (at === progress[0] ? [TOO_SLOW] : []));
  } finally {
    clearInterval(watch);
  }
}

const TOO_SLOW: Fault = {
  path: '',
  code: 'schema.too_slow',
  message: `takes too long to check against its JSON Schema (over ${LIMIT_MS} ms, or too much memory)`,
};

async function start(): Promise<Thread> {
  const progress = new Float64Array(new SharedArrayBuffer(16));
  const worker = new Worker(new URL('worker.ts', import.meta.url), {
    workerData: progress,
    env: {},
    resourceLimits: { maxOldGenerationSizeMb: 128, maxYoungGenerationSizeMb: 16 },
  });
  worker.once('exit', () => {
    if (thread?.worker === worker) thread = undefined;
  });
  await once(worker, 'message');
  // Whoever waits for its reply hears of it.
  worker.on('error', () => {});
  return { worker, progress };
}
