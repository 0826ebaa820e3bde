import proxyAddr from '@fastify/proxy-addr';
import Fastify, { LogController, type FastifyRequest } from 'fastify';
import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import { parseExact } from '#shared/json.ts';
import { LIVE_PATH } from '#shared/live.ts';
import { AppError } from '#shared/problem.ts';
import { createAdmission, refuseOverload } from './admission.ts';
import { authorize, bearer, type FindCaller, type Found } from './access.ts';
import { noteArrivals } from './arrivals.ts';
import { limitBodies, readBodies } from './bodies.ts';
import type { Log } from '../log.ts';
import type { Arrivals } from '../loop.ts';
import { compileParser, refuseUnknownQueries } from './queries.ts';
import type { Http } from './server.ts';
import { problemHandler, refuseUnreadable } from './problems.ts';
import { writePagesInTurns } from './pages.ts';
import { createRateLimits, type RateLimits } from './rate-limits.ts';
import { writeLastReplies } from './last-replies.ts';
import { limitUntrusted } from './untrusted.ts';
import { readTrace, withTrace } from '../trace.ts';

declare module 'fastify' {
  interface FastifyInstance {
    /** Its holder has shown a credential by other means than a request. */
    trust(socket: Socket): void;
    /** Counts the requests whose credential the border itself does not read. */
    limits: RateLimits;
    /** How a protocol says its refusals, by the prefix of its addresses: also where those reach no route. */
    refusals: Map<string, ReturnType<typeof problemHandler>>;
  }
}

/** As many as the system allows: a connection that finds no place tries again only after a second, then two, then four. */
export const BACKLOG = 65_535;

/** The largest body of any call: an ask or an answer. */
export const BODY_LIMIT = 262_144;

/** A call has to arrive in full within this: 4 MiB at 35 KB/s. How long it then waits is another matter. */
const REQUEST_MS = 120_000;
const HEADERS_MS = 15_000;
const CHECKED_EVERY_MS = 5_000;
/** The bodies of public calls are small, and whoever sends them is unknown. */
const PUBLIC_BODY_MS = 10_000;
/** So long a body that was refused may still come, so that its sender reads why. */
const REFUSED_BODY_MS = 1_000;

export type HttpOptions = {
  log: Log;
  findCaller: FindCaller;
  /** Origins a browser may send from; asked at each request, because the port may be chosen at start. */
  origins: () => string[];
  /** How many proxies stand before the hub, or which: only what they say of a client's address is believed. */
  trustProxy: number | string[];
  /** Routes that plugins add and that everybody may call. */
  isPublic?: (url: string) => boolean;
  loop?: Arrivals;
  /** Requests a minute for each caller; a quarter of it for each address without a valid credential. */
  rateLimit: number;
};

/**
 * An HTTP server that refuses by default: every route names its `config.access`, bodies are JSON
 * whose numbers stay as they were written, every refusal is a problem document.
 */
