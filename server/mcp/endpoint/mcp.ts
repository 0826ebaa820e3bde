import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { toNodeHandler, type NodeMcpRequestHandler } from '@modelcontextprotocol/node';
import { createMcpHandler, type McpRequestContext } from '@modelcontextprotocol/server';
import type { Inquiries } from '../../inquiries/inquiries.ts';
import type { Notices } from '../../notices/send.ts';
import type { Log } from '../../platform/log.ts';
import { createHeldCalls } from '../../platform/held-calls.ts';
import type { Settings } from '../../platform/settings.ts';
import type { Neighbours } from '../../platform/nodes/neighbours.ts';
import { createEvents } from '../events/events.ts';
import { readMcpRequest, type Carried, type Parts } from './call.ts';
import { PACE, type Pace } from '../hold.ts';
import { createRounds } from '../rounds.ts';
import { waitsForPerson } from './tools.ts';
import { buildServer } from './server.ts';
import { createSessions } from './sessions.ts';

const STOP_MS = 2_000;
const STATE_MS = 600_000;

export type Mcp = ReturnType<typeof createMcp>;
export type McpOptions = {
  inquiries: Inquiries;
  notices: Notices;
  deciders: Parts['deciders'];
  neighbours: Neighbours;
  log: Log;
  pace?: Partial<Pace> | undefined;
  metrics: { mcpCalls: Parts['calls'] };
  settings: Pick<Settings, 'EVENT_HOSTS'>;
};

/** The MCP border of one node. */
export function createMcp(options: McpOptions, asks: Parts['asks']) {
  const { inquiries, notices, deciders, neighbours, log, pace, metrics, settings } = options;
  const events = createEvents({ inquiries, hosts: settings.EVENT_HOSTS });
  const underWay = new Set<ServerResponse>();
  const held = createHeldCalls({ burstMs: 0, now: () => performance.now() });
  const shared = { inquiries, notices, deciders, events, log, pace: { ...PACE, ...pace }, calls: metrics.mcpCalls };
  const rounds = createRounds<Carried>(inquiries.sealingKey, {
    of: 'rounds of calls over MCP',
    prefix: 'beckon-call.',
    most: shared.pace.mostRounds,
    life: { ms: STATE_MS, now: inquiries.database.clock.now },
  });
  const parts: Parts = { ...shared, asks, rounds, underWay, held, waits: new Map() };
  const sessions = createSessions(parts);
  const modern = createModern(parts);
  return {
    sessions,
    modern,
    events,
    neighbours,
    log,
    places: inquiries.waiters.places,
    /** Called once waiters were stopped: lets their replies be written, then ends every stream. */
    async stop(): Promise<void> {
      const patience = AbortSignal.timeout(STOP_MS);
      await Promise.all([...underWay].map((reply) => once(reply, 'close', { signal: patience }).catch(() => {})));
      await Promise.all([sessions.stop(), modern.stop(), events.stop()]);
    },
  };
}

/** The era without sessions (2026-07-28): one server for each request. */
function createModern(parts: Parts) {
  const factory = ({ authInfo }: McpRequestContext) =>
    buildServer(parts, 'modern', readMcpRequest({ http: authInfo ? { authInfo } : {} }));
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
    handle: (request: IncomingMessage, reply: ServerResponse, message: Record<string, unknown>): Promise<void> =>
      (waitsForPerson(message) ? waiting : quick)(request as never, reply as never, message),
    stop: async (): Promise<void> => void (await Promise.all(handlers.map((handler) => handler.close()))),
  };
}
