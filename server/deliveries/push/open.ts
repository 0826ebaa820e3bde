import { allowedEndpoints } from '../../devices/subscription/endpoints.ts';
import { subscriptionRoutes } from '../../devices/subscription/routes.ts';
import type { Database } from '../../platform/database.ts';
import type { Http } from '../../platform/http/http.ts';
import type { Log } from '../../platform/log.ts';
import type { Jobs } from '../../platform/repeat.ts';
import type { Settings } from '../../platform/settings.ts';
import { composeBy, type Compose } from './compose.ts';
import { createVapid, loadVapidKeys, vapidSubject } from './protocol/vapid.ts';
import { createPusher, type Pusher, type PusherOptions } from './pusher.ts';
import { pushRoutes } from './routes.ts';
import { sweepPushes, wantWeeklyTests } from './upkeep.ts';

export type Push = Pusher & {
  routes(app: Http): void;
  /** Once an hour: drops what is old, wants the weekly tests. */
  upkeep: Jobs;
};

/** Web Push with the hub's own key, which is made on the first start; `composers` by the prefix of their subjects. */
export async function openPush({
  settings,
  composers,
  publicUrl,
  ...parts
}: {
  settings: Pick<Settings, 'PUBLIC_URL' | 'PUSH_HOSTS' | 'VAPID_SUBJECT'>;
  composers: Record<string, Compose>;
  publicUrl: () => string;
  database: Database;
  log: Log;
  metrics: { pushAttempts: NonNullable<PusherOptions['counter']> };
}): Promise<Push> {
  const { database } = parts;
  const vapid = await createVapid({
    keys: await loadVapidKeys(database),
    subject: vapidSubject({ setting: settings.VAPID_SUBJECT, publicUrl: settings.PUBLIC_URL }),
    clock: database.clock,
  });
  const endpoints = allowedEndpoints(settings.PUSH_HOSTS);
  const pusher = createPusher({
    ...parts,
    compose: composeBy(composers),
    counter: parts.metrics.pushAttempts,
    envelope: { vapid, publicUrl, isListed: endpoints.isListed },
  });
  return {
    ...pusher,
    routes(app) {
      pushRoutes(app, { database, pusher });
      subscriptionRoutes(app, { database, vapidPublicKey: vapid.publicKey, endpoints });
    },
    upkeep: {
      'old pushes': () => sweepPushes(database),
      async 'weekly test pushes'() {
        if ((await wantWeeklyTests(database)) > 0) pusher.wake();
      },
    },
  };
}
