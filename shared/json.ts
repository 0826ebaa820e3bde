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

// Not yet in TypeScript's library (ECMAScript 2026).
const { rawJSON } = JSON as unknown as { rawJSON(text: string): object };

/**
 * Parses JSON so that `JSON.stringify` gives every number back as it was written: one that a double
 * would change (2^53 + 1, 1.0, 1e3) becomes a raw value. Throws `JsonError`: "malformed" for what is
 * not JSON or nests deeper than 64, "unsafe" for U+0000, a lone surrogate, a member `__proto__` or one that stands twice:
 * readers differ in which one they take. Not by a library: those that keep numbers wrap them, and none refuses these.
 */
export function parseExact(text: string): unknown {
  const { depth, members } = measure(text);
  if (depth > MAX_DEPTH) throw new JsonError('malformed', `The JSON nests deeper than ${MAX_DEPTH} levels.`);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new JsonError('malformed', 'The body is not JSON.');
  }
  refuseUnsafe(value);
  // A reviver with source text access takes 5 µs a value, so that 256 KiB of numbers would stop the event loop.
  const marked = markNumbers(text);
  if (marked !== text) value = unmarkNumbers(JSON.parse(marked));
  if (isMisread(text, value)) throw new JsonError('unsafe', MISREAD);
  if (members > measure(JSON.stringify(value)).members) throw new JsonError('unsafe', 'A member stands twice in it.');
  return value;
}

/** The same of what a person wrote in a file or an option; throws what is wrong with it, to stand before a full stop. */
export function parseWritten(text: string): unknown {
  try {
    JSON.parse(text); // Says where it is not JSON.
    return parseExact(text);
  } catch (error) {
    throw new JsonError('malformed', (error as Error).message.replace(/\.$/, ''));
  }
}

/** The text with every number that a double would change as a string that begins with U+0000, which no other may hold. */
function markNumbers(text: string): string {
  let marked = '';
  let copied = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === 0x22) at = endOfString(text, at) - 1;
    if (code !== 0x2d && !(code >= 0x30 && code <= 0x39)) continue;
    NUMBER.lastIndex = at;
    const [source = ''] = NUMBER.exec(text) ?? [];
    if (String(Number(source)) !== source) {
      marked += `${text.slice(copied, at)}"\\u0000${source}"`;
      copied = at + source.length;
    }
    at += source.length - 1;
  }
  return marked + text.slice(copied);
}

const NUMBER = /[-+.\deE]+/y;

function unmarkNumbers(value: unknown): unknown {
  if (typeof value === 'string') return value.startsWith('\u0000') ? rawJSON(value.slice(1)) : value;
  if (Array.isArray(value)) return value.map(unmarkNumbers);
  if (!isObject(value)) return value;
  for (const [name, inner] of Object.entries(value)) value[name] = unmarkNumbers(inner);
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
  const names = readNames(text);
  if (!names.some((name) => name.includes('\\'))) return false;
  const counts = new Map<string, number>();
  for (const written of names) counts.set(written, (counts.get(written) ?? 0) + 1);
  const left = new Map<string, number>();
  for (const [written, count] of counts) {
    const name = written.includes('\\') ? (JSON.parse(written) as string) : written.slice(1, -1);
    left.set(name, (left.get(name) ?? 0) + count);
  }
  return !takeNames(value, left) || left.size > 0;
}

/** The names of all members in a JSON text, as they are written. */
function readNames(text: string): string[] {
  const names: string[] = [];
  const colon = /[ \t\r\n]*:/y;
  for (let at = text.indexOf('"'); at >= 0;) {
    const end = endOfString(text, at);
    colon.lastIndex = end;
    if (colon.test(text)) names.push(text.slice(at, end));
    at = text.indexOf('"', end);
  }
  return names;
}

/** True where an object of a JSON text, read as this value, holds a member twice: readers differ in which one they take. */
export function holdsTwice(text: string, value: unknown): boolean {
  return measure(text).members > measure(JSON.stringify(value)).members;
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

/** The members of an object that are not undefined. */
export function withoutUndefined<T extends object>(members: T): { [K in keyof T]: Exclude<T[K], undefined> } {
  const defined = Object.entries(members).filter(([, value]) => value !== undefined);
  return Object.fromEntries(defined) as { [K in keyof T]: Exclude<T[K], undefined> };
}

/** The JSON text with every object's members sorted by code unit, numbers as they were written. */
export function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map((one) => canonical(one ?? null)).join(',')}]`;
  if (!isObject(value) || isRaw(value)) return JSON.stringify(value);
  // Not by an object with its members in order: those whose names are whole numbers would come first.
  const members = Object.keys(value)
    .filter((name) => value[name] !== undefined)
    .toSorted()
    .map((name) => `${JSON.stringify(name)}:${canonical(value[name])}`);
  return `{${members.join(',')}}`;
}

/** True for a number that `parseExact` kept as its source text. */
export function isRaw(value: unknown): boolean {
  return (JSON as unknown as { isRawJSON(value: unknown): boolean }).isRawJSON(value);
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

function refuseUnsafe(value: unknown): void {
  if (typeof value === 'string') return refuseUnsafeText(value);
  if (Array.isArray(value)) return value.forEach(refuseUnsafe);
  if (!isObject(value)) return;
  for (const [name, inner] of Object.entries(value)) {
    refuseUnsafeText(name);
    if (name === '__proto__') throw new JsonError('unsafe', 'A member may not be named "__proto__".');
    refuseUnsafe(inner);
  }
}

function refuseUnsafeText(text: string): void {
  if (text.includes('\u0000')) throw new JsonError('unsafe', 'A text contains the character U+0000.');
  if (!text.isWellFormed()) throw new JsonError('unsafe', 'A text contains half of a surrogate pair.');
}

/** How deep a text nests, and how many members it names; before parsing, because a deep text would exhaust the stack. */
function measure(text: string): { depth: number; members: number } {
  let [depth, level, members] = [0, 0, 0];
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === 0x22) at = endOfString(text, at) - 1;
    else if (code === 0x3a) members++;
    else if (code === 0x5b || code === 0x7b) depth = Math.max(depth, ++level);
    else if (code === 0x5d || code === 0x7d) level--;
  }
  return { depth, members };
}
