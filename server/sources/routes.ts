import { ChangeSource, NewSource, NewSourceReply, page, Source } from '#shared/wire.ts';
import { deviceOf, routeFor } from '../platform/http/access.ts';
import type { Database } from '../platform/database.ts';
import { DONE, Id, paging } from '../platform/http/params.ts';
import type { Http } from '../platform/http/server.ts';
import { createSource } from './create.ts';
import { changeSource, listSources, removeSource } from './store.ts';

const Paging = paging('src', 100);

export type SourcesDeps = {
  database: Database;
  /** Called after the commit: what waits with this source's key ends. */
  revoked(sourceId: string): void;
  /** Looks for due webhooks now; called after the commit. */
  wakeDeliveries(): void;
};

/** The owner's calls about sources. */
export function sourceRoutes(app: Http, { database, revoked, wakeDeliveries }: SourcesDeps): void {
  const route = routeFor('owner', 'Sources');

  app.get(
    '/v1/sources',
    route('List sources', {
      operationId: 'listSources',
      description: 'Every agent platform that may ask, oldest first.',
      querystring: Paging,
      response: { 200: page(Source) },
    }),
    async ({ query }) => listSources(database.read, query.cursor ?? '', query.limit),
  );

  app.post(
    '/v1/sources',
    route('Make a source; its key is shown this once', {
      operationId: 'createSource',
      problems: ['source.taken'],
      description: 'Give the key to the agent. Whom it may ask is fixed here; without a list it is the owner.',
      body: NewSource,
      response: { 201: NewSourceReply },
    }),
    async (request, reply) =>
      reply
        .code(201)
        .send(
          await createSource(database, deviceOf(request).person.id, request.body, { madeBy: deviceOf(request).id }),
        ),
  );

  app.patch(
    '/v1/sources/:id',
    route('Change a source: its webhooks, its language, what its agent is told and what it and a decider may do', {
      operationId: 'changeSource',
      description: 'Null takes a member away, an absent one stays.',
      problems: ['source.unknown'],
      params: Id,
      body: ChangeSource,
      response: { 200: Source },
    }),
    async ({ params, body }) => {
      const source = await changeSource(database, params.id, body);
      if (body.webhooksPaused === false) wakeDeliveries();
      return source;
    },
  );
  app.delete(
    '/v1/sources/:id',
    route('Revoke the key of a source; what it has open is withdrawn', {
      operationId: 'removeSource',
      description: 'Calls that wait with its key end with 401.',
      problems: ['source.unknown'],
      params: Id,
      response: DONE,
    }),
    async ({ params }, reply) => {
      await removeSource(database, params.id);
      revoked(params.id);
      return reply.code(204).send();
    },
  );
}
