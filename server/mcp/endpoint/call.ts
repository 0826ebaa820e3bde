import { createHash } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import type { Language } from '#shared/texts/language.ts';
import type { Words } from './words/vocabulary.ts';
import type { AuthInfo, ServerContext } from '@modelcontextprotocol/server';
import type { Counter } from 'prom-client';
import { z } from 'zod';
import { fault, invalid, parseOrRefuse } from '#shared/faults.ts';
import { canonical } from '#shared/json.ts';
import type { Deciders } from '../../automation/deciders/deciders.ts';
import type { collectWith } from '../../inquiries/collected.ts';
import type { Inquiries } from '../../inquiries/inquiries.ts';
import type { Notices } from '../../notices/send.ts';
import type { Admission } from '../../platform/http/admission.ts';
import type { Caller, DeviceCaller, SourceCaller } from '../../platform/http/access.ts';
import { BODY_LIMIT } from '../../platform/http/http.ts';
import type { HeldCalls } from '../../platform/held-calls.ts';
import type { Log } from '../../platform/log.ts';
import type { Overrides } from './overrides.ts';
import type { Clock } from '../calls.ts';
import type { Events } from '../events/events.ts';
import type { Client, Pace } from '../hold.ts';
import type { Round, Rounds } from '../rounds.ts';
/** What a call carries from round to round. */
export type Carried = { inquiryId: string };

/** What the tools need from the rest of the hub. */
export type Parts = {
  inquiries: Inquiries;
  /** Lets no further ask in while this node has more to do than it can (LIV4). */
  asks: Pick<Admission, 'run'>;
  notices: Notices;
  deciders: Pick<Deciders, 'say'>;
  events: Events;
  pace: Pace;
  log: Log;
  rounds: Rounds<Carried>;
  /** Replies of calls under way: a stop lets them be written. */
  underWay: Set<ServerResponse>;
  /** Calls of sessions that are under way: a second one like it is another question. */
  held: HeldCalls;
  /** What ends the wait for an inquiry, where a newer connection of the same call takes it over. */
  waits: Map<string, AbortController>;
  /** Calls of tools by what became of them. */
  calls: Counter<'tool' | 'outcome'>;
};

/** One HTTP request of an MCP client: who sends it, on which terms, and where its reply goes. */
export type McpRequest = {
  caller: Caller;
  /** Since when the message may have waited in this process, by `performance.now()`. */
  arrivedAt: number;
  clock: Clock;
  overrides: Overrides;
  /** Names this call for as long as its client sends it again (`Beckon-Call`). */
  callId?: string | undefined;
  locale: Language;
  reply: ServerResponse;
  /** Says that the reply was written in full. */
  written: Parameters<typeof collectWith>[1];
  /** Which of several identical calls this one was in the process that held it before. */
  ordinal?: number | undefined;
  /** Keeps for another process which of several identical calls this one is. */
  noteOrdinal?: (ordinal: number) => Promise<void>;
  /** Hears of the inquiry that this call asks. */
  onAsked?: (inquiryId: string) => void;
  /** Aborts when the client closes this connection and may not come back for the reply, or did before anybody listened. */
  gone: AbortSignal;
};

/** How a request is handed to the protocol library, whose handlers get it back from `readMcpRequest`. */
export function toAuthInfo(mcpRequest: McpRequest): AuthInfo {
  return { token: '', clientId: mcpRequest.caller.id, scopes: [], extra: { mcpRequest } };
}

/** What is known of a request; every request of this endpoint has one. */
export function readMcpRequest({ http }: Pick<ServerContext, 'http'>): McpRequest {
  const mcpRequest = http?.authInfo?.extra?.['mcpRequest'];
  if (mcpRequest === undefined) throw new Error('An MCP request came without what is known of it.');
  return mcpRequest as McpRequest;
}

export type Era = 'legacy' | 'modern';

/** One `tools/call`, with all that a tool may want to know. */
export type Call = {
  tool: string;
  parts: Parts;
  mcpRequest: McpRequest;
  words: Words;
  era: Era;
  /** What the client calls itself: for display only. */
  agent: string | undefined;
  /** The same, with its version. */
  client: Client | undefined;
  args: Record<string, unknown>;
  /** The round that it is, if its client came back with one. */
  round?: Round<Carried> | undefined;
  context: ServerContext;
};

/** What a tool says: text for the model, the same as data for programs. */
export type ToolResult = {
  content: { type: 'text'; text: string }[];
  structuredContent?: Record<string, unknown>;
  isError?: boolean;
  _meta?: Record<string, unknown>;
};

/** A result that is not the last word: another round, or a task. */
export type Unfinished = { resultType: 'input_required' | 'task'; [member: string]: unknown };

/** The arguments of a call as this schema has them; throws 422 with every fault. */
export function readArguments<T extends z.ZodType>({ args }: Call, schema: T): z.output<T> {
  if (Buffer.byteLength(JSON.stringify(args)) > BODY_LIMIT)
    throw invalid([fault('', 'request.too_large', 'is more than 256 KiB')]);
  return parseOrRefuse(schema, args);
}

/** What a call asks for, to the last argument. */
export function digestCall({ tool, args }: Pick<Call, 'tool' | 'args'>): string {
  return createHash('sha256').update(canonical({ tool, args })).digest('base64url');
}

/** The one call that a round belongs to: whose, and what it asks for. */
export function callNames(call: Pick<Call, 'mcpRequest' | 'tool' | 'args'>): string[] {
  return [call.mcpRequest.caller.id, digestCall(call)];
}

/** Why the calls of a session are taken back that its client ended. */
export const SESSION_ENDED = 'its asker is gone';

/** What people read of a call that was taken back for this reason. */
export function withdrawalText(reason: unknown): string {
  return reason === SESSION_ENDED ? SESSION_ENDED : 'The call was cancelled.';
}

/** An id as a model may write it. */
export const InquiryId = z
  .string()
  .trim()
  .max(100)
  .regex(/^\P{Cc}*$/u, 'holds a control character');

/** The source behind a call of a tool of sources. */
export function requireSource({ mcpRequest: { caller } }: Call): SourceCaller {
  if (caller.kind !== 'source') throw new Error('A tool of sources was reached by a device.');
  return caller;
}

/** The device behind a call of a tool of devices. */
export function requireDevice({ mcpRequest: { caller } }: Call): DeviceCaller {
  if (caller.kind !== 'device') throw new Error('A tool of devices was reached by a source.');
  return caller;
}
