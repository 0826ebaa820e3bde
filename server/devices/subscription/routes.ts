import type { Http } from '../../platform/http/server.ts';
import { z } from 'zod';
import { invalid } from '#shared/faults.ts';
import { Subscription, SubscriptionState } from '#shared/push.ts';
import { deviceOf, routeFor } from '../../platform/http/access.ts';
import type { Database } from '../../platform/database.ts';
import { DONE } from '../../platform/http/params.ts';
import { subscriptionFaults, type Endpoints } from './endpoints.ts';
import { chooseWeeklyTest, putSubscription, readSubscription, takeSubscription } from './store.ts';

const PATH = '/v1/devices/me/subscription';
const route = routeFor('device', 'Web Push');

export type SubscriptionDeps = {
  database: Database;
  vapidPublicKey: string;
  endpoints: Endpoints;
  /** Sends what waits for a device that subscribed anew. */
  wake: () => void;
};

/** A device's own Web Push subscription. */
export function subscriptionRoutes(app: Http, deps: SubscriptionDeps): void {
  const { database, vapidPublicKey, wake } = deps;
  const readState = (deviceId: string): Promise<SubscriptionState> =>
    readSubscription(database.read, deviceId, vapidPublicKey);
  const response = { 200: SubscriptionState };

  route(app, `GET ${PATH}`, 'Read how it stands with this device’s notifications', {
    operationId: 'readSubscription',
    description: 'The key to subscribe with, and what the hub knows of the subscription.',
    response,
    handler: (request) => readState(deviceOf(request).id),
  });

  route(app, `PUT ${PATH}`, 'Turn notifications on: one endpoint, one device', {
    operationId: 'putSubscription',
    description: 'Stores what `PushManager.subscribe` gave, in place of what this device had.',
    problems: ['subscription.invalid'],
    body: Subscription,
    response,
    handler: async (request) => {
      const { id } = deviceOf(request);
      const faults = subscriptionFaults(request.body, deps);
      if (faults.length > 0) throw invalid(faults, 'subscription.invalid');
      await putSubscription(database, id, request.body);
      wake();
      return readState(id);
    },
  });

  route(app, `PATCH ${PATH}`, 'Send a visible test each week, or no longer', {
    operationId: 'chooseWeeklyTest',
    description: 'A test that is shown says that notifications still arrive.',
    problems: ['subscription.none'],
    body: z.strictObject({ weeklyTest: z.boolean().describe('True: a visible test goes out each week.') }),
    response,
    handler: async (request) => {
      const { id } = deviceOf(request);
      await chooseWeeklyTest(database, id, request.body.weeklyTest);
      return readState(id);
    },
  });

  route(app, `DELETE ${PATH}`, 'Turn notifications off on this device', {
    operationId: 'removeSubscription',
    description: 'The hub sends this device no push any more.',
    response: DONE,
    handler: (request) => database.transaction((trx) => takeSubscription(trx, deviceOf(request).id)),
  });
}
