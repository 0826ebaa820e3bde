import { isUtf8 } from 'node:buffer';
import { CLIENT_INFO_META_KEY, PROTOCOL_VERSION_META_KEY } from '@modelcontextprotocol/client';
import { isMisread, isRaw, JsonError, MISREAD, parseExact, plain } from '#shared/json.ts';
import { faultOfText, parseOrNothing, textAt, withoutValue, withValue } from './json-text.ts';

export type Id = string | number;
/** A JSON-RPC message as far as a gate looks into it; numbers may be raw (see `parseLoose`). */
export type Message = {
  jsonrpc?: string;
  id?: Id | null;
  method?: string;
  params?: Record<string, unknown> & { _meta?: Record<string, unknown> };
  result?: Record<string, unknown>;
  error?: { code: number; message: string; data?: unknown };
};

/** A message with its exact JSON text. */
export type Given = { text: string; message: Message };

export type RpcError = { id: Id | null; code: number; message: string; data?: unknown };

export const PARSE_ERROR = -32700;
export const INVALID_REQUEST = -32600;
export const INVALID_PARAMS = -32602;
export const INTERNAL_ERROR = -32603;

/** What a client sent: its messages, one unless it is a batch, or why it is passed on to nobody; `about` is whom to tell. */
export type Read =
  | { text: string; messages: [Message, ...Message[]]; batch: boolean }
  | { code: number; why: string; about: unknown[] };

/**
 * Reads what a client sends. Whatever the least careful parser could take for something else, above all for a call of a
 * tool, is refused: passed on, it would run without having been seen.
 */
export function readMessages(bytes: Buffer): Read {
  // What one decoder reads as U+FFFD may be a quotation mark to another.
  if (!isUtf8(bytes)) return refused(PARSE_ERROR, 'It is not UTF-8.');
  const text = bytes.toString();
  const fault = faultOfText(text);
  if (fault) return refused(INVALID_REQUEST, fault, text.length > MOST_TOLD ? [null] : parseOrNothing(text));
  const parsed = parseOrNothing(text);
  if (parsed === undefined) return refused(PARSE_ERROR, 'It is not JSON.');
  if (isMisread(text, parsed)) return refused(INVALID_REQUEST, MISREAD);
  const batch = Array.isArray(parsed);
  const messages = (batch ? parsed : [parsed]) as [Message, ...Message[]];
  const odd = messages.every(isObject)
    ? (messages.map(faultOfMessage).find((one) => one !== undefined) ?? (batch ? faultOfBatch(messages) : undefined))
    : 'It is neither one JSON object nor a list of such.';
  return odd ? refused(INVALID_REQUEST, odd, parsed) : { text, messages, batch };
}

/** What is refused is parsed for its id alone up to this length. */
const MOST_TOLD = 65_536;
/** No part of dots alone: an upstream that reads a method as a path would make "tools/./call" a call. */
const METHOD = /^(?!(.*\/)?\.+(\/|$))[A-Za-z0-9_.$-]+(\/[A-Za-z0-9_.$-]+)*$/;

function faultOfMessage(message: Message): string | undefined {
  const { id, method, params } = message;
  if ('method' in message) {
    if (typeof method !== 'string' || method.length > 128 || !METHOD.test(method))
      return 'Its method is no name like "tools/list" of at most 128 characters.';
    if (method !== 'tools/call' && method.toLowerCase() === 'tools/call')
      return `The method "tools/call" is written "${method}" in it.`;
    if ('result' in message || 'error' in message) return 'It is a request and a response at once.';
  }
  if (typeof id === 'number' && !Number.isSafeInteger(id))
    return 'Its id is a number that not every program reads alike.';
  const name = method === 'tools/call' ? undefined : params?.['name'];
  return [id, name].some((one) => typeof one === 'string' && one.includes('\0'))
    ? 'Its id or name holds U+0000.'
    : undefined;
}

function faultOfBatch(messages: Message[]): string | undefined {
  return messages.some(({ method }) => method === 'tools/call')
    ? 'A call of a tool may not stand in a batch here; send it by itself.'
    : undefined;
}

/** Why a call of a tool is none that anybody can be asked about, or undefined: its params are invalid. */
export function faultOfCall({ params }: Message): string | undefined {
  const { name, arguments: args } = params ?? {};
  if (typeof name !== 'string' || !/^[^\p{Cc}]{1,200}$/u.test(name) || !name.isWellFormed())
    return 'a tool has a name of 1 to 200 characters.';
  return args === undefined || isObject(args) ? undefined : 'the arguments of a tool are an object.';
}

function refused(code: number, why: string, about: unknown = null): Read {
  return { code, why, about: Array.isArray(about) ? about : [about] };
}

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

