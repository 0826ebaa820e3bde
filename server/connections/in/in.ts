import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Database } from '../../platform/database.ts';
import type { Http } from '../../platform/http/http.ts';
import { restOf, type Relay } from '../relay/relay.ts';
import { findConnection } from '../store.ts';

/** `/v1/in/{token}/…`: what a platform's client calls in the platform's place. A token that is not good meets nothing. */
export async function inRoutes(app: Http, { database, relay }: { database: Database; relay: Relay }): Promise<void> {
  await app.register(async (scope) => {
    // A body is passed on as it comes.
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', (_request, _body, done) => done(null));
    scope.addHook('onClose', () => relay.close());
    scope.route({
      method: ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'],
      url: '/v1/in/:token/*',
      config: { access: 'connection' },
      exposeHeadRoute: false,
      handler: (request, reply) => pass(scope, { database, relay }, request, reply),
    });
  });
}

async function pass(
  { trust }: Pick<Http, 'trust'>,
  { database, relay }: { database: Database; relay: Relay },
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const at = restOf(request.raw.url ?? '');
  const called = at && !isPage(request) ? await findConnection(database, at.token) : undefined;
  if (!at || called?.kind !== 'chatcompletions') return reply.code(404).send();
  trust(request.raw.socket);
  reply.hijack();
  await relay.pass(called, at.rest, request.raw, reply.raw);
  return reply;
}

/** A browser says what it wants a reply for: a page or a script of the hub's origin is never a platform's to give. */
function isPage({ headers }: FastifyRequest): boolean {
  return (headers['sec-fetch-dest'] ?? 'empty') !== 'empty';
}
