import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AuthInfo, ServerContext } from '@modelcontextprotocol/server';
import type { Language } from '#shared/text.ts';
import type { Caller } from '../platform/http/access.ts';
import type { Overrides } from './overrides.ts';

/** One HTTP request of an MCP client: who sends it, on which terms, and where its reply goes. */
export type Visit = {
  caller: Caller;
  /** Since when the message may have waited in this process, by `performance.now()`. */
  arrivedAt: number;
  overrides: Overrides;
  locale: Language;
  reply: ServerResponse;
  /** Aborts when the client closes this connection, or closed it before anybody listened. */
  gone: AbortSignal;
};

/** Hands the visit to the protocol library, whose handlers get it back from `visitOf`. */
export function attachVisit(request: IncomingMessage & { auth?: AuthInfo }, visit: Visit): void {
  request.auth = { token: '', clientId: visit.caller.id, scopes: [], extra: { visit } };
}

/** The visit behind a request; every request of this endpoint has one. */
export function visitOf({ http }: Pick<ServerContext, 'http'>): Visit {
  const visit = http?.authInfo?.extra?.['visit'];
  if (visit === undefined) throw new Error('An MCP request came without its visit.');
  return visit as Visit;
}
