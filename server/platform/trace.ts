import { AsyncLocalStorage } from 'node:async_hooks';

/** W3C Trace Context, version 00: trace and parent that are not all zero, and flags. */
const TRACEPARENT = /^00-(?!0{32})[\da-f]{32}-(?!0{16})[\da-f]{16}-[\da-f]{2}$/;

// What belongs to a trace is told to the database and to other programs far below the call that brought it.
const running = new AsyncLocalStorage<string | undefined>();

/** The `traceparent` that somebody sent; undefined for what is none, which the hub takes for nothing, as the standard asks. */
export function readTrace(given: unknown): string | undefined {
  return typeof given === 'string' && TRACEPARENT.test(given) ? given : undefined;
}

/** Does this as a part of that trace. */
export function withTrace<T>(trace: string | null | undefined, work: () => T): T {
  return running.run(trace ?? undefined, work);
}

/** The trace that what runs now belongs to. */
export function currentTrace(): string | undefined {
  return running.getStore();
}

/**
 * The header that makes what another program does a part of this trace, by default of the current one. It is passed on as it
 * came: the hub has no spans of its own.
 */
export function traceHeaders(trace: string | null | undefined = currentTrace()): Record<string, string> {
  return trace ? { traceparent: trace } : {};
}
