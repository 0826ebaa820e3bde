import type { Http } from '../../platform/http/server.ts';
import { z } from 'zod';
import { noSubscription } from '../../devices/subscription/store.ts';
import { deviceOf, routeFor } from '../../platform/http/access.ts';
import type { Database } from '../../platform/database.ts';
import type { Worker } from '../worker.ts';
import { wantTest } from './upkeep.ts';
import { notificationShown } from './want.ts';

const route = routeFor('device', 'Web Push');

/** The way to a device and back: a test that it can ask for, and what its worker reports. */
export function pushRoutes(app: Http, { database, wake }: { database: Database; wake: Worker['wake'] }): void {
  route(app, 'POST /v1/devices/me/test-push', 'Send a test notification to this device', {
    operationId: 'testPush',
    description: 'It comes the way every notification does.',
    problems: ['subscription.none'],
    response: { 202: z.object({ id: z.string().describe('The id of the test.') }) },
    handler: async (request) => {
      const device = deviceOf(request);
      const id = await database.transaction(async (trx) => {
        const own = await trx
          .selectFrom('subscriptions')
          .select('device_id')
          .where('device_id', '=', device.id)
          .executeTakeFirst();
        if (own === undefined) throw noSubscription();
        return wantTest(trx, device.id, database.clock.now());
      });
      wake();
      return { id };
    },
  });

  route(app, 'POST /v1/devices/me/shown', 'Report that a test, a notice, YOLO or a digest was shown', {
    operationId: 'markPush',
    description: 'A service worker says what it showed, so that the hub knows that pushes arrive.',
    body: z.object({
      id: z
        .string()
        .regex(/^(?:digest|(?:tst|ntc|yol)_[0-9a-z]{26})$/, 'is not the id of a push')
        .describe('The `id` of the push, or `digest`.'),
    }),
    response: { 204: z.undefined().describe('noted') },
    handler: (request) => notificationShown(database, deviceOf(request).id, request.body.id),
  });
}
