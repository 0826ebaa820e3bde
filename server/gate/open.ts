import type { Inquiries } from '../inquiries/inquiries.ts';
import { CLIENT_PACE } from '../mcp/pace.ts';
import type { Own } from '../mcp/origin.ts';
import type { Http } from '../platform/http/http.ts';
import type { Log } from '../platform/log.ts';
import type { Metrics } from '../platform/metrics.ts';
import type { Settings } from '../platform/settings.ts';
import { createCancellable } from './cancel.ts';
import { createCatalogue } from './catalogue.ts';
import { readGatesFile } from './config/file.ts';
import { gateConfigRoutes } from './config/routes.ts';
import { createGateStore } from './config/store.ts';
import { createAsking } from './elicitation/asking.ts';
import { createIds } from './elicitation/ids.ts';
import type { Gates, Pace } from './gates.ts';
import { createHeldCalls } from './held.ts';
import { readToolsByHttp } from './read-by-http.ts';
import { gateRoutes } from './http/routes.ts';
import { createSessions } from './sessions.ts';
import { createUpstream } from './http/upstream.ts';
import type { HttpGates } from './http/visit.ts';
import { createLegs } from './waiting/legs.ts';

export type GatesOptions = {
  settings: Pick<Settings, 'GATES_FILE'>;
  inquiries: Inquiries;
  log: Log;
  metrics: Pick<Metrics, 'gateCalls' | 'gateHeld'>;
  publicUrl: () => string;
  own: Own;
  pace?: Partial<Pace> | undefined;
};

const PACE: Pace = { ...CLIENT_PACE, firstFrameMs: 200, everyMs: 10_000, burstMs: 1_500, graceMs: 60_000 };

/** Opens every gate of this hub; throws `SettingsError` for a GATES_FILE that cannot be used. */
export function openGates(options: GatesOptions): { gates: Gates; routes(app: Http): Promise<void> } {
  const { settings, inquiries, log, metrics, publicUrl, own } = options;
  const { database, sealingKey } = inquiries;
  const pace = { ...PACE, ...options.pace };
  const fromFile = readGatesFile(settings.GATES_FILE, database.clock.now());
  const store = createGateStore({ database, sealingKey, fromFile });
  const catalogue = createCatalogue({ read: readToolsByHttp, log, now: () => performance.now() });
  const gates: Gates = {
    inquiries,
    find: (name) => store.find(name),
    catalogue,
    held: createHeldCalls({
      burstMs: pace.burstMs,
      now: () => performance.now(),
      onCount: (count) => metrics.gateHeld.set(count),
    }),
    log,
    pace,
    count: (event) => metrics.gateCalls.inc({ event }),
  };
  return {
    gates,
    async routes(app) {
      gateConfigRoutes(app, { database, store, catalogue, publicUrl });
      const http: HttpGates = {
        ...gates,
        upstream: createUpstream(),
        cancellable: createCancellable(inquiries),
        agents: new Map(),
        asking: createAsking(),
        ids: createIds(sealingKey),
        sessions: createSessions(database),
        legs: createLegs({ sealingKey, now: () => database.clock.now() }),
        resumable: new Map(),
      };
      await gateRoutes(app, http, own);
    },
  };
}
