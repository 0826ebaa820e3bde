import { randomUUID } from 'node:crypto';
import type { Tool } from '@modelcontextprotocol/client';
import { JsonError } from '#shared/json.ts';
import { AppError } from '#shared/problem.ts';
import type { Inquiry } from '#shared/inquiry.ts';
import { askOf, decidedOf, refusal, withUsableSchema, type Decided } from '../../gate/call.ts';
import { decide, type Verdict } from '../../policies/decide.ts';
import { createHeldCalls } from '../../gate/held.ts';
import { argsTextOf, type Message } from '../../gate/messages.ts';
import { Unreachable, type HubClient } from '../hub-client.ts';
import type { Asking, LeftOpen } from './left.ts';
import type { WrappedGate } from './options.ts';
import { askPeople, PATIENCE, type Patience } from './people.ts';

/** Calls that arrive within this time after one another are one turn, and one card. */
const BURST_MS = 300;
/** What is longer no timer of Node can wait for, and no client. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;
/** For whom schemas are checked: this process serves one client. */
const OWNER = 'cli';

type Asked = Extract<Verdict, { does: 'ask' }>;

/** Where and for whom a wrapped server's calls are decided. */
export type Deciding = {
  gate: WrappedGate;
  /** Opened when the first call is to be asked: a gate that lets all pass needs no hub. */
  hub: () => Promise<HubClient>;
  cwd: string;
  patience?: Patience | undefined;
};
export type HeldCall = {
  name: string;
  /** Its line. */
  text: string;
  tool: Tool | undefined;
  agent: string | undefined;
  /** So long its client can wait. */
  waitMs: number;
  /** The state of this gate that it came back with. */
  state?: string | undefined;
  /** It begins to wait for a person; the result says that it does no more. */
  waits: () => () => void;
};
/** Nobody has decided in the time that the client has. */
export type Undecided = { type: 'undecided'; state: string; round: number };
/** Decides one call. "gone": it was taken back; "another": its state is that of another call. Never throws, and never lets pass what nobody decided. */
export type Decide = (call: HeldCall, signal: AbortSignal) => Promise<Decided | Undecided | 'gone' | 'another'>;

/** Decides calls by the gate's rules, and by asking people where the rules say so. */
export function createDecide({ gate, hub, cwd, patience = PATIENCE }: Deciding, left: LeftOpen): Decide {
  const turns = createHeldCalls({ burstMs: BURST_MS, now: () => performance.now() });
  const begin = ({ name, agent }: HeldCall, argsText: string, verdict: Asked): Asking => {
    const held = turns.begin({ like: '', turn: '' });
    const abort = new AbortController();
    const asked = async (): Promise<Inquiry | 'gone'> => {
      const usable = await withUsableSchema(OWNER, verdict, (reason) =>
        process.stderr.write(`beckon gate: the schema of ${name} is left out of its calls: it ${reason}\n`),
      );
      const about = askOf(
        { ...gate, to: gate.to },
        { call: { name, argsText }, verdict: usable, agent, group: held.group },
      );
      const ask = keyed({ ...about, context: { ...about.context, cwd: cwd.slice(0, 1000) } }, gate);
      return askPeople(await hub(), ask, abort.signal, patience);
    };
    const inquiry = asked().finally(held.end);
    // Whoever waits hears of it; while nobody does it must not end this process.
    inquiry.catch(() => {});
    return { inquiry, abort };
  };
  return async (call, signal) => {
    let waited: (() => void) | undefined;
    try {
      const verdict = decide(gate, call.name, call.tool);
      if (verdict.does === 'allow') return { type: 'forward' };
      if (verdict.does === 'deny') return refusal(verdict.text);
      const argsText = argsTextOf(call.text);
      const like = JSON.stringify([call.name, argsText]);
      const known = left.take(like, call.state);
      if (known === 'another') return known;
      waited = call.waits();
      const { asking, round } = known ?? { asking: begin(call, argsText, verdict), round: 0 };
      const inquiry = await heard(asking, call.waitMs, signal);
      if (inquiry === 'later')
        return { type: 'undecided', state: left.leave(like, { asking, round: round + 1 }), round: round + 1 };
      return inquiry === 'gone' ? inquiry : decidedOf(inquiry, { owner: OWNER, tool: call.tool });
    } catch (error) {
      return refusal(`The call was not run: ${reasonOf(error)}`);
    } finally {
      waited?.();
    }
  };
}

/** What people decided; "later" when it took longer than `ms`. A call that its client takes back takes its question with it. */
async function heard({ inquiry, abort }: Asking, ms: number, signal: AbortSignal): Promise<Inquiry | 'gone' | 'later'> {
  const takeBack = (): void => abort.abort(signal.reason);
  signal.addEventListener('abort', takeBack, { once: true });
  if (signal.aborted) takeBack();
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<'later'>((resolve) => {
    if (ms <= LONGEST_TIMER_MS) timer = setTimeout(() => resolve('later'), ms);
  });
  try {
    const first = await Promise.race([inquiry, late]);
    return first === 'later' && signal.aborted ? await inquiry : first;
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', takeBack);
  }
}

/** The same ask with a key of its own and no extension: whoever waits knows how long. */
export function keyed<T extends object>(ask: T, { deadline }: WrappedGate): T & { key: string; latest: number } {
  return { ...ask, key: `gate-${randomUUID()}`, latest: deadline };
}

/** Why nobody could be asked, for a model to read. */
export function reasonOf(error: unknown): string {
  if (error instanceof JsonError) return `a person cannot be shown it. ${error.message}`;
  if (error instanceof AppError || error instanceof Unreachable) return `nobody could be asked. ${error.message}`;
  return `nobody could be asked. ${error instanceof Error ? error.message : String(error)}`;
}

/** The name under which a client speaks: of `initialize`, or of each request since 2026-07-28. */
export function agentOf({ params }: Message): string | undefined {
  const info = params?.['clientInfo'] ?? params?._meta?.['io.modelcontextprotocol/clientInfo'];
  const { title, name } = (info ?? {}) as Record<string, unknown>;
  return [title, name].find((one) => typeof one === 'string' && one !== '') as string | undefined;
}
