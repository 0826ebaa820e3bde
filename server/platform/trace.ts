import { AsyncLocalStorage } from 'node:async_hooks';

/** W3C Trace Context, version 00: trace and parent that are not all zero, and flags. */
const TRACEPARENT = /^00-(?!0{32})[\da-f]{32}-(?!0{16})[\da-f]{16}-[\da-f]{2}$/;
/** One member of a `tracestate`: what one tracing system says of this trace. */
const MEMBER = /^[a-z\d][a-z\d_\-*/@]{0,255}=[ -+\--<>-~]{0,255}[!-+\--<>-~]$/;
/** So many members the standard allows, and so many characters everybody has to pass on. */
const MOST_MEMBERS = 32;
const STATE_LENGTH = 512;

// What belongs to a trace is told to the database and to other programs far below the call that brought it.
const running = new AsyncLocalStorage<string | undefined>();

/**
 * The trace that somebody sent: its `traceparent`, and after a blank the `tracestate` beside it. Undefined for what is none,
 * which the hub takes for nothing, as the standard asks; so is a `tracestate` that is none.
 */
export function readTrace(given: Record<string, unknown> | undefined): string | undefined {
  const parent = given?.['traceparent'];
  if (typeof parent !== 'string' || !TRACEPARENT.test(parent)) return undefined;
  const state = readState(given?.['tracestate']);
  return state === '' ? parent : `${parent} ${state}`;
}

function readState(given: unknown): string {
  if (typeof given !== 'string') return '';
  const members = given
    .split(',')
    .map((member) => member.replace(/^[ \t]+|[ \t]+$/g, ''))
    .filter((member) => member !== '');
  if (members.length > MOST_MEMBERS || !members.every((member) => MEMBER.test(member))) return '';
  // The newest stand first: what is too much goes from the end, whole.
  while (members.join(',').length > STATE_LENGTH) members.pop();
  return members.join(',');
}

/** Does this as a part of that trace. */
export function withTrace<T>(trace: string | null | undefined, work: () => T): T {
  return running.run(trace ?? undefined, work);
}

/** The trace that what runs now belongs to. */
export function currentTrace(): string | undefined {
  return running.getStore();
}

/** The headers that make what another program does a part of this trace, by default of the current one. */
export function traceHeaders(trace: string | null | undefined = currentTrace()): Record<string, string> {
  if (!trace) return {};
  const [traceparent = '', ...state] = trace.split(' ');
  return state.length === 0 ? { traceparent } : { traceparent, tracestate: state.join(' ') };
}

type About = Record<string, string | number | boolean | undefined>;
/** What is told of one piece of work; `after` what is known only of its result. */
export type Span<T> = { name: string; calls?: true; about?: About; after?: (result: Awaited<T>) => About };
export type ExportSpan = <T>(span: Span<T>, trace: string | null | undefined, work: () => T) => T;

let exportSpan: ExportSpan | undefined;

/** From now on each span is handed to this; undefined: to nobody, as at the start. */
export function exportSpansTo(exporter: ExportSpan | undefined): void {
  exportSpan = exporter;
}

/**
 * Does this as one span of a trace, by default of the current one; where spans are exported, what it does in there is below
 * that span. Without an exporter the work is only called.
 */
export function inSpan<T>(span: Span<T>, work: () => T, of?: { trace: string | null | undefined }): T {
  if (exportSpan) return exportSpan(span, of ? of.trace : currentTrace(), work);
  return of ? withTrace(of.trace, work) : work();
}
