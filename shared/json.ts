export type Json = string | number | boolean | null | Json[] | { [member: string]: Json };

/** Why a JSON text was refused; `reason` is one plain sentence. */
export class JsonError extends Error {
  readonly kind: 'malformed' | 'unsafe';

  constructor(kind: 'malformed' | 'unsafe', reason: string) {
    super(reason);
    this.kind = kind;
  }
}

const MAX_DEPTH = 64;

// Parse source text access (ECMAScript 2026); not yet in TypeScript's library.
type SourceReviver = (this: unknown, key: string, value: unknown, context: { source?: string }) => unknown;
const parseWithSource = JSON.parse as (text: string, reviver: SourceReviver) => unknown;
const { rawJSON } = JSON as unknown as { rawJSON(text: string): object };

/**
 * Parses JSON so that `JSON.stringify` gives every number back as it was written: one that a double
 * would change (2^53 + 1, 1.0, 1e3) becomes a raw value. Throws `JsonError`: "malformed" for what is
 * not JSON or nests deeper than 64, "unsafe" for U+0000, a lone surrogate or a member `__proto__`.
 */
export function parseExact(text: string): unknown {
  if (nestsTooDeep(text)) throw new JsonError('malformed', `The JSON nests deeper than ${MAX_DEPTH} levels.`);
  let value: unknown;
  try {
    value = parseWithSource(text, (key, value, { source }) => {
      refuseUnsafe(key);
      if (key === '__proto__') throw new JsonError('unsafe', 'A member may not be named "__proto__".');
      if (typeof value === 'string') refuseUnsafe(value);
      if (typeof value === 'number' && source !== undefined && String(value) !== source) return rawJSON(source);
      return value;
    });
  } catch (error) {
    if (error instanceof JsonError) throw error;
    throw new JsonError('malformed', 'The body is not JSON.');
  }
  if (isMisread(text, value)) throw new JsonError('unsafe', MISREAD);
  return value;
}

export const MISREAD = 'The name of a member cannot be read for certain; write it without escapes.';

/**
 * True where `JSON.parse` made other members of a text than it holds. V8 (Node 24.21) takes an escaped name for one
 * that holds a backslash where an earlier text had that in its place: what is read would not be what others run.
 * The text has to be JSON.
 */
export function isMisread(text: string, value: unknown): boolean {
  if (!text.includes('\\')) return false;
  const written: string[] = [];
  const colon = /[ \t\r\n]*:/y;
  let escaped = false;
  for (let at = text.indexOf('"'); at >= 0;) {
    const start = at;
    for (at++; at < text.length && text.charCodeAt(at) !== 0x22; at++) if (text.charCodeAt(at) === 0x5c) at++;
    const name = text.slice(start, ++at);
    colon.lastIndex = at;
    if (colon.test(text)) {
      escaped ||= name.includes('\\');
      written.push(JSON.parse(name) as string);
    }
    at = text.indexOf('"', at);
  }
  return escaped && JSON.stringify(written.toSorted()) !== JSON.stringify(namesIn(value).toSorted());
}

function namesIn(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(namesIn);
  if (!isObject(value) || isRaw(value)) return [];
  return Object.entries(value).flatMap(([name, inner]) => [name, ...namesIn(inner)]);
}

/** The same value with ordinary numbers, for code that computes with it. */
export function plain<T>(value: T): T {
  return JSON.parse(JSON.stringify(value)) as T;
}

/** The JSON text with every object's members sorted by code unit, numbers as they were written. */
export function canonical(value: unknown): string {
  return JSON.stringify(sorted(value));
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (!isObject(value) || isRaw(value)) return value;
  return Object.fromEntries(
    Object.entries(value)
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([member, inner]) => [member, sorted(inner)]),
  );
}

/** True for a number that `parseExact` kept as its source text. */
export function isRaw(value: unknown): boolean {
  return (JSON as unknown as { isRawJSON(value: unknown): boolean }).isRawJSON(value);
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

function refuseUnsafe(text: string): void {
  if (text.includes('\u0000')) throw new JsonError('unsafe', 'A text contains the character U+0000.');
  if (!text.isWellFormed()) throw new JsonError('unsafe', 'A text contains half of a surrogate pair.');
}

/** Whether a text nests deeper than so many levels; counted before parsing, because a reviver recurses and a deep text would exhaust the stack. */
export function nestsTooDeep(text: string, levels = MAX_DEPTH): boolean {
  let depth = 0;
  let quoted = false;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (quoted) {
      if (code === 0x5c) at++;
      else if (code === 0x22) quoted = false;
    } else if (code === 0x22) quoted = true;
    else if (code === 0x5b || code === 0x7b) {
      if (++depth > levels) return true;
    } else if (code === 0x5d || code === 0x7d) depth--;
  }
  return false;
}
