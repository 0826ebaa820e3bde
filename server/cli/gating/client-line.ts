import { isUtf8 } from 'node:buffer';
import { isMisread } from '#shared/json.ts';
import { depthFaultOf } from '../../gate/http/json-text.ts';
import { ambiguityOfLine, type Message } from '../../gate/messages.ts';

/** A line of a client: one message, messages that pass as they are, or why it does not pass; `about` is whom to tell. */
export type ClientLine =
  | { kind: 'message'; message: Message }
  | { kind: 'batch' }
  | { kind: 'refused'; code: number; why: string; about: unknown[] };

const PARSE_ERROR = -32700;
const INVALID_REQUEST = -32600;

/** Reads a line of a client; what can be read in two ways, or hides what it holds, is refused. */
export function readClientLine(line: Buffer): ClientLine {
  // What one decoder reads as U+FFFD may be a quotation mark to another.
  if (!isUtf8(line)) return { kind: 'refused', code: PARSE_ERROR, why: 'This line is not UTF-8', about: [null] };
  const text = line.toString();
  const deep = depthFaultOf(text);
  if (deep) return refused(deep, [null]);
  const parsed = parsedOf(text);
  if (parsed === undefined) return { kind: 'refused', code: PARSE_ERROR, why: 'This line is not JSON', about: [null] };
  const batch = Array.isArray(parsed) ? (parsed as unknown[]) : undefined;
  const parts = batch ?? [parsed];
  const odd = oddityOf(parts, batch !== undefined) ?? ambiguityOfLine(text);
  if (odd) return refused(odd, parts);
  return batch ? { kind: 'batch' } : { kind: 'message', message: parsed as Message };
}

export function parsedOf(text: string): unknown {
  try {
    const value = JSON.parse(text) as unknown;
    // As if it were no JSON: what is read here would not be what its server reads.
    return isMisread(text, value) ? undefined : value;
  } catch {
    return undefined;
  }
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

// What is neither a message nor a list of messages might be unpacked by its server.
function oddityOf(parts: unknown[], batch: boolean): string | undefined {
  if (!parts.every(isObject)) return 'It is neither one JSON object nor a list of such.';
  const calls = parts.some(({ method }) => method === 'tools/call');
  return batch && calls ? 'A tool call is sent by itself, not in a batch.' : undefined;
}

function refused(why: string, about: unknown[]): ClientLine {
  return { kind: 'refused', code: INVALID_REQUEST, why: `This is not passed on. ${why}`, about };
}
