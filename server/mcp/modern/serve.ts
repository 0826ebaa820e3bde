import type { IncomingMessage, ServerResponse } from 'node:http';
import { toNodeHandler, type NodeMcpRequestHandler } from '@modelcontextprotocol/node';
import { createMcpHandler, type McpRequestContext } from '@modelcontextprotocol/server';
import type { Parts } from '../parts.ts';
import { buildServer } from '../server.ts';
import { waitsForPerson } from '../tools/tools.ts';
import { visitOf } from '../visit.ts';

export type Modern = {
  handle(request: IncomingMessage, reply: ServerResponse, message: Record<string, unknown>): Promise<void>;
  stop(): Promise<void>;
};

/** The era without sessions (2026-07-28): one server for each request. */
export function createModern(parts: Parts): Modern {
  const factory = ({ authInfo }: McpRequestContext) =>
    buildServer(parts, 'modern', visitOf({ http: authInfo ? { authInfo } : {} }));
  const options = {
    legacy: 'reject',
    keepAliveMs: parts.pace.keepAliveMs,
    onerror: (error: Error) => parts.log.debug({ reason: error.message }, 'mcp'),
  } as const;
  // A call that waits streams from its first moment: without a head clients give up after 300 s. All others keep the
  // HTTP status of their errors.
  const handlers = [true, false].map((waits) =>
    createMcpHandler(factory, { ...options, responseMode: waits ? 'sse' : 'auto' }),
  );
  const [waiting, quick] = handlers.map((handler) => toNodeHandler(handler)) as [
    NodeMcpRequestHandler,
    NodeMcpRequestHandler,
  ];
  return {
    handle: (request, reply, message) =>
      (waitsForPerson(message) ? waiting : quick)(request as never, reply as never, message),
    stop: async () => void (await Promise.all(handlers.map((handler) => handler.close()))),
  };
}
