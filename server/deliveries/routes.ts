import { page, WebhookDelivery } from '#shared/wire.ts';
import { routeFor, sourceOf } from '../platform/http/access.ts';
import type { Database } from '../platform/database.ts';
import type { Http } from '../platform/http/http.ts';
import { Id, paging } from '../platform/http/params.ts';
import { replay } from './enqueue.ts';
import { pageOfDeliveries, readDelivery } from './read.ts';
import type { Worker } from './worker.ts';

const route = routeFor('source', 'Webhooks');
const ListQuery = paging('dlv', 50).extend({ state: WebhookDelivery.shape.state.optional() });

/** What a source reads and repeats of its webhooks (DLV1). */
export function deliveryRoutes(
  app: Http,
  { database, dispatcher }: { database: Database; dispatcher: Pick<Worker, 'wake'> },
): void {
  app.get(
    '/v1/deliveries',
    route('List the webhooks of this source', { querystring: ListQuery, response: { 200: page(WebhookDelivery) } }),
    (request) => pageOfDeliveries(database.read, { ...request.query, sourceId: sourceOf(request).id }),
  );
  app.get(
    '/v1/deliveries/:id',
    route('Read one webhook and its attempts', { params: Id, response: { 200: WebhookDelivery } }),
    (request) => readDelivery(database.read, request.params.id, sourceOf(request).id),
  );
  app.post(
    '/v1/deliveries/:id/replay',
    route('Send one webhook again', { params: Id, response: { 200: WebhookDelivery } }),
    async (request) => {
      const delivery = await replay(database, {
        id: request.params.id,
        sourceId: sourceOf(request).id,
        now: database.clock.now(),
      });
      dispatcher.wake();
      return delivery;
    },
  );
}
