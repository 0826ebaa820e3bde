import type { Inquiries } from '../../../inquiries/inquiries.ts';
import { PACE, type Pace } from '../../hold.ts';
import type { Own } from '../../request.ts';
import { createRounds } from '../../rounds.ts';
import type { Http } from '../../../platform/http/server.ts';
import type { Log } from '../../../platform/log.ts';
import type { Metrics } from '../../../platform/http/metrics.ts';
import type { Settings } from '../../../platform/settings.ts';
import { createCatalogue } from '../catalogue.ts';
import { readGatesFile } from '../config/file.ts';
import { createGateStore } from '../config/store.ts';
import { HELD_ROUNDS } from '../continuations.ts';
import { readForSource } from '../../../inquiries/read.ts';
import { signReceipt } from '../../../receipts/receipts.ts';
import { createAsking, createIds } from '../elicitation/asking.ts';
import type { Place } from '../hold.ts';
import { createHeldCalls } from '../../../platform/held-calls.ts';
import { createGateSessions } from '../../sessions.ts';
import { createCalls } from '../../calls.ts';
import { gateConfigRoutes } from './config.ts';
import { gateRoutes } from './routes.ts';
import { createUpstream } from './upstream.ts';

type GatesOptions = {
  settings: Pick<Settings, 'GATES_FILE'>;
  inquiries: Inquiries;
  log: Log;
  metrics: Pick<Metrics, 'gateCalls' | 'gateHeld'>;
  publicUrl: () => string;
  own: Own;
  pace?: Partial<Pace> | undefined;
};

/** Opens every gate of this hub and adds its routes; throws `SettingsError` for a GATES_FILE that cannot be used. */
export async function openGates(app: Http, options: GatesOptions): Promise<void> {
  const { settings, inquiries, log, metrics, publicUrl, own } = options;
  const { database, sealingKey } = inquiries;
  const pace = { ...PACE, ...options.pace };
  const fromFile = readGatesFile(settings.GATES_FILE, database.clock.now());
  const store = createGateStore({ database, sealingKey, fromFile });
  const catalogue = createCatalogue({ log });
  const held = createHeldCalls({
    burstMs: pace.burstMs,
    now: () => performance.now(),
    onCount: (count) => metrics.gateHeld.set(count),
  });
  gateConfigRoutes(app, { database, store, catalogue, publicUrl });
  const gates = {
    inquiries,
    asks: app.asks,
    find: store.find,
    findFor: store.findFor,
    catalogue,
    held,
    log,
    pace,
    count: (event: string) => metrics.gateCalls.inc({ event }),
    receipt: async (inquiryId: string, sourceId: string, audience: string) => {
      const inquiry = await readForSource(inquiries, inquiryId, sourceId);
      return signReceipt({ database, sealingKey, issuer: publicUrl() }, inquiry, { audience });
    },
    upstream: createUpstream(),
    calls: createCalls(),
    asking: createAsking(),
    ids: createIds(sealingKey),
    sessions: createGateSessions(database),
    rounds: createRounds<Place>(sealingKey, { ...HELD_ROUNDS, most: pace.mostRounds }),
  };
  await gateRoutes(app, gates, own);
}