/** The exact JSON text of a call's arguments. Throws `JsonError` where it cannot be told for certain. */
export function readArgsText(text: string): string {
  return textAt(text, ['params', 'arguments']) ?? '{}';
}

/** The same call with other arguments, and all else byte for byte as it was. Throws `JsonError` where that cannot be. */
export function withArguments(text: string, argsText: string): string {
  return withValue(text, ['params', 'arguments'], argsText);
}

/** A call as it was before its client carried a gate's own state in it. */
export function withoutState({ text, message }: Given): Given {
  const { requestState: _state, ...params } = message.params ?? {};
  return { text: withoutValue(text, ['params', 'requestState']), message: { ...message, params } };
}

/** An error reply, as JSON-RPC writes it. */
export function errorMessage({ id, code, message, data }: RpcError): string {
  return JSON.stringify({ jsonrpc: '2.0', id, error: { code, message, data } });
}

/** What a first sign of life tells the client. */
export type Inquired = { question: string; inquiryId: string };
/** Where the protocol wants what is ours (reverse DNS, as `_meta` asks for). */
const INQUIRY_META = 'dev.beckon/inquiry';

/**
 * Tells a client that its call waits. The first one carries the inquiry in `meta`, where readers of the article look, and
 * in `_meta`, the protocol's place.
 */
export function progressNotification(
  frame: { progressToken: unknown; progress: number; message: string },
  inquired?: Inquired,
) {
  const about = inquired && { ...inquired, type: 'INQUIRY' };
  const params = { ...(about ? { meta: about, _meta: { [INQUIRY_META]: about, ...about } } : {}), ...frame };
  return { method: 'notifications/progress', params };
}

export function readId({ id }: Message): Id | null {
  return isId(id) ? id : null;
}

/** The name a modern client gives itself on every request, or an older one in `initialize`: shown, never trusted. */
export function clientName(message: Message): string | undefined {
  return displayName(readClient(message));
}

/** The same in its own words. */
export function readClient({ method, params }: Message): ClientInfo | undefined {
  const info = method === 'initialize' ? params?.['clientInfo'] : params?._meta?.[CLIENT_INFO_META_KEY];
  return isObject(info) ? info : undefined;
}

/** What a client is called before people. */
export function displayName({ title, name }: ClientInfo = {}): string | undefined {
  return [title, name].find((one) => typeof one === 'string' && one !== '') as string | undefined;
}

export type ClientInfo = { title?: unknown; name?: unknown; version?: unknown };

export function isModern({ params }: Message): boolean {
  return params?._meta?.[PROTOCOL_VERSION_META_KEY] !== undefined;
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function isId(value: unknown): value is Id {
  return typeof value === 'string' || typeof value === 'number';
}

/** Numbers 1 and "1" are two ids. */
export function idKey(id: unknown): string {
  return JSON.stringify(id) ?? '';
}

/** The largest body of an MCP call: an ask or an answer, and what a protocol wraps around it. */
export const MESSAGE_LIMIT = 524_288;

/** A refusal in the words of JSON-RPC, with the HTTP status it goes with. */
export class RpcRefusal extends Error {
  readonly status: number;
  readonly code: number;

  constructor(status: number, code: number, message: string) {
    super(message);
    this.status = status;
    this.code = code;
  }

  body(): string {
    return errorMessage({ id: null, code: this.code, message: this.message });
  }
}

/**
 * The one message of a body, with the numbers in a call's arguments as they were written. Throws `RpcRefusal`: -32700
 * for what is not JSON, -32600 for a batch or for what is no object.
 */
export function readMessage(text: unknown): Record<string, unknown> {
  const exact = parse(typeof text === 'string' ? text : '');
  if (Array.isArray(exact))
    throw new RpcRefusal(400, INVALID_REQUEST, 'Batches are not taken here; send one message in each request.');
  if (typeof exact !== 'object' || exact === null || isRaw(exact))
    throw new RpcRefusal(400, INVALID_REQUEST, 'A message is a JSON object (JSON-RPC 2.0).');
  // The protocol computes with its own numbers (ids, tokens); only what the hub passes on stays as it was written.
  const message = plain(exact) as { params?: { arguments?: unknown } };
  const given = (exact as typeof message).params?.arguments;
  if (message.params?.arguments !== undefined) message.params.arguments = given;
  return message;
}

function parse(text: string): unknown {
  try {
    return parseExact(text);
  } catch (error) {
    if (!(error instanceof JsonError)) throw error;
    throw error.kind === 'malformed'
      ? new RpcRefusal(400, PARSE_ERROR, `Parse error: ${error.message}`)
      : new RpcRefusal(400, INVALID_REQUEST, `This cannot be taken: ${error.message}`);
  }
}
