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
  const names: string[] = [];
  const colon = /[ \t\r\n]*:/y;
  let escaped = false;
  for (let at = text.indexOf('"'); at >= 0;) {
    const end = endOfString(text, at);
    colon.lastIndex = end;
    if (colon.test(text)) {
      const name = text.slice(at, end);
      escaped ||= name.includes('\\');
      names.push(name);
    }
    at = text.indexOf('"', end);
  }
  if (!escaped) return false;
  const counts = new Map<string, number>();
  for (const written of names) counts.set(written, (counts.get(written) ?? 0) + 1);
  const left = new Map<string, number>();
  for (const [written, count] of counts) {
    const name = written.includes('\\') ? (JSON.parse(written) as string) : written.slice(1, -1);
    left.set(name, (left.get(name) ?? 0) + count);
  }
  return !takeNames(value, left) || left.size > 0;
}

/** Takes each name in a value out of those that are left; false for one that is not among them. */
function takeNames(value: unknown, left: Map<string, number>): boolean {
  if (Array.isArray(value)) return value.every((one) => takeNames(one, left));
  if (!isObject(value) || isRaw(value)) return true;
  return Object.entries(value).every(([name, inner]) => {
    const count = left.get(name) ?? 0;
    if (count === 1) left.delete(name);
    else left.set(name, count - 1);
    return count > 0 && takeNames(inner, left);
  });
}

/** Where the string ends that begins at this quotation mark; at the end of the text where it does not. */
export function endOfString(text: string, start: number): number {
  for (let at = text.indexOf('"', start + 1); at >= 0; at = text.indexOf('"', at + 1)) {
    let before = at;
    while (text.charCodeAt(before - 1) === 0x5c) before--;
    if ((at - before) % 2 === 0) return at + 1;
  }
  return text.length;
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
function nestsTooDeep(text: string): boolean {
  let depth = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === 0x22) at = endOfString(text, at) - 1;
    else if (code === 0x5b || code === 0x7b) {
      if (++depth > MAX_DEPTH) return true;
    } else if (code === 0x5d || code === 0x7d) depth--;
  }
  return false;
}
