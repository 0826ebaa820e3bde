import { spawn, type ChildProcess } from 'node:child_process';

export type Tool =
  | 'Chromium'
  /** Chromium without windows: tests of the page take half of the time in it, and do without. */
  | 'Chromium shell'
  | 'Firefox'
  | 'D-Bus'
  | 'libnotify'
  | 'Postgres'
  | 'Redis'
  | 'bash'
  | 'dash'
  | 'zsh';
/** How many checks held and how many did not, with what to read when one did not. */
export type Outcome = {
  passed: number;
  failed: number;
  output: string;
  /** All that the program wrote. */
  whole?: string;
};
export type Step = {
  name: string;
  needs: Tool[];
  run: () => Promise<Outcome>;
  /** Tests, of which the other suites say nothing. */
  isSuite?: boolean;
  /** It needs little of the processor, so it runs beside the suites before it. */
  mostlyWaits?: boolean;
};

export type Ended = { code: number; output: string };
export type Options = { count?: (ended: Ended) => Outcome; needs?: Tool[]; minutes?: number };

const LAST_WORDS_MS = 3_000;

const running = new Set<ChildProcess>();
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.on(signal, () => {
    for (const child of running) stop(child);
    setTimeout(() => process.exit(130), running.size > 0 ? LAST_WORDS_MS + 100 : 0);
  });
}

/** A step that runs one program of node_modules/.bin; without `count` it is one check, held when the exit code is 0. */
export function command(name: string, program: string, args: string[], options: Options = {}): Step {
  const { count = countOne, needs = [], minutes = 10 } = options;
  return { name, needs, run: async () => countWhole(await execute(program, args, minutes), count) };
}

function countWhole(ended: Ended, count: (ended: Ended) => Outcome): Outcome {
  return { ...count(ended), whole: ended.output };
}

function countOne({ code, output }: Ended): Outcome {
  return code === 0 ? { passed: 1, failed: 0, output } : { passed: 0, failed: 1, output };
}

// Each program leads a process group of its own, so that nothing it started outlives its time.
async function execute(program: string, args: string[], minutes: number): Promise<Ended> {
  const { promise, resolve } = Promise.withResolvers<Ended>();
  const child = spawn(program, args, { detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  let orphaned: NodeJS.Timeout | undefined;
  // Decoded as a stream: a letter may come in two pieces.
  for (const words of [child.stdout, child.stderr])
    words.setEncoding('utf8').on('data', (chunk: string) => (output += chunk));
  running.add(child);
  const limit = setTimeout(() => {
    output += `\nStopped after ${minutes} minutes.\n`;
    stop(child);
  }, minutes * 60_000);
  // What it left behind may hold its pipes open; that is no reason to wait for it.
  child.on('exit', () => {
    orphaned = setTimeout(() => {
      stop(child);
      // Not at once: what stands in the pipes is read first.
      orphaned = setTimeout(() => [child.stdout, child.stderr].forEach((words) => words.destroy()), 500);
    }, LAST_WORDS_MS);
  });
  child.on('error', (error) => resolve({ code: 1, output: `${program} could not be started: ${error.message}` }));
  child.on('close', (code) => resolve({ code: code ?? 1, output }));
  const ended = await promise;
  clearTimeout(limit);
  clearTimeout(orphaned);
  running.delete(child);
  return ended;
}

// First in order, so that servers of tests remove their data, then by force.
function stop(child: ChildProcess): void {
  tell(child, 'SIGTERM');
  setTimeout(() => tell(child, 'SIGKILL'), LAST_WORDS_MS).unref();
}

function tell(child: ChildProcess, signal: NodeJS.Signals): void {
  try {
    if (child.pid) process.kill(-child.pid, signal);
  } catch {
    // Its whole group has ended.
  }
}
