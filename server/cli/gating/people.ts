import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { Ask, Inquiry } from '#shared/inquiry.ts';
import { AppError } from '#shared/problem.ts';
import { toAsk, toElicitResult, type ElicitResult } from '../../dialects/elicitation/elicitation.ts';
import { createHeldCalls } from '../../platform/held-calls.ts';
import { refusal } from '../../mcp/gate/call.ts';
import type { People } from '../../mcp/gate/hold.ts';
import { Unreachable, type HubClient } from '../command/hub-client.ts';
import type { WrappedGate } from './options.ts';

const POLL_SECONDS = 60;
/** A hub that holds a poll longer than this is gone, whatever the connection says. */
const SILENCE_MS = 75_000;
/** Calls that arrive within this time after one another are one turn, and one card. */
const BURST_MS = 300;
/** What is longer no timer of Node can wait for, and no client. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;
/** For whom schemas are checked: this process serves one client. */
export const CLI = { id: 'cli' };

/** So long a hub that does not reply is tried again: to ask at all, and to hear the answer to what was asked. */
export type Patience = { askMs: number; hearMs: number; firstRetryMs: number; longestRetryMs: number };
const PATIENCE: Patience = { askMs: 15_000, hearMs: 120_000, firstRetryMs: 250, longestRetryMs: 4_000 };

/** Where and for whom a wrapped server's calls are decided. */
export type Deciding = {
  gate: WrappedGate;
  /** Opened when the first call is to be asked: a gate that lets all pass needs no hub. */
  hub: () => Promise<HubClient>;
  cwd: string;
  patience?: Patience | undefined;
};

/** A question on its way to people; `timer` runs while no call waits for it. */
type Question = { inquiry: Promise<Inquiry | 'gone'>; abort: AbortController; timer?: NodeJS.Timeout };

/** The people of a hub, asked over HTTP about calls of this process. */
export function createPeople({ gate, hub, cwd, patience = PATIENCE }: Deciding, graceMs: number) {
  const held = createHeldCalls({ burstMs: BURST_MS, now: () => performance.now() });
  const left = new Map<string, Question>();
  // Until a hub replied nothing is decided, and there is no approval to compare it with.
  let now = Date.now;
  const begin = (question: Ask): Question => {
    const abort = new AbortController();
    const asked = keyed({ ...question, context: { ...question.context, cwd: cwd.slice(0, 1000) } }, gate);
    const inquiry = hub()
      .then((one) => {
        now = one.now;
        return askPeople(one, asked, abort.signal, patience);
      })
      .catch((error: Error) => {
        throw error instanceof AppError ? error : new AppError(503, 'hub.unreachable', error.message);
      });
    // Whoever waits hears of it; while nobody does it must not end this process.
    inquiry.catch(() => {});
    return { inquiry, abort };
  };
  return {
    /** The people who decide about one call of this tool. */
    of: (tool: string, signal: AbortSignal): People => ({
      held,
      client: CLI.id,
      graceMs,
      async ask(question, name, ms) {
        const asked = left.get(name) ?? begin(question);
        left.delete(name);
        clearTimeout(asked.timer);
        const inquiry = await heard(asked, ms, signal);
        if (inquiry === 'gone') return { ended: inquiry };
        if (inquiry !== 'later') return { ended: 'resolved', inquiry };
        asked.timer = setTimeout(() => {
          left.delete(name);
          asked.abort.abort(new Error('Its client did not come back.'));
        }, graceMs);
        left.set(name, asked);
        return { ended: inquiry };
      },
      // Before the end of the approval is looked at: a hub may take its time.
      use: async ({ id }, decided) => {
        if (!gate.receipt || decided.type !== 'forward') return decided;
        try {
          const read = async () => (await hub()).receipt(id, signal);
          return { ...decided, receipt: await persist(read, signal, patience.askMs, patience) };
        } catch (error) {
          return refusal(`The call was approved and not run: its receipt cannot be had. ${(error as Error).message}`);
        }
      },
      now: () => now(),
      leftOut: (reason) =>
        void process.stderr.write(`beckon gate: the schema of ${tool} is left out of its calls: it ${reason}\n`),
    }),
    /** Takes back what nobody waits for. */
    async close(): Promise<void> {
      const all = [...left.values()];
      left.clear();
      for (const { timer, abort } of all) {
        clearTimeout(timer);
        abort.abort(new Error('Its client is gone.'));
      }
      await Promise.allSettled(all.map(({ inquiry }) => inquiry));
    },
  };
}

