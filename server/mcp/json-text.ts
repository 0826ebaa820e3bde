import { endOfString, JsonError } from '#shared/json.ts';

// Written here and not by a library: what a person saw must be what runs, so the same scan has to name every member that
// two parsers may read differently, keep each byte that is not changed, and read 4 MB within some 50 ms.

/** Where a value stands in a JSON text, in UTF-16 code units. */
export type Span = { start: number; end: number };

/** Where the value at this path of members stands in a text that is JSON, or undefined. */
export function findSpan(text: string, path: string[]): Span | undefined {
  let start: number | undefined = afterSpace(text, 0);
  for (const member of path) {
    start = start === undefined ? undefined : findMember(text, start, member);
  }
  return start === undefined ? undefined : { start, end: endOfValue(text, start) };
}

/**
 * The exact text of the value at this path, undefined where none stands there. Throws `JsonError` where a
 * parser reads something else there: what a person is shown would not be what runs.
 */
export function textAt(text: string, path: string[], parsed: unknown = JSON.parse(text)): string | undefined {
  const span = findSpan(text, path);
  const read = path.reduce(getMember, parsed);
  if (!span && read === undefined) return undefined;
  const found = span && text.slice(span.start, span.end);
  if (found === undefined || read === undefined || JSON.stringify(parseOrNothing(found)) !== JSON.stringify(read))
    throw new JsonError('unsafe', `The member "${path.join('.')}" can be read in two ways.`);
  return found;
}

/**
 * The text with the value at this path replaced, or put in where its object has none yet. Everything else stays
 * as it is. Throws `JsonError` where the result does not have exactly this value there, once.
 */
export function withValue(text: string, path: string[], value: string): string {
  const result = put(text, path, value);
  const span = findSpan(result, path);
  const sure =
    parseOrNothing(value) !== undefined &&
    parseOrNothing(result) !== undefined &&
    span !== undefined &&
    result.slice(span.start, span.end) === value &&
    !faultOfText(result);
  if (!sure) throw new JsonError('unsafe', `The member "${path.join('.')}" cannot be put into this message.`);
  return result;
}

/** The same text without the member at this path, all else as it was. Throws `JsonError` where that cannot be told for certain. */
export function withoutValue(text: string, path: string[]): string {
  const found = findSpan(text, path);
  if (!found) return text;
  // Its key is what it says: no quotation mark stands in it, however it is spelt.
  const key = text.lastIndexOf('"', text.lastIndexOf('"', found.start - 1) - 1);
  const before = text.slice(0, key).trimEnd();
  const after = afterSpace(text, found.end);
  const result = before.endsWith(',')
    ? before.slice(0, -1) + text.slice(found.end)
    : text.slice(0, key) + text.slice(text[after] === ',' ? after + 1 : found.end);
  if (parseOrNothing(result) === undefined || findSpan(result, path) || faultOfText(result))
    throw new JsonError('unsafe', `The member "${path.join('.')}" cannot be taken out of this message.`);
  return result;
}

/**
 * The text with one more item at the end of the list at this path, all else as it was. The same text where no list
 * stands there, or where it can be read in two ways; `parsed` is what the text says.
 */
export function withItem(text: string, path: string[], item: string, parsed: unknown): string {
  const list = path.reduce(getMember, parsed);
  const span = findSpan(text, path);
  if (!span || !Array.isArray(list)) return text;
  const end = span.end - 1;
  const result = `${text.slice(0, end)}${list.length === 0 ? '' : ','}${item}${text.slice(end)}`;
  const longer = path.reduce(getMember, parseOrNothing(result));
  return Array.isArray(longer) && longer.length === list.length + 1 ? result : text;
}

function put(text: string, path: string[], value: string): string {
  const found = findSpan(text, path);
  if (found) return text.slice(0, found.start) + value + text.slice(found.end);
  const object = findSpan(text, path.slice(0, -1));
  const member = `${JSON.stringify(path.at(-1))}:${value}`;
  if (!object) return put(text, path.slice(0, -1), `{${member}}`);
  const inside = afterSpace(text, object.start + 1);
  return `${text.slice(0, object.start)}{${member}${text[inside] === '}' ? '' : ','}${text.slice(object.start + 1)}`;
}

function getMember(object: unknown, member: string): unknown {
  const has = typeof object === 'object' && object !== null && !Array.isArray(object) && Object.hasOwn(object, member);
  return has ? (object as Record<string, unknown>)[member] : undefined;
}

