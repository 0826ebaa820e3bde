import { holdsTwice, JsonError, parseExact } from '#shared/json.ts';

/** An exact reading of more could hold up the hub. */
const TASKS_CHARACTERS = 1_048_576;
const [QUOTE, COMMA, COLON, BACKSLASH] = [0x22, 0x2c, 0x3a, 0x5c];
const OPENS = new Set([0x5b, 0x7b]);
const CLOSES = new Set([0x5d, 0x7d]);

/**
 * Reads a thread's state. Its `tasks`, of which people are shown what they ask, keep every number as it is written; the
 * conversation beside them may be long and hold what an ask may not. Throws where it is not JSON, or the tasks are not
 * fit for an ask.
 */
export function parseState(text: string): unknown {
  const state = JSON.parse(text) as unknown;
  if (typeof state !== 'object' || state === null || !('tasks' in state)) return state;
  if (holdsTwice(text, state)) throw new JsonError('unsafe', 'A member stands twice in it.');
  const tasks = findMember(text, '"tasks"');
  if (tasks === undefined || tasks.length > TASKS_CHARACTERS) throw new JsonError('unsafe', 'The tasks are too large.');
  return { ...state, tasks: parseExact(tasks) };
}

/** The text of the last such member of the object itself, as `JSON.parse` takes the last; `text` is JSON. */
function findMember(text: string, name: string): string | undefined {
  let [depth, start, found, value] = [0, 0, false, undefined as string | undefined];
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) at = endOfString(text, at);
    else if (OPENS.has(code)) depth++;
    else if (CLOSES.has(code)) depth--;
    const ends = (depth === 1 && code === COMMA) || depth === 0;
    if (ends && found) value = text.slice(start, at);
    if (ends || (depth === 1 && code === COLON)) {
      found = code === COLON && text.slice(start, at).trim() === name;
      start = at + 1;
    } else if (depth === 1 && OPENS.has(code)) start = at + 1;
  }
  return value;
}

/** Where the string that begins here ends. */
function endOfString(text: string, from: number): number {
  let at = from + 1;
  while (text.charCodeAt(at) !== QUOTE) at += text.charCodeAt(at) === BACKSLASH ? 2 : 1;
  return at;
}
