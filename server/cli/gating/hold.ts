import { randomUUID } from 'node:crypto';
import type { Tool } from '@modelcontextprotocol/client';
import { JsonError } from '#shared/json.ts';
import { AppError } from '#shared/problem.ts';
import { askOf, decidedOf, refusal, verdictOf, type Decided } from '../../gate/call.ts';
import { createHeldCalls } from '../../gate/held.ts';
import { argsTextOf, type Message } from '../../gate/stdio/messages.ts';
import { Unreachable, type HubClient } from '../hub-client.ts';
import type { WrappedGate } from './options.ts';
import { askPeople, PATIENCE, type Patience } from './people.ts';

/** Calls that arrive within this time after one another are one turn, and one card. */
const BURST_MS = 300;

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
  /** It begins to wait for a person; the result says that it does no more. */
  waits: () => () => void;
};
/** Decides one call. "gone": it was taken back. Never throws, and never lets pass what nobody decided. */
export type Decide = (call: HeldCall, signal: AbortSignal) => Promise<Decided | 'gone'>;

/** Decides calls by the gate's rules, and by asking people where the rules say so. */
export function createDecide({ gate, hub, cwd, patience = PATIENCE }: Deciding): Decide {
  const turns = createHeldCalls({ burstMs: BURST_MS, now: () => performance.now() });
  return async ({ name, text, tool, agent, waits }, signal) => {
    let held: ReturnType<typeof turns.begin> | undefined;
    let waited: (() => void) | undefined;
    try {
      const verdict = verdictOf(gate, name, tool);
      if (verdict.does === 'allow') return { type: 'forward' };
      if (verdict.does === 'deny') return refusal(verdict.text);
      held = turns.begin({ like: '', turn: '' });
      waited = waits();
      const call = { name, argsText: argsTextOf(text) };
      const about = askOf({ ...gate, to: gate.to }, { call, verdict, agent, group: held.group });
      const ask = keyed({ ...about, context: { ...about.context, cwd: cwd.slice(0, 1000) } }, gate);
      const inquiry = await askPeople(await hub(), ask, signal, patience);
      return inquiry === 'gone' ? inquiry : decidedOf(inquiry, tool);
    } catch (error) {
      return refusal(`The call was not run: ${reasonOf(error)}`);
    } finally {
      waited?.();
      held?.end();
    }
  };
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