/** What a text says, or undefined where it is no JSON. */
export function parseOrNothing(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Twice what a person can be shown: a call between the two is refused in words that its model reads. */
const MOST_LEVELS = 128;
/** What 4 MB of ordinary messages hold; ten times as many keep the event loop for a second. */
const MOST_VALUES = 250_000;
const MOST_MEMBERS = 20_000;
const MOST_ESCAPED_NAMES = 10_000;

type Role = 'message' | 'params' | 'inner';
type Level = { object: boolean; role: Role; keys: Set<string> | undefined };

/**
 * Why a text is not parsed here at all, or undefined; it need not be JSON. It nests too deep, holds too much, or two
 * programs may read it differently: a member that stands twice, one of JSON-RPC's own in another spelling that some
 * take for the same, or a name that ends for some in its middle. What a person saw would not be what runs.
 */
export function faultOfText(text: string): string | undefined {
  const levels: Level[] = [];
  const decoded = new Map<string, string>();
  let level: Level | undefined;
  let [values, keyNext, lastKey] = [0, false, ''];
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === 0x22) {
      const end = endOfString(text, at);
      if (keyNext && level) {
        lastKey = nameIn(text.slice(at, end), decoded);
        const fault = faultOfMember(lastKey, level);
        if (fault) return fault;
        keyNext = false;
      }
      at = end - 1;
    } else if (code === 0x7b || code === 0x5b) {
      if (levels.length === MOST_LEVELS) return `It nests deeper than ${MOST_LEVELS} levels.`;
      const object = code === 0x7b;
      level = { object, role: object ? roleIn(level, levels.length, lastKey) : 'inner', keys: undefined };
      levels.push(level);
      keyNext = object;
      values += 1;
    } else if (code === 0x7d || code === 0x5d) {
      levels.pop();
      level = levels.at(-1);
      keyNext = false;
    } else if (code === 0x2c) {
      keyNext = level?.object === true;
      values += 1;
    }
    if (values > MOST_VALUES) return `It holds more than ${MOST_VALUES} values.`;
    if (decoded.size > MOST_ESCAPED_NAMES) return `It holds more than ${MOST_ESCAPED_NAMES} names with escapes.`;
  }
  return undefined;
}

function nameIn(written: string, decoded: Map<string, string>): string {
  if (!written.includes('\\')) return written.slice(1, -1);
  const known = decoded.get(written);
  if (known !== undefined) return known;
  const name = parseOrNothing(written);
  // What is no JSON is for the parser to say.
  const read = typeof name === 'string' ? name : written;
  decoded.set(written, read);
  return read;
}

function roleIn(level: Level | undefined, depth: number, key: string): Role {
  if (depth === 0 || (depth === 1 && !level?.object)) return 'message';
  return level?.role === 'message' && key === 'params' ? 'params' : 'inner';
}

function faultOfMember(key: string, level: Level): string | undefined {
  // Some parsers end a text at U+0000, others leave out half of a surrogate pair.
  if (key.includes('\0') || !key.isWellFormed())
    return 'The name of a member in it holds a character that some leave out.';
  const folded = level.role === 'inner' ? key : fold(key);
  level.keys ??= new Set();
  if (level.keys.has(folded)) return `The member "${key}" stands in it twice.`;
  level.keys.add(folded);
  if (level.keys.size > MOST_MEMBERS) return `One object in it has more than ${MOST_MEMBERS} members.`;
  const own = RESERVED[level.role]?.get(folded.replace(/[\p{C}\p{Z}]/gu, ''));
  return own === undefined || own === key ? undefined : `The member "${own}" is written "${key}" in it.`;
}

/** The members that decide what a message is, by their folded names. */
const RESERVED: Partial<Record<Role, Map<string, string>>> = {
  message: folding(['jsonrpc', 'id', 'method', 'params', 'result', 'error']),
  params: folding(['name', 'arguments', 'inputResponses', 'requestState', '_meta']),
};

function folding(names: string[]): Map<string, string> {
  return new Map(names.map((name) => [name.toLowerCase(), name]));
}

// As the most generous parsers do: Go's takes U+017F for an s and U+212A for a k, others the full-width letters.
function fold(key: string): string {
  return key.normalize('NFKC').toUpperCase().toLowerCase();
}

function findMember(text: string, object: number, member: string): number | undefined {
  if (text[object] !== '{') return undefined;
  let at = afterSpace(text, object + 1);
  while (text[at] === '"') {
    const end = endOfString(text, at);
    const key = JSON.parse(text.slice(at, end)) as string;
    const value = afterSpace(text, afterSpace(text, end) + 1);
    if (key === member) return value;
    at = afterSpace(text, endOfValue(text, value));
    if (text[at] !== ',') return undefined;
    at = afterSpace(text, at + 1);
  }
  return undefined;
}

function endOfValue(text: string, start: number): number {
  const first = text[start];
  if (first === '"') return endOfString(text, start);
  if (first !== '{' && first !== '[') return endOfWord(text, start);
  let depth = 0;
  for (let at = start; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === 0x22) at = endOfString(text, at) - 1;
    else if (code === 0x7b || code === 0x5b) depth += 1;
    else if ((code === 0x7d || code === 0x5d) && --depth === 0) return at + 1;
  }
  return text.length;
}

// A number may be of any length.
function endOfWord(text: string, start: number): number {
  const end = /[\s,\]}]/g;
  end.lastIndex = start;
  return end.exec(text)?.index ?? text.length;
}

function afterSpace(text: string, start: number): number {
  let at = start;
  for (let code = text.charCodeAt(at); code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09;) {
    code = text.charCodeAt(++at);
  }
  return at;
}
