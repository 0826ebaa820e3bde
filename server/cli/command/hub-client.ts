import { setTimeout as pause } from 'node:timers/promises';
import type { AnswerBody, AnswerReply, Resolution } from '#shared/answer.ts';
import type { HandReply } from '#shared/hands.ts';
import type { Ask, Inquiry } from '#shared/inquiry.ts';
import { parseExact } from '#shared/json.ts';
import { AppError, type Problem } from '#shared/problem.ts';
import { traceHeaders } from '../../platform/trace.ts';
import { runnable } from '../../inquiries/validity.ts';
import type { ProblemCode } from '#shared/reference/problems.ts';

/** The hub as a source sees it over HTTP, every number as it was written. A hub that does not reply is an `Unreachable`, a refusal an `AppError`. */
export type HubClient = {
  ask(ask: Ask, signal?: AbortSignal): Promise<Inquiry>;
  /** Waits up to `seconds` for the resolution. */
  read(id: string, seconds: number, signal: AbortSignal): Promise<Inquiry>;
  withdraw(id: string, reason: string): Promise<unknown>;
  /** The signed proof of what was decided. */
  receipt(id: string, signal: AbortSignal): Promise<string>;
  /** The time by the hub's clock, in ms, as its last reply told it that did not wait: this machine's may be wrong. */
  now(): number;
};

/** And what only a person at the command line does with one question. */
export type HubCommands = HubClient & {
  withdraw(id: string, reason?: string): Promise<Inquiry>;
  /** What this source asked, or what waits for the person of this device. */
  list(which: 'inquiries' | 'inbox', query: URLSearchParams): Promise<{ items: Inquiry[] }>;
  /** As a device. A loser is told who won: that is a reply too. */
  answer(id: string, body: AnswerBody): Promise<AnswerReply | HandReply>;
};

export class Unreachable extends Error {}

/** An open inquiry outlives a restart of the hub, and so does its asker. */
const PATIENCE_MS = 60_000;
const RETRY_MS = 1_000;
/** A reply within this time tells what time it is at the hub. */
const QUICK_MS = 2_000;

/**
 * The resolution, or nothing when the asker gave up first; an approval that has ended is none, whoever had it in time: a
 * script runs what this says (APR1). The hub keeps the deadline; this only listens, and calls `seen` with each state.
 */
export async function waitForResolution(
  hub: Pick<HubClient, 'read' | 'now'>,
  id: string,
  { seconds, signal, seen }: { seconds: number; signal: AbortSignal; seen?: (inquiry: Inquiry) => void },
): Promise<Resolution | undefined> {
  let lostAt: number | undefined;
  while (!signal.aborted) {
    try {
      const inquiry = await hub.read(id, seconds, signal);
      seen?.(inquiry);
      if (inquiry.resolution) return runnable(inquiry, hub.now()).resolution;
      lostAt = undefined;
    } catch (error) {
      if (signal.aborted) return undefined;
      lostAt ??= performance.now();
      if (!(error instanceof Unreachable) || performance.now() - lostAt > PATIENCE_MS) throw error;
    }
    // A stopping hub replies at once; without a pause this would be a busy loop.
    await pause(RETRY_MS, undefined, { signal }).catch(() => {});
  }
  return undefined;
}

export function hubClient(base: string, key: string): HubCommands {
  let ahead: number | undefined;
  const call = async <T>(method: string, path: string, body?: object, signal?: AbortSignal): Promise<T> => {
    const headers = {
      authorization: `Bearer ${key}`,
      ...traceHeaders(),
      ...(body ? { 'content-type': 'application/json' } : {}),
    };
    const sentAt = Date.now();
    const reply = await fetch(base + path, {
      method,
      headers,
      body: body ? JSON.stringify(body) : null,
      signal: signal ?? null,
    }).catch((error: unknown) => {
      throw new Unreachable(`No hub replies at ${base}; start it with "beckon serve" or set BECKON_URL.`, {
        cause: error,
      });
    });
    const told = Date.parse(reply.headers.get('date') ?? '');
    // It tells whole seconds: what ends within this one has ended. What took longer, a machine may have slept over.
    const isQuick = Date.now() - sentAt < QUICK_MS;
    if (Number.isFinite(told) && (isQuick || ahead === undefined)) ahead = told + 999 - Date.now();
    const text = await reply.text().catch((error: unknown) => {
      throw new Unreachable(`The hub at ${base} stopped while it replied.`, { cause: error });
    });
    return readReply<T>(reply, text, base);
  };
  return {
    now: () => Date.now() + (ahead ?? 0),
    ask: (ask, signal) => call('POST', '/v1/inquiries', ask, signal),
    read: (id, seconds, signal) =>
      call('GET', `/v1/inquiries/${encodeURIComponent(id)}?wait=${seconds}`, undefined, signal),
    withdraw: (id, reason) => call('POST', `/v1/inquiries/${encodeURIComponent(id)}/withdraw`, { reason }),
    receipt: async (id, signal) => {
      const path = `/v1/inquiries/${encodeURIComponent(id)}/receipt`;
      return (await call<{ receipt: string }>('GET', path, undefined, signal)).receipt;
    },
    list: (which, query) => call('GET', `/v1/${which}?${query.toString()}`),
    answer: (id, body) => call('POST', `/v1/inquiries/${encodeURIComponent(id)}/answer`, body),
  };
}

function readReply<T>(reply: Response, text: string, base: string): T {
  const foreign = new Unreachable(
    `What replies at ${base} is not a Beckon hub (HTTP ${reply.status}); set BECKON_URL.`,
  );
  // A hub that starts, stops or fails, or a proxy in front of one that is gone: worth another try.
  if (reply.status >= 500) throw new Unreachable(`The hub at ${base} is not ready (HTTP ${reply.status}).`);
  let body: unknown;
  try {
    body = parseExact(text);
  } catch {
    throw foreign;
  }
  if (typeof body !== 'object' || body === null) throw foreign;
  if (reply.ok || 'won' in body) return body as T;
  const problem = body as Partial<Problem>;
  if (typeof problem.code !== 'string') throw foreign;
  throw new AppError(
    reply.status,
    problem.code as ProblemCode,
    // Perhaps it is another hub than the one that was meant.
    reply.status === 401
      ? `${problem.detail ?? problem.code} The hub at ${base} says so; BECKON_URL or PORT names another.`
      : (problem.detail ?? problem.code),
    problem.faults ? { faults: problem.faults } : {},
  );
}
