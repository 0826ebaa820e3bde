import type { Http } from '../../platform/http/server.ts';
import type { FastifyBaseLogger, FastifyReply, FastifyRequest } from 'fastify';
import { AppError } from '#shared/problem.ts';
import type { Database } from '../../platform/database.ts';
import { readBodies } from '../../platform/http/bodies.ts';
import { closeUndrained, onceClosed } from '../../platform/http/late-reply.ts';
import type { Places } from '../../platform/nodes/places.ts';
import { recordContact, type NewContact } from '../contacts.ts';
import { parseAddress, type Relay } from '../relay/relay.ts';
import { findConnection, type Called } from '../store.ts';
import type { Take } from '../inbound/inbound.ts';
import type { OpenCalls } from './open-calls.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The connection whose own address was called, and what about. */
    called?: Called;
    about?: string[] | undefined;
  }
}

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];

type Parts = {
  database: Database;
  places: Places;
  relay: Relay;
  calls: OpenCalls;
  take: Take;
  /** What a POST hurries whose body is not read, since anybody may have written it. */
  hint: (sourceId: string) => void;
};

/**
 * `/v1/in/{token}/…`: what a platform's client calls in the platform's place. `/v1/in/{token}`: what a platform calls
 * itself. A token that is not good, or of a kind that takes nothing there, meets nothing.
 */
export async function inRoutes(app: Http, parts: Parts): Promise<void> {
  const { database, relay, calls, take, hint } = parts;
  await app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    readBodies(scope, '*', 'buffer');
    scope.route({
      method: METHODS,
      url: '/v1/in/:token',
      config: { access: 'connection' },
      exposeHeadRoute: false,
      // Before the body: who has no good token is not told how long one may be.
      onRequest: async (request, reply) => {
        const called = await enter(scope, database, request);
        if (request.method !== 'POST' || !called || called.kind === 'chatcompletions') return reply.code(404).send();
        request.called = called;
        request.bodyOf = called.sourceId;
        if (called.kind === 'inbound') return;
        hint(called.sourceId);
        return reply.code(202).send();
      },
      handler: async (request, reply) => {
        const called = request.called as Called;
        scope.trust(request.raw.socket);
        const { status, body, inquiries } = await take(called, request);
        request.about = inquiries;
        return reply.code(status).send(body);
      },
      onResponse: async ({ called, about, log }, reply) => {
        const contact = { status: reply.statusCode, ms: reply.elapsedTime, inquiries: about };
        // Nothing was read of a hint: what it leads to is a contact of its own.
        if (called?.kind === 'inbound') await note(database, log, called, { what: 'webhook', ...contact });
      },
    });
  });
  await app.register(async (scope) => {
    // A body is passed on as it comes.
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', (_request, _body, done) => done(null));
    // Fastify would refuse one that it cannot read; the headers that are passed on are the raw ones.
    scope.addHook('onRequest', async (request) => {
      delete request.raw.headers['content-type'];
      const called = await enter(scope, database, request);
      if (called) request.called = called;
    });
    scope.addHook('onClose', async () => {
      await calls.stop();
      relay.close();
    });
    scope.route({
      method: METHODS,
      url: '/v1/in/:token/*',
      config: { access: 'connection' },
      exposeHeadRoute: false,
      handler: (request, reply) => pass(scope, parts, request, reply),
    });
  });
}

/** The connection that is called, if its token is good; counts the call. */
async function enter(app: Http, database: Database, request: FastifyRequest): Promise<Called | undefined> {
  const at = parseAddress(request.raw.url ?? '');
  const called = at && (await findConnection(database, at.token));
  app.limits.count(request.raw, called && { kind: 'source', id: called.sourceId });
  return called;
}

const OURS = {
  error: {
    message: 'This is a credential of the hub, which the platform must not see: send the key of the platform instead.',
    type: 'invalid_request_error',
    param: null,
    code: 'credential_of_the_hub',
  },
};

async function pass(
  { trust }: Pick<Http, 'trust'>,
  { database, places, relay, calls }: Parts,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const at = parseAddress(request.raw.url ?? '');
  const { called } = request;
  if (!at || called?.kind !== 'chatcompletions' || isPage(request)) return reply.code(404).send();
  if (relay.holdsOurs(request.raw)) return reply.code(400).send(OURS);
  trust(request.raw.socket);
  const refused = takePlace(places, called.sourceId, reply);
  if (refused) return reply.code(refused.status).send(writeRefusal(refused));
  closeUndrained(reply.raw);
  reply.hijack();
  calls.add(at.token, called.sourceId, reply.raw);
  const start = performance.now();
  // The rest of the request's life in here ends now; a stream may last for hours.
  void relay
    .pass(called, at.rest, request.raw, reply.raw)
    .then((contact) => note(database, request.log, called, { ...contact, ms: performance.now() - start }));
  return reply;
}

function takePlace(places: Places, sourceId: string, { raw }: FastifyReply): AppError | undefined {
  try {
    onceClosed(raw, places.take('stream', sourceId));
    return undefined;
  } catch (error) {
    if (error instanceof AppError) return error;
    throw error;
  }
}

/** In the form that clients of these platforms read. */
function writeRefusal({ message, code }: AppError) {
  return { error: { message, type: 'rate_limit_error', param: null, code } };
}

async function note(database: Database, log: FastifyBaseLogger, { sourceId }: Called, contact: NewContact) {
  await recordContact(database, sourceId, contact).catch((error: unknown) =>
    log.warn({ err: error, connection: sourceId }, 'a contact could not be written down'),
  );
}

/** A browser says what it wants a reply for: a page or a script of the hub's origin is never a platform's to give. */
function isPage({ headers }: FastifyRequest): boolean {
  return (headers['sec-fetch-dest'] ?? 'empty') !== 'empty';
}
