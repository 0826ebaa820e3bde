import type { Http } from './server.ts';
import type { FastifyRequest } from 'fastify';
import { sql, type RawBuilder } from 'kysely';
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';
import { AppError } from '#shared/problem.ts';
import type { Database } from '../database.ts';
import { bearer } from './access.ts';
import { sameText } from '../secrets/secrets.ts';

/** What one node counts since it started, and gauges read from the database at each scrape. */
export function createMetrics({ database }: { database: Database }) {
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry, prefix: 'beckon_' });
  const counter = <Label extends string>(name: string, labelNames: Label[], help: string) =>
    new Counter({ name: `beckon_${name}_total`, help, labelNames, registers });
  /** Without an answer of the database the gauge is absent, which a chart shows as a gap. */
  const counted = (name: string, help: string, from: () => RawBuilder<unknown>) =>
    new Gauge({
      name: `beckon_${name}`,
      help: `${help}, on all nodes.`,
      registers,
      async collect() {
        try {
          const { rows } = await sql<{ count: number }>`select count(*) as count ${from()}`.execute(database.read);
          this.set(rows[0]!.count);
        } catch {
          this.remove();
        }
      },
    });
  counted('inquiries_open', 'Inquiries that wait for an answer', () => sql`from inquiries where resolution is null`);
  counted(
    'devices_live',
    'Devices with a connected page',
    () => sql`from devices where live_until > ${database.clock.now()} and revoked_at is null`,
  );
  counted('webhooks_pending', 'Webhooks not delivered yet', () => sql`from deliveries where state = 'pending'`);
  const inquiries = counter(
    'inquiry_events',
    ['event'],
    'What happened to inquiries: asked, told (some device was), ruled, yolo, won, declined, expired, …',
  );
  const answers = new Histogram({
    name: 'beckon_answer_seconds',
    help: 'How long inquiries waited that a person answered or declined.',
    buckets: [5, 15, 60, 300, 900, 3600, 14_400, 86_400],
    registers,
  });
  return {
    registry,
    /** `seconds`: how long a person's answer took. */
    countInquiry(event: string, seconds?: number): void {
      inquiries.inc({ event });
      if (seconds !== undefined) answers.observe(seconds);
    },
    webhookAttempts: counter('webhook_attempts', ['outcome'], 'Requests to webhooks by what became of them.'),
    pushAttempts: counter('push_attempts', ['outcome'], 'Requests to push services by what became of them.'),
    gateCalls: counter(
      'gate_calls',
      ['event'],
      'Calls of tools at the gates: allowed, denied, asked, and what a person decided.',
    ),
    mcpCalls: counter(
      'mcp_calls',
      ['tool', 'outcome'],
      'Calls of MCP tools by what became of them: an outcome, pending, input_required, task, refused, ended.',
    ),
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
export type Metrics = ReturnType<typeof createMetrics>;

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
    const known = token !== undefined && sameText(bearer(request.headers.authorization ?? ''), token);
    const operator = known || fromThisMachine(request);
    app.limits.count(request.raw, operator ? { kind: 'operator', id: '' } : undefined);
    if (!operator) {
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