export async function createHttp({
  log,
  findCaller,
  origins,
  trustProxy,
  rateLimit: max,
  loop = { lookedAt: () => performance.now() },
  isPublic = () => false,
}: HttpOptions): Promise<Http> {
  const refuse = problemHandler(log);
  const trusts =
    typeof trustProxy === 'number'
      ? (_address: string, hop: number) => hop < trustProxy
      : proxyAddr.compile(trustProxy);
  const limits = createRateLimits({ max, trusts });
  const count = async ({ raw }: FastifyRequest): Promise<Found> => {
    const { authorization } = raw.headers;
    const found = authorization === undefined ? 'missing' : await findCaller(bearer(authorization));
    limits.count(raw, typeof found === 'string' ? undefined : found);
    return found;
  };
  const sayAt = (url: string) => [...app.refusals].find(([prefix]) => url.startsWith(`${prefix}/`))?.[1] ?? refuse;
  const app = Fastify({
    trustProxy: trusts,
    bodyLimit: BODY_LIMIT,
    logController: new LogController({ disableRequestLogging: true }),
    forceCloseConnections: true,
    requestTimeout: REQUEST_MS,
    // Replies are this hub's own until the last: to a hook, a 503 is leave to go on.
    return503OnClosing: false,
    routerOptions: { maxParamLength: 200 },
    frameworkErrors(error, request, reply) {
      const thrown = count(request).then((): unknown => error);
      void thrown.catch((over: unknown) => over).then((refused) => sayAt(request.url)(refused, request, reply));
    },
    clientErrorHandler: refuseUnreadable,
    // With a listener for upgrades Node hands it every request that offers one, as `curl --http2` does; all but the
    // live line's are answered as if they had not (RFC 9110, 7.8).
    http: {
      headersTimeout: HEADERS_MS,
      connectionsCheckingInterval: CHECKED_EVERY_MS,
      shouldUpgradeCallback: ({ url, headers }) =>
        !!url?.startsWith(LIVE_PATH) && headers.upgrade?.toLowerCase() === 'websocket',
    },
  }).withTypeProvider<ZodTypeProvider>();

  app.setValidatorCompiler(compileParser);
  // The schemas describe replies for the OpenAPI document; parsing each reply again would only cost.
  app.setSerializerCompiler(() => (data) => JSON.stringify(data));
  app.setErrorHandler(refuse);
  const noRoute = new AppError(404, 'route.unknown', 'There is nothing at this address. /docs lists every call.');
  app.setNotFoundHandler((request, reply) => sayAt(request.url)(noRoute, request, reply));
  limitBodies(app, loop);
  app.removeAllContentTypeParsers();
  readBodies(app, 'application/json', 'string', (body) => (body === '' ? {} : parseExact(body)));
  refuseUnknownQueries(app);
  noteArrivals(app, loop);
  app.decorate('limits', limits);
  app.decorate('refusals', new Map());
  refuseOverload(app, createAdmission());
  refuseByDefault(app, { count, origins, isPublic });
  writeLastReplies(app);
  writePagesInTurns(app);
  closeEndlessBodies(app);
  app.addHook('preValidation', async (request) => {
    if (request.method !== 'GET' && request.method !== 'HEAD') request.body ??= {};
  });
  // The last before a route's own work: a body that is read may lose what it runs in.
  app.addHook('preHandler', ({ headers }, _reply, done) => withTrace(readTrace(headers), done));
  app.addHook('onResponse', async (request, reply) => {
    const ms = Math.round(reply.elapsedTime);
    log.debug({ method: request.method, url: request.url, status: reply.statusCode, ms }, 'request');
  });
  return app;
}

/** Nobody holds a connection by never ending what they send. */
function closeEndlessBodies(app: Http): void {
  const untrusted = limitUntrusted(app.server);
  app.decorate('trust', (socket) => untrusted.trust(socket));
  const closeAfter = (ms: number, raw: IncomingMessage): void => {
    if (raw.complete) return;
    const late = setTimeout(() => raw.complete || raw.destroy(), ms).unref();
    raw.once('close', () => clearTimeout(late));
  };
  app.addHook('onRequest', async ({ raw, caller, routeOptions }) => {
    if (caller === undefined && routeOptions.config.access !== 'connection') closeAfter(PUBLIC_BODY_MS, raw);
  });
  app.addHook('preValidation', async ({ raw, caller }) => {
    if (caller !== undefined && raw.complete) untrusted.trust(raw.socket);
  });
  app.addHook('onResponse', async ({ raw }) => closeAfter(REFUSED_BODY_MS, raw));
}

type Guard = Required<Pick<HttpOptions, 'origins' | 'isPublic'>> & {
  /** Who calls; counts the call. */
  count: (request: FastifyRequest) => Promise<Found>;
};

function refuseByDefault(app: Http, { count, origins, isPublic }: Guard): void {
  app.addHook('onRoute', (route) => {
    if (isPublic(route.url)) route.config = { access: 'public', ...route.config };
    if (route.config?.access === undefined)
      throw new Error(`${String(route.method)} ${route.url} does not say who may call it.`);
  });
  app.addHook('onRequest', async (request) => {
    const { access, uncounted } = request.routeOptions.config;
    // Counted before anything refuses it; those routes count themselves, because only they can tell whose a call is.
    const found = uncounted || access === 'operator' || access === 'connection' ? 'missing' : await count(request);
    if (/\bbk[sd]_[\w-]{20}/.test(request.url)) {
      throw new AppError(
        400,
        'credential.in_url',
        'A credential in a URL ends in logs; send it as "Authorization: Bearer …".',
      );
    }
    const { origin } = request.headers;
    // A page of the platform may call it; its token is no cookie that a browser would add by itself.
    if (access === 'connection') return;
    if (origin !== undefined && request.method !== 'GET' && request.method !== 'HEAD' && !origins().includes(origin)) {
      throw new AppError(
        403,
        'origin.refused',
        `Pages of ${origin} may not call this hub; open it at ${origins()[0]} or set PUBLIC_URL.`,
      );
    }
    const caller = access && authorize(access, found);
    if (caller) request.caller = caller;
  });
}
