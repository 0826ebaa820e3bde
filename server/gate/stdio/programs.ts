import type { Log } from '../../platform/log.ts';
import type { GateConfig } from '../gates.ts';
import { startChild, type Child, type ChildOptions } from './child.ts';
import { environmentOf } from './environment.ts';

/** Programs of one gate on one node, and those of them that one source may have. */
const PROGRAMS = 32;
const SHARE = 8;
const WORDS_LENGTH = 2_000;
const WORDS_PER_PROGRAM = 1_000;

/** No more programs for this gate now, or for this source of it; the message is one sentence. */
export class TooManyPrograms extends Error {
  /** Whose place would be one for whoever was refused: that of an own program, or that of any. */
  readonly place: 'own' | 'any';
  constructor(message: string, place: 'own' | 'any') {
    super(message);
    this.place = place;
  }
}

/** The programs that this node runs behind its gates. */
export type Programs = {
  /** Throws `TooManyPrograms` above the limit of the gate and above the share of one owner. `onLine` may throw. */
  start(gate: GateConfig, owner: string | undefined, onLine: ChildOptions['onLine']): Child;
  /** Ends them all. */
  stop(): Promise<void>;
};

export function createPrograms({
  log,
  env = process.env,
  limit = PROGRAMS,
  share = SHARE,
}: {
  log: Log;
  env?: Record<string, string | undefined>;
  limit?: number;
  share?: number;
}): Programs {
  const children = new Map<Child, { gate: string; owner: string | undefined }>();
  const refuseAbove = ({ name }: GateConfig, owner: string | undefined): void => {
    const running = [...children.values()].filter(({ gate }) => gate === name);
    const end = 'end a session or try again later.';
    if (owner !== undefined && running.filter((one) => one.owner === owner).length >= share) {
      const message = `This source runs ${share} programs behind the gate "${name}" already, which is its share; ${end}`;
      throw new TooManyPrograms(message, 'own');
    }
    if (running.length >= limit) {
      const message = `The gate "${name}" runs ${limit} programs already, which is its limit; ${end}`;
      throw new TooManyPrograms(message, 'any');
    }
  };
  return {
    start(gate, owner, onLine) {
      const { name, upstream } = gate;
      if (!('command' in upstream)) throw new Error(`The gate "${name}" has no program.`);
      refuseAbove(gate, owner);
      const child = startChild(
        { ...upstream, env: environmentOf(env, upstream.env) },
        { onLine: guarded(onLine, log, name), onWords: wordsInto(log, name) },
      );
      children.set(child, { gate: name, owner });
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

// Whatever a program says, it must not end the hub.
function guarded(onLine: ChildOptions['onLine'], log: Log, gate: string): ChildOptions['onLine'] {
  return (line) => {
    try {
      onLine(line);
    } catch (err) {
      log.warn({ gate, err }, 'what a program said was left out');
    }
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
