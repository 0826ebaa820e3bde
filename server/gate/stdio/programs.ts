import type { Log } from '../../platform/log.ts';
import type { GateConfig } from '../gates.ts';
import { startChild, type Child, type ChildOptions } from './child.ts';
import { environmentOf } from './environment.ts';

/** Programs of one gate on one node. */
export const PROGRAMS = 32;
const WORDS_LENGTH = 2_000;
const WORDS_PER_PROGRAM = 1_000;

/** No more programs for this gate now; the message is one sentence. */
export class TooManyPrograms extends Error {}

/** The programs that this node runs behind its gates. */
export type Programs = {
  /** Throws `TooManyPrograms` above the limit of the gate. */
  start(gate: GateConfig, onLine: ChildOptions['onLine']): Child;
  running(gate: GateConfig): number;
  /** Ends them all. */
  stop(): Promise<void>;
};

export function createPrograms({
  log,
  env = process.env,
  limit = PROGRAMS,
}: {
  log: Log;
  env?: Record<string, string | undefined>;
  limit?: number;
}): Programs {
  const children = new Map<Child, string>();
  const running = ({ name }: GateConfig): number => [...children.values()].filter((one) => one === name).length;
  return {
    running,
    start(gate, onLine) {
      const { name, upstream } = gate;
      if (!('command' in upstream)) throw new Error(`The gate "${name}" has no program.`);
      if (running(gate) >= limit)
        throw new TooManyPrograms(
          `The gate "${name}" runs ${limit} programs already, which is its limit; end a session or try again later.`,
        );
      const child = startChild(
        { ...upstream, env: environmentOf(env, upstream.env) },
        { onLine, onWords: wordsInto(log, name) },
      );
      children.set(child, name);
      void child.ended.then(({ sentence }) => {
        children.delete(child);
        log.debug({ gate: name, pid: child.pid }, sentence);
      });
      return child;
    },
    async stop() {
      await Promise.all([...children.keys()].map((child) => child.end()));
    },
  };
}

// A program may write without end what nobody reads.
function wordsInto(log: Log, gate: string): (words: string) => void {
  let told = 0;
  return (words) => {
    if (told === WORDS_PER_PROGRAM) log.debug({ gate }, 'the program writes too much; nothing more of it is kept');
    if (++told <= WORDS_PER_PROGRAM) log.debug({ gate, words: words.slice(0, WORDS_LENGTH).trimEnd() }, 'a program');
  };
}