/** What people decided; "later" when it took longer than `ms`. A call that its client takes back takes its question with it. */
async function heard(
  { inquiry, abort }: Question,
  ms: number,
  signal: AbortSignal,
): Promise<Inquiry | 'gone' | 'later'> {
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

export type ElicitOfClient = (
  params: unknown,
  agent: string | undefined,
  signal: AbortSignal,
) => Promise<ElicitResult | 'gone'>;

/**
 * Asks people of the hub what a wrapped server asks its client. Where no hub replies nobody decided: a cancel. Throws
 * `AppError` 422 for what cannot be shown to anybody.
 */
export function createElicit({ gate, hub, patience }: Deciding): ElicitOfClient {
  return async (params, agent, signal) => {
    try {
      const ask = keyed(await toAsk({ gate, source: CLI, params, agent }), gate);
      const inquiry = await askPeople(await hub(), ask, signal, patience);
      if (inquiry === 'gone') return inquiry;
      return inquiry.resolution ? toElicitResult({ ...ask, resolution: inquiry.resolution }) : { action: 'cancel' };
    } catch (error) {
      if (error instanceof AppError && error.status === 422) throw error;
      return { action: 'cancel' };
    }
  };
}

// A key of its own finds it again, and no extension: whoever waits knows how long.
function keyed<T extends object>(ask: T, { deadline }: WrappedGate): T & { key: string; latest: number } {
  return { ...ask, key: `gate-${randomUUID()}`, latest: deadline };
}

/**
 * Asks the people of a hub over HTTP and waits until they decided. The ask carries its key, so that a
 * lost reply or a restarting hub finds it again (ASK2). "gone": `signal` aborted, and it was taken back. Throws
 * `AppError` where the hub refuses and `Unreachable` where none replied for too long; then nobody decided.
 */
export async function askPeople(
  hub: HubClient,
  ask: Ask & { key: string },
  signal: AbortSignal,
  patience: Patience = PATIENCE,
): Promise<Inquiry | 'gone'> {
  // Not cut short: an ask on its way may have arrived, and can be taken back only by its id.
  const asked = await persist(() => hub.ask(ask, AbortSignal.timeout(SILENCE_MS)), signal, patience.askMs, patience);
  if (asked === 'gone') return asked;
  for (let inquiry = asked; ;) {
    if (inquiry.resolution) return inquiry;
    const startedAt = performance.now();
    const hear = () => hub.read(asked.id, POLL_SECONDS, AbortSignal.any([signal, AbortSignal.timeout(SILENCE_MS)]));
    const read = await persist(hear, signal, patience.hearMs, patience);
    if (read === 'gone') return takeBack(hub, asked.id, signal);
    inquiry = read;
    // A stopping hub replies at once; without a pause this would be a busy loop.
    if (!inquiry.resolution && performance.now() - startedAt < 1000)
      await pause(patience.firstRetryMs, undefined, { signal }).catch(() => {});
  }
}

async function takeBack(hub: HubClient, id: string, signal: AbortSignal): Promise<'gone'> {
  const reason = signal.reason instanceof Error ? signal.reason.message : '';
  try {
    await hub.withdraw(id, reason || 'The asker stopped waiting.');
  } catch (error) {
    // Decided in the same moment, or no hub: the deadline ends it, and nothing is run in between.
    if (!(error instanceof AppError || error instanceof Unreachable)) throw error;
  }
  return 'gone';
}

/** Tries again, with back-off, while no hub replies and `ms` are not over. */
async function persist<T>(
  attempt: () => Promise<T>,
  signal: AbortSignal,
  ms: number,
  { firstRetryMs, longestRetryMs }: Patience,
): Promise<T | 'gone'> {
  const giveUpAt = performance.now() + ms;
  for (let wait = firstRetryMs; ; wait = Math.min(wait * 2, longestRetryMs)) {
    if (signal.aborted) return 'gone';
    try {
      return await attempt();
    } catch (error) {
      if (signal.aborted) return 'gone';
      if (!(error instanceof Unreachable) || performance.now() + wait > giveUpAt) throw error;
    }
    await pause(wait, undefined, { signal }).catch(() => {});
  }
}
