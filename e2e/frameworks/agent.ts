import { mkdirSync, mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import type { AnswerBody, AnswerReply } from '#shared/answer.ts';
import type { Inquiry } from '#shared/inquiry.ts';
import { call, must, type Reply } from '../hub/call.ts';
import { environment, type Hub } from '../hub/hub.ts';
import { addSource, type Device } from '../hub/people.ts';
import { Program } from '../hub/process.ts';
import { until } from '../hub/until.ts';

/** A call of a tool as the scripted model makes it. */
export type Call = [tool: string, args?: object];
/** What the model calls, turn by turn, and further environment. */
export type Round = { turns?: Call[][]; env?: Record<string, string> };
/** What an example wrote: what its tools ran with, and the agent's last words. */
export type Told = { ran: string[]; said: string; err: string };
type Place = { hub: Hub; person: Device; copy: string; name: string };

/** One run of an example, with a source of its own, and the person who answers it. */
export class Agent {
  /** Where it keeps its state. */
  readonly folder: string;
  readonly #place: Place;
  readonly #key: string;
  readonly #run: () => Program;
  #program: Program;
  readonly #round: number | undefined;

  private constructor(place: Place, folder: string, key: string, run: () => Program, program = run(), round?: number) {
    [this.#place, this.folder, this.#key, this.#run] = [place, folder, key, run];
    [this.#program, this.#round] = [program, round];
  }

  /** Starts an example in a process of its own, whose folder is its own too. */
  static async start(place: Place, { turns = [], env = {} }: Round = {}): Promise<Agent> {
    const key = await keyOf(place);
    const folder = folderOf(place);
    const run = () => program(place, folder, 'agent.mjs', [JSON.stringify(turns)], { BECKON_KEY: key, ...env });
    return new Agent(place, folder, key, run);
  }

  /** Starts an example that runs so many times, one after another, in one process. */
  static async rounds(place: Place, rounds: Round[]): Promise<Agent[]> {
    const keys = await Promise.all(rounds.map(() => keyOf(place)));
    const args = rounds.map(({ turns = [], env = {} }, at) =>
      JSON.stringify({ prompt: JSON.stringify(turns), env: { DEADLINE: '', BECKON_KEY: keys[at], ...env } }),
    );
    const folder = folderOf(place);
    const run = () => program(place, folder, 'rounds.mjs', args, {});
    const shared = run();
    return keys.map((key, round) => new Agent(place, folder, key, run, shared, round));
  }

  /** All that it has asked, oldest first, once that is so many inquiries. */
  async asked(count = 1): Promise<Inquiry[]> {
    return until(`${count} inquiries of ${this.#place.name}`, async () => {
      const { running, err } = this.#program;
      const asked = await this.inquiries();
      if (asked.length === count) return asked;
      if (!running) throw new Error(`it ended with ${asked.length} inquiries: ${err}`);
      return undefined;
    });
  }

  async inquiries(): Promise<Inquiry[]> {
    const { items } = await must<{ items: Inquiry[] }>(this.#place.hub, 'GET /v1/inquiries', { token: this.#key });
    return items.toReversed();
  }

  /** What the hub replies to a person's answer. */
  answer({ id, digest }: Inquiry, body: AnswerBody): Promise<Reply<AnswerReply>> {
    const { hub, person } = this.#place;
    return call(hub, `POST /v1/inquiries/${id}/answer`, { token: person.token, body: { digest, ...body } });
  }

  async withdraw({ id }: Inquiry): Promise<void> {
    await must(this.#place.hub, `POST /v1/inquiries/${id}/withdraw`, { token: this.#key, body: {} });
  }

  /** What it has written so far. */
  get told(): Told {
    const [out, err] = [this.#program.out, this.#program.err].map((text) => this.#own(text)) as [string, string];
    const [before = '', ...said] = out.split(/^said /m);
    return {
      ran: before.split('\n').flatMap((line) => /^ran (.*)$/.exec(line)?.slice(1) ?? []),
      said: said.join('').trim(),
      err,
    };
  }

  /** Resolves when it waits for the reply to what it asked before it ended (`reply`). */
  waits(): Promise<void> {
    return this.#writes('waits');
  }

  /** Resolves when the hub's reply to its ask has begun, where it was started with `HEARD`. */
  heard(): Promise<void> {
    return this.#writes('heard');
  }

  async #writes(line: string): Promise<void> {
    await until(`${this.#place.name} to say ${line}`, () => {
      if (!this.#program.running) throw new Error(`it ended: ${this.#program.err}`);
      return this.#program.out.includes(`${line}\n`);
    });
  }

  /** What it wrote until it ended by itself. */
  async ended(): Promise<Told> {
    const { running } = this.#program;
    if (this.#round === undefined) await this.#program.ended;
    else await until('the end of a round', () => this.#program.out.includes(`round ${this.#round! + 1}\n`) || !running);
    return this.told;
  }

  /** `kill -9`; what it had written until then. */
  async kill(): Promise<Told> {
    await this.#program.end('SIGKILL');
    return this.told;
  }

  /** Ends it as a service manager does; what it had written until then. */
  async stop(): Promise<Told> {
    await this.#program.end('SIGTERM');
    return this.told;
  }

  /** Starts it again, with the same source and in the same folder. */
  again(): void {
    this.#program = this.#run();
  }

  #own(text: string): string {
    return this.#round === undefined ? text : (text.split(/^round \d+\n/m)[this.#round + 1] ?? '');
  }
}

async function keyOf({ hub, person, name }: Place): Promise<string> {
  return (await addSource(hub, person, name)).key;
}

function folderOf({ copy, name }: Place): string {
  mkdirSync(join(copy, 'runs'), { recursive: true });
  return mkdtempSync(join(copy, 'runs', `${name}-`));
}

function program(place: Place, folder: string, file: string, args: string[], env: Record<string, string>): Program {
  const { hub, copy, name } = place;
  const inFolder = ['/bin/sh', '-c', 'cd "$0" && exec "$@"', folder];
  return new Program(
    [...inFolder, process.execPath, join(copy, name, file), ...args],
    // An example loads thousands of modules.
    environment({ BECKON_URL: hub.url, NODE_COMPILE_CACHE: join(copy, 'node_modules/.compiled'), ...env }),
  );
}
