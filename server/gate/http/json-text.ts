import { JsonError, nestsTooDeep } from '#shared/json.ts';

/** Where a value stands in a JSON text, in UTF-16 code units. */
export type Span = { start: number; end: number };

const OWN_MEMBERS = new Set(['jsonrpc', 'id', 'method', 'params', 'result', 'error']);
const CALL_MEMBERS = new Set(['name', 'arguments']);

/** Where the value at this path of members stands in a text that is JSON, or undefined. */
export function spanOf(text: string, path: string[]): Span | undefined {
  let start: number | undefined = afterSpace(text, 0);
  for (const member of path) {
    start = start === undefined ? undefined : valueOf(text, start, member);
  }
  return start === undefined ? undefined : { start, end: endOfValue(text, start) };
}

/** Twice what a person can be shown: a call between the two is refused in words that its model reads. */
const MOST_LEVELS = 128;

/** Why a text nests too deep to be parsed here at all, or undefined; the text need not be JSON. */
export function depthFaultOf(text: string): string | undefined {
  return nestsTooDeep(text, MOST_LEVELS) ? `It nests deeper than ${MOST_LEVELS} levels.` : undefined;
}

/**
 * The exact text of the value at this path, undefined where none stands there. Throws `JsonError` where a
 * parser reads something else there: what a person is shown would not be what runs.
 */
export function textAt(text: string, path: string[], parsed: unknown = JSON.parse(text)): string | undefined {
  const span = spanOf(text, path);
  const read = path.reduce(memberOf, parsed);
  if (!span && read === undefined) return undefined;
  const found = span && text.slice(span.start, span.end);
  if (found === undefined || read === undefined || JSON.stringify(parsedOrNothing(found)) !== JSON.stringify(read))
    throw new JsonError('unsafe', `The member "${path.join('.')}" can be read in two ways.`);
  return found;
}

/**
 * The text with the value at this path replaced, or put in where its object has none yet. Everything else stays
 * as it is. Throws `JsonError` where the result does not have exactly this value there, once.
 */
export function withValue(text: string, path: string[], value: string): string {
  const result = put(text, path, value);
  const sure = parsedOrNothing(result) !== undefined && textAt(result, path) === value && !ambiguityOf(result);
  if (!sure) throw new JsonError('unsafe', `The member "${path.join('.')}" cannot be put into this message.`);
  return result;
}

/** The same text without the member at this path, all else as it was. Throws `JsonError` where that cannot be told for certain. */
export function withoutValue(text: string, path: string[]): string {
  const found = spanOf(text, path);
  if (!found) return text;
  // Its key is what it says: no quotation mark stands in it, however it is spelt.
  const key = text.lastIndexOf('"', text.lastIndexOf('"', found.start - 1) - 1);
  const before = text.slice(0, key).trimEnd();
  const after = afterSpace(text, found.end);
  const result = before.endsWith(',')
    ? before.slice(0, -1) + text.slice(found.end)
    : text.slice(0, key) + text.slice(text[after] === ',' ? after + 1 : found.end);
  const left = JSON.stringify(parsedOrNothing(result));
  if (left !== JSON.stringify(withoutMember(JSON.parse(text), path)) || ambiguityOf(result))
    throw new JsonError('unsafe', `The member "${path.join('.')}" cannot be taken out of this message.`);
  return result;
}

function withoutMember(object: unknown, [member = '', ...rest]: string[]): unknown {
  const { [member]: value, ...others } = object as Record<string, unknown>;
  return rest.length === 0 ? others : { ...(object as object), [member]: withoutMember(value, rest) };
}

function put(text: string, path: string[], value: string): string {
  const found = spanOf(text, path);
  if (found) return text.slice(0, found.start) + value + text.slice(found.end);
  const object = spanOf(text, path.slice(0, -1));
  const member = `${JSON.stringify(path.at(-1))}:${value}`;
  if (!object) return put(text, path.slice(0, -1), `{${member}}`);
  const inside = afterSpace(text, object.start + 1);
  return `${text.slice(0, object.start)}{${member}${text[inside] === '}' ? '' : ','}${text.slice(object.start + 1)}`;
}

function memberOf(object: unknown, member: string): unknown {
  const has = typeof object === 'object' && object !== null && !Array.isArray(object) && Object.hasOwn(object, member);
  return has ? (object as Record<string, unknown>)[member] : undefined;
}

function parsedOrNothing(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/**
 * Why two programs may read this JSON text differently, or undefined: a member that stands twice, or one
 * of JSON-RPC's own in another spelling, which some take for the same. What a person saw would not be what runs.
 */
export function ambiguityOf(text: string): string | undefined {
  type Level = { keys: Set<string> | undefined; role: 'message' | 'params' | 'inner' };
  const levels: Level[] = [];
  let keyNext = false;
  let lastKey = '';
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    const level = levels.at(-1);
    if (code === 0x22) {
      const end = endOfString(text, at);
      if (keyNext && level?.keys) {
        lastKey = JSON.parse(text.slice(at, end)) as string;
        const fault = faultOfMember(lastKey, level.keys, level.role);
        if (fault) return fault;
        keyNext = false;
      }
      at = end - 1;
    } else if (code === 0x7b) {
      levels.push({ keys: new Set(), role: roleIn(level, levels.length, lastKey) });
      keyNext = true;
    } else if (code === 0x5b) levels.push({ keys: undefined, role: 'inner' });
    else if (code === 0x7d || code === 0x5d) {
      levels.pop();
      keyNext = false;
    } else if (code === 0x2c) keyNext = level?.keys !== undefined;
  }
  return undefined;
}

function roleIn(
  level: { keys: unknown; role: string } | undefined,
  depth: number,
  key: string,
): 'message' | 'params' | 'inner' {
  if (depth === 0 || (depth === 1 && level?.keys === undefined)) return 'message';
  return level?.role === 'message' && key === 'params' ? 'params' : 'inner';
}

function faultOfMember(key: string, keys: Set<string>, role: 'message' | 'params' | 'inner'): string | undefined {
  const folded = role === 'inner' ? key : fold(key);
  if (keys.has(folded)) return `The member "${key}" stands in it twice.`;
  keys.add(folded);
  const reserved = role === 'message' ? OWN_MEMBERS : role === 'params' ? CALL_MEMBERS : undefined;
  return reserved?.has(folded) && key !== folded ? `The member "${folded}" is written "${key}" in it.` : undefined;
}

// As the most generous parsers do: Go's takes U+017F for an s and U+212A for a k, others the full-width letters.
function fold(key: string): string {
  return key.normalize('NFKC').toUpperCase().toLowerCase();
}

function valueOf(text: string, object: number, member: string): number | undefined {
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

function endOfString(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === 0x5c) at += 1;
    else if (code === 0x22) return at + 1;
  }
  return text.length;
}

function afterSpace(text: string, start: number): number {
  let at = start;
  for (let code = text.charCodeAt(at); code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09;) {
    code = text.charCodeAt(++at);
  }
  return at;
}
