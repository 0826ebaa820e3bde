import type { Http } from '../platform/http/server.ts';
import type { FastifyRequest } from 'fastify';
import { SourceId } from '#shared/schemas/values.ts';
import { AppError } from '#shared/problem.ts';
import { WebhookDelivery } from '#shared/schemas/deliveries.ts';
import { page } from '#shared/wire.ts';
import { routeFor } from '../platform/http/access.ts';
import type { Database } from '../platform/database.ts';
import { clientGone } from '../platform/http/late-reply.ts';
import { Id, paging } from '../platform/http/params.ts';
import { takingTurns } from '../platform/loop.ts';
import { replay, tryNow } from './again.ts';
import { readDeliveryPage, readDelivery, type DeliveryViewer } from './read.ts';
import type { Worker } from './worker.ts';

const route = routeFor('any', 'Webhooks');
const ListQuery = paging('dlv', 50).extend({
  source: SourceId.optional().describe('To the owner: only those of this source.'),
  state: WebhookDelivery.shape.state.optional(),
});

/** What a source reads and repeats of its webhooks, and the owner of those of every source (DLV1). */
export function deliveryRoutes(
  app: Http,
  { database, dispatcher }: { database: Database; dispatcher: Pick<Worker, 'wake'> },
): void {
  route(app, 'GET /v1/deliveries', 'List the webhooks of this source; for the owner those of all sources, or of one', {
    operationId: 'listDeliveries',
    description: 'Newest first, each with its attempts of the last 7 days, at most the newest 50.',
    problems: ['person.not_owner'],
    querystring: ListQuery,
    response: { 200: page(WebhookDelivery) },
    handler: (request, reply) => {
      const { source: sourceId, ...query } = request.query;
      const listing = { ...query, sourceId, viewer: toViewer(request) };
      return readDeliveryPage(database.read, listing, takingTurns(clientGone(reply.raw)));
    },
  });
  route(app, 'GET /v1/deliveries/:id', 'Read one webhook, its body and its attempts', {
    operationId: 'readDelivery',
    description: 'What was posted where, and what came back each time.',
    problems: ['delivery.unknown'],
    params: Id,
    response: { 200: WebhookDelivery },
    handler: (request) => readDelivery(database.read, request.params.id, toViewer(request, true)),
  });
  const acts = { replay: ['Send one webhook again', replay], now: ['Try one webhook now', tryNow] } as const;
  for (const [path, [summary, act]] of Object.entries(acts))
    route(app, `POST /v1/deliveries/:id/${path}`, summary, {
      operationId: path === 'now' ? 'tryDelivery' : 'replayDelivery',
      description: 'The same body, for another day if it was not being tried.',
      problems: ['delivery.unknown', 'delivery.pending', 'delivery.ended', 'delivery.just_tried', 'delivery.paused'],
      params: Id,
      response: { 200: WebhookDelivery },
      handler: async (request) => {
        const { id } = request.params;
        const delivery = await act(database, { id, viewer: toViewer(request, true), now: database.clock.now() });
        dispatcher.wake();
        return delivery;
      },
    });
}

/** Another person's device learns only that it is none of theirs, not whether it exists. */
function toViewer({ caller }: FastifyRequest, one = false): DeliveryViewer {
  if (caller?.kind === 'source') return { sourceId: caller.id };
  if (caller?.person.owner) return { ownerId: caller.person.id };
  if (one) throw new AppError(404, 'delivery.unknown', 'There is no such delivery here.');
  throw new AppError(403, 'person.not_owner', 'Only the owner of this hub can do this.');
}
