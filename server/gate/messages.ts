import { isMisread, JsonError, MISREAD } from '#shared/json.ts';
import { ambiguityOf, textAt, withValue } from './http/json-text.ts';

export type Id = string | number;
/** A JSON-RPC message as far as a gate looks into it; numbers may be raw (see `parseLoose`). */
export type Message = {
  jsonrpc?: string;
  id?: Id;
  method?: string;
  params?: Record<string, unknown> & { _meta?: Record<string, unknown> };
  result?: Record<string, unknown>;
  error?: { code: number; message: string; data?: unknown };
};

const { rawJSON } = JSON as unknown as { rawJSON(text: string): object };
type Reviver = (key: string, value: unknown, context: { source?: string }) => unknown;

/** Parses with every number as it was written and refuses nothing but what is not JSON or cannot be read for certain; for what only passes. */
export function parseLoose(text: string): unknown {
  const value = (JSON.parse as (text: string, reviver: Reviver) => unknown)(text, (_key, value, { source }) =>
    typeof value === 'number' && source !== undefined && String(value) !== source ? rawJSON(source) : value,
  );
  if (isMisread(text, value)) throw new JsonError('unsafe', MISREAD);
  return value;
}

/**
 * What keeps a client's line from being understood in one way only, beside what `ambiguityOf` finds: a
 * carriage return, which some programs take for the end of a line.
 */
export function ambiguityOfLine(text: string): string | undefined {
  return text.trimEnd().includes('\r') ? 'It holds a carriage return.' : ambiguityOf(text);
}

/** The exact JSON text of a call's arguments. Throws `JsonError` where it cannot be told for certain. */
export function argsTextOf(text: string): string {
  return textAt(text, ['params', 'arguments']) ?? '{}';
}

/** The same call with other arguments, and all else byte for byte as it was. Throws `JsonError` where that cannot be. */
export function withArguments(text: string, argsText: string): string {
  return withValue(text, ['params', 'arguments'], argsText);
}

export function isModern({ params }: Message): boolean {
  return params?._meta?.['io.modelcontextprotocol/protocolVersion'] !== undefined;
}

export function isId(value: unknown): value is Id {
  return typeof value === 'string' || typeof value === 'number';
}

/** Numbers 1 and "1" are two ids. */
export function keyOf(id: unknown): string {
  return JSON.stringify(id) ?? '';
}
