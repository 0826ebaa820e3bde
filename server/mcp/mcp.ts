import type { ServerResponse } from 'node:http';
import { once } from 'node:events';
import { Counter, type Registry } from 'prom-client';
import type { Language } from '#shared/text.ts';
import type { Inquiries } from '../inquiries/inquiries.ts';
import type { Notices } from '../notices/send.ts';
import type { Caller } from '../platform/http/access.ts';
import type { Log } from '../platform/log.ts';
import type { Neighbours } from '../platform/nodes/neighbours.ts';
import { createSessions, type Sessions } from './legacy/sessions.ts';
import { createModern, type Modern } from './modern/serve.ts';
import { PACE, type Pace } from './pace.ts';
import type { Parts } from './parts.ts';
import { loadLegs } from './waiting/legs.ts';

const STOP_MS = 2_000;

export type Mcp = {
  sessions: Sessions;
  modern: Modern;
  neighbours: Neighbours;
  log: Log;
  /** The language of a caller who sets none. */
  localeOf(caller: Caller): Promise<Language>;
  /** Called once waiters were stopped: lets their replies be written, then ends every stream. */
  stop(): Promise<void>;
};

export type McpOptions = {
  inquiries: Inquiries;
  notices: Notices;
  neighbours: Neighbours;
  log: Log;
  pace?: Partial<Pace> | undefined;
  registry: Registry;
};

/** The MCP border of one node. */
export async function createMcp({ inquiries, notices, neighbours, log, pace, registry }: McpOptions): Promise<Mcp> {
  const { database } = inquiries;
  const underWay = new Set<ServerResponse>();
  const legs = await loadLegs(database);
  const calls = new Counter({
    name: 'beckon_mcp_calls_total',
    help: 'Calls of MCP tools by what became of them: an outcome, pending, input_required, task, refused, ended.',
    labelNames: ['tool', 'outcome'],
    registers: [registry],
  });
  const parts: Parts = { inquiries, notices, log, pace: { ...PACE, ...pace }, legs, underWay, calls };
  const sessions = createSessions(parts, neighbours.id);
  const modern = createModern(parts);
  return {
    sessions,
    modern,
    neighbours,
    log,
    async localeOf(caller) {
      if (caller.kind === 'device') return caller.person.locale ?? 'en';
      const row = await database.read
        .selectFrom('sources')
        .select('locale')
        .where('id', '=', caller.id)
        .executeTakeFirst();
      return row?.locale === 'zh' ? 'zh' : 'en';
    },
    async stop() {
      const patience = AbortSignal.timeout(STOP_MS);
      await Promise.all([...underWay].map((reply) => once(reply, 'close', { signal: patience }).catch(() => {})));
      await Promise.all([sessions.stop(), modern.stop()]);
    },
  };
}
