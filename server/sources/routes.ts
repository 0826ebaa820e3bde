import { ChangeSource, NewSource, NewSourceReply, page, Source } from '#shared/wire.ts';
import { deviceOf, routeFor } from '../platform/http/access.ts';
import { webhookKey } from '../platform/secrets/webhook-key.ts';
import type { Database } from '../platform/database.ts';
import { DONE, Id, paging } from '../platform/http/params.ts';
import type { Http } from '../platform/http/server.ts';
import { createSource } from './create.ts';
import { changeSource } from './change.ts';
import { listSources, removeSource } from './store.ts';

const Paging = paging('src', 100);

export type SourcesDeps = {
  database: Database;
  sealingKey: Buffer;
  /** Called after the commit: what waits with this source's key ends. */
  revoked(sourceId: string): void;
  /** Looks for due webhooks now; called after the commit. */
  wakeDeliveries(): void;
};

/** The owner's calls about sources. */
export function sourceRoutes(app: Http, { database, sealingKey, revoked, wakeDeliveries }: SourcesDeps): void {
  const route = routeFor('owner', 'Sources');
  const withKey = (source: Source): Source => ({ ...source, webhookKey: webhookKey(sealingKey, source.id) });

  route(app, 'GET /v1/sources', 'List sources', {
    operationId: 'listSources',
    description: 'Every agent platform that may ask, oldest first.',
    querystring: Paging,
    response: { 200: page(Source) },
    handler: async ({ query }) => {
      const listed = await listSources(database.read, query.cursor ?? '', query.limit);
      return { ...listed, items: listed.items.map(withKey) };
    },
  });

  route(app, 'POST /v1/sources', 'Make a source; its key is shown this once', {
    operationId: 'createSource',
    problems: ['source.taken'],
    description: 'Give the key to the agent. Whom it may ask is fixed here; without a list it is the owner.',
    body: NewSource,
    response: { 201: NewSourceReply },
    handler: async (request) => {
      const { id, person } = deviceOf(request);
      const made = await createSource(database, person.id, request.body, { madeBy: id });
      return { ...made, source: withKey(made.source) };
    },
  });

  route(
    app,
    'PATCH /v1/sources/:id',
    'Change a source: its webhooks, its language, what its agent is told and what it and a decider may do',
    {
      operationId: 'changeSource',
      description: 'Null takes a member away, an absent one stays.',
      problems: ['source.unknown'],
      params: Id,
      body: ChangeSource,
      response: { 200: Source },
      handler: async ({ params, body }) => {
        const source = await changeSource(database, params.id, body);
        if (body.webhooksPaused === false) wakeDeliveries();
        return withKey(source);
      },
    },
  );
  route(app, 'DELETE /v1/sources/:id', 'Revoke the key of a source; what it has open is withdrawn', {
    operationId: 'removeSource',
    description: 'Calls that wait with its key end with 401.',
    problems: ['source.unknown'],
    params: Id,
    response: DONE,
    handler: async ({ params }) => {
      await removeSource(database, params.id);
      revoked(params.id);
    },
  });
}
