import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { until } from '../hub/until.ts';
import { environmentOf, placeFor, type Agent, type People, type Task } from './scene.ts';

type Pty = {
  write(keys: string): void;
  kill(signal: string): void;
  onData(hear: (words: string) => void): void;
  onExit(hear: () => void): void;
};
type Spawn = (file: string, args: string[], options: object) => Pty;

export type OnTerminal = Awaited<ReturnType<typeof startOnTerminal>>;

type Screen = { cols: number; rows: number; hear?: (words: string) => void };

/** Starts a program on a terminal of its own, in front of which a person sits; it never outlives its test. */
export async function startOnTerminal(
  t: Pick<TestContext, 'after'>,
  people: People,
  agent: Agent,
  task: Task,
  { cols, rows, hear }: Screen = { cols: 120, rows: 40 },
) {
  const at = await placeFor(people, task);
  await task.first?.(at.place, people);
  const { command, env } = agent(at.place);
  const { spawn } = createRequire(join(at.place.packages, 'package.json'))('@lydell/node-pty') as { spawn: Spawn };
  const [file = '', ...args] = command;
  const pty = spawn(file, args, {
    name: 'xterm-256color',
    cols,
    rows,
    cwd: at.place.folder,
    env: environmentOf(at.place, env),
  });
  let written = '';
  let running = true;
  pty.onData((words) => {
    written += words;
    hear?.(words);
  });
  const ended = new Promise<void>((resolve) =>
    pty.onExit(() => {
      running = false;
      resolve();
    }),
  );
  t.after(async () => {
    if (running) pty.kill('SIGKILL');
    await ended;
    await at.leave();
  });
  return {
    ...at,
    ended,
    /** Presses keys until what they are for has come: a program that draws its screen drops some. */
    async press(keys: string, what: string, came: () => boolean | Promise<boolean>): Promise<void> {
      let pressed = -Infinity;
      await until(what, async () => {
        if (await came()) return true;
        if (performance.now() - pressed > 1000) {
          pty.write(keys);
          pressed = performance.now();
        }
        return false;
      });
    },
    wrote: (words: string) => plain(written).includes(plain(words)),
    /** Waits for words on the screen, wherever its lines break. */
    async shows(words: string, ms?: number): Promise<void> {
      const seen = () => {
        if (plain(written).includes(plain(words))) return true;
        if (!running) throw new Error('the program ended without it');
        return false;
      };
      await until(`the terminal to show "${words}"`, seen, ms).catch((error: Error) => {
        throw new Error(`${error.message}, on which stands ${plain(written).slice(-2000)}`);
      });
    },
    /** Its question, once it has asked. */
    asked: () =>
      until('the program to ask', async () => {
        if (!running) throw new Error(`the program ended without a question: ${written}`);
        const [inquiry] = await at.open();
        return inquiry;
      }),
  };
}

/** What is written without colours, moves of the cursor and spaces. */
function plain(written: string): string {
  // oxlint-disable-next-line no-control-regex
  return written.replace(/\u001b(\[[0-?]*[ -/]*[@-~]|\][^\u0007\u001b]*(\u0007|\u001b\\)|[@-Z\\^_=>])|\s/g, '');
}
