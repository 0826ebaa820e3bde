import { isRaw, parseExact } from '#shared/json.ts';

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

/** Parses with every number as it was written and refuses nothing but what is not JSON; for what only passes. */
export function parseLoose(text: string): unknown {
  return (JSON.parse as (text: string, reviver: Reviver) => unknown)(text, (_key, value, { source }) =>
    typeof value === 'number' && source !== undefined && String(value) !== source ? rawJSON(source) : value,
  );
}

/**
 * What keeps a client's line from being understood in one way only: a member that stands twice or in
 * another case than the protocol's, or a carriage return, which some programs take for the end of a line. A gate
 * that lets such a line pass may have looked at another call than the one that its upstream runs.
 */
export function ambiguity(text: string, parsed: unknown): string | undefined {
  if (text.trimEnd().includes('\r')) return 'it holds a carriage return';
  try {
    if (membersWritten(text) !== membersOf(parsed)) return 'a member stands in it twice';
  } catch (error) {
    if (error instanceof RangeError) return 'it nests too deep';
    throw error;
  }
  const odd = (Array.isArray(parsed) ? (parsed as unknown[]) : [parsed]).flatMap((part) => [
    ...inAnotherCase(part, ['method', 'params', 'id']),
    ...inAnotherCase((part as Message | null)?.params, ['name', 'arguments']),
  ]);
  return odd.length > 0 ? `"${odd[0]}" is not how the protocol writes it` : undefined;
}

function inAnotherCase(object: unknown, names: string[]): string[] {
  if (typeof object !== 'object' || object === null) return [];
  return Object.keys(object).filter((key) => !names.includes(key) && names.includes(key.toLowerCase()));
}

/** The exact JSON text of a call's arguments. Throws `JsonError` for what no device can show. */
export function argsTextOf(text: string): string {
  const { params } = parseExact(text) as Message;
  return JSON.stringify(params?.['arguments'] ?? {});
}

/** The same call with other arguments, and all else as it was. */
export function withArguments(text: string, argsText: string): string {
  const message = parseLoose(text) as Message;
  return JSON.stringify({ ...message, params: { ...message.params, arguments: parseLoose(argsText) } });
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

// Each member is one colon outside of strings.
function membersWritten(text: string): number {
  let colons = 0;
  let quoted = false;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (quoted) {
      if (code === 0x5c) at++;
      else if (code === 0x22) quoted = false;
    } else if (code === 0x22) quoted = true;
    else if (code === 0x3a) colons++;
  }
  return colons;
}

function membersOf(value: unknown): number {
  if (typeof value !== 'object' || value === null || isRaw(value)) return 0;
  const inner = Object.values(value).reduce((sum: number, one) => sum + membersOf(one), 0);
  return Array.isArray(value) ? inner : inner + Object.keys(value).length;
}
