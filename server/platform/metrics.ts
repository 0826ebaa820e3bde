import type { FastifyRequest } from 'fastify';
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';
import { AppError } from '#shared/problem.ts';
import type { Database } from './database.ts';
import type { Http } from './http/http.ts';
import { sameText } from './secrets/secrets.ts';

export type Metrics = {
  registry: Registry;
  inquiries: Counter<'event'>;
  webhookAttempts: Counter<'outcome'>;
  pushAttempts: Counter<'outcome'>;
  liveEvents: Counter<'event'>;
  gateCalls: Counter<'event'>;
  gateHeld: Gauge;
  httpRequests: Histogram<'route' | 'method' | 'status'>;
};

/** What one node counts since it started, and gauges read from the database at each scrape. */
export function createMetrics({ database }: { database: Database }): Metrics {
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry, prefix: 'beckon_' });
  watchDatabase(registry, database);
  return {
    registry,
    inquiries: new Counter({
      name: 'beckon_inquiry_events_total',
      help: 'What happened to inquiries: asked, won, lost, late, …',
      labelNames: ['event'],
      registers,
    }),
    webhookAttempts: new Counter({
      name: 'beckon_webhook_attempts_total',
      help: 'Requests to webhooks by what became of them.',
      labelNames: ['outcome'],
      registers,
    }),
    pushAttempts: new Counter({
      name: 'beckon_push_attempts_total',
      help: 'Requests to push services by what became of them.',
      labelNames: ['outcome'],
      registers,
    }),
    liveEvents: new Counter({
      name: 'beckon_live_events_total',
      help: 'Events that devices sent over the live line.',
      labelNames: ['event'],
      registers,
    }),
    gateCalls: new Counter({
      name: 'beckon_gate_calls_total',
      help: 'Calls of tools at the gates: allowed, denied, asked, and what a person decided.',
      labelNames: ['event'],
      registers,
    }),
    gateHeld: new Gauge({
      name: 'beckon_gate_calls_held',
      help: 'Calls of tools that this node holds until a person has decided.',
      registers,
    }),
    httpRequests: new Histogram({
      name: 'beckon_http_request_seconds',
      help: 'HTTP requests by route, method and class of status; a long poll counts with its wait.',
      labelNames: ['route', 'method', 'status'],
      buckets: [0.005, 0.02, 0.1, 0.5, 2, 10, 60, 120],
      registers,
    }),
  };
}

function watchDatabase(registry: Registry, database: Database): void {
  gauge(registry, 'beckon_inquiries_open', 'Inquiries that wait for an answer, on all nodes.', () =>
    database.read
      .selectFrom('inquiries')
      .select(({ fn }) => fn.countAll().as('count'))
      .where('resolution', 'is', null)
      .executeTakeFirst(),
  );
  gauge(registry, 'beckon_devices_live', 'Devices with a connected page, on all nodes.', () =>
    database.read
      .selectFrom('devices')
      .select(({ fn }) => fn.countAll().as('count'))
      .where('live_until', '>', database.clock.now())
      .where('revoked_at', 'is', null)
      .executeTakeFirst(),
  );
  gauge(registry, 'beckon_webhooks_pending', 'Webhooks not delivered yet, on all nodes.', () =>
    database.read
      .selectFrom('deliveries')
      .select(({ fn }) => fn.countAll().as('count'))
      .where('state', '=', 'pending')
      .executeTakeFirst(),
  );
}

/** Counts every request of the routes registered after this call. */
export function watchHttp(app: Http, { httpRequests }: Pick<Metrics, 'httpRequests'>): void {
  app.addHook('onResponse', async ({ method, routeOptions }, reply) => {
    const status = `${Math.floor(reply.statusCode / 100)}xx`;
    httpRequests.observe({ route: routeOptions.url ?? 'unknown', method, status }, reply.elapsedTime / 1000);
  });
}

/** `/metrics` for this machine, or with the token: 401 for everybody else (SEC1). */
export function metricsRoute(app: Http, { registry, token }: { registry: Registry; token?: string | undefined }): void {
  app.get('/metrics', { config: { access: 'operator' }, schema: { hide: true } }, async (request, reply) => {
    const given = /^Bearer +(\S+)$/i.exec(request.headers.authorization ?? '')?.[1];
    const known = token !== undefined && given !== undefined && sameText(given, token);
    if (!known && !fromThisMachine(request)) {
      throw new AppError(
        401,
        'credential.missing',
        'Metrics are for this machine only, or for "Authorization: Bearer …" with the METRICS_TOKEN of this hub.',
      );
    }
    return reply.type(registry.contentType).send(await registry.metrics());
  });
}

// A reverse proxy on this machine connects from loopback too, for callers from anywhere; it says so in a header.
function fromThisMachine({ socket, headers }: FastifyRequest): boolean {
  const forwarded = ['forwarded', 'x-forwarded-for', 'x-forwarded-host', 'x-real-ip', 'via'].some(
    (name) => headers[name] !== undefined,
  );
  return !forwarded && /^(127\.|::1$|::ffff:127\.)/.test(socket.remoteAddress ?? '');
}

/** Without an answer of the database the gauge is absent, which a chart shows as a gap. */
function gauge(
  registry: Registry,
  name: string,
  help: string,
  read: () => Promise<{ count: number | string | bigint } | undefined>,
): void {
  new Gauge({
    name,
    help,
    registers: [registry],
    async collect() {
      try {
        this.set(Number((await read())?.count));
      } catch {
        this.remove();
      }
    },
  });
}
