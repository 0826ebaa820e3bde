import type { Http } from './server.ts';
import type { FastifyRequest } from 'fastify';
import { sql, type RawBuilder } from 'kysely';
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';
import { firstIdAt } from '#shared/ids.ts';
import { AppError } from '#shared/problem.ts';
import type { Database } from '../database.ts';
import { invariantFailures } from '../invariants.ts';
import { bearer } from './access.ts';
import { sameText } from '../secrets/secrets.ts';

/** What one node counts since it started, and gauges read from the database at each scrape. */
export function createMetrics({ database }: { database: Database }) {
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry, prefix: 'beckon_' });
  const counter = <Label extends string>(name: string, labelNames: Label[], help: string) =>
    new Counter({ name: `beckon_${name}_total`, help, labelNames, registers });
  const measured = measuredFrom(database, registers);
  const counted = (name: string, help: string, from: () => RawBuilder<unknown>) =>
    measured(name, help, () => sql`select count(*) as value ${from()}`);
  counted('inquiries_open', 'Inquiries that wait for an answer', () => sql`from inquiries where resolution is null`);
  counted(
    'devices_live',
    'Devices with a connected page',
    () => sql`from devices where live_until > ${database.clock.now()} and revoked_at is null`,
  );
  counted('webhooks_pending', 'Webhooks not delivered yet', () => sql`from deliveries where state = 'pending'`);
  measureLateness(measured);
  new Counter({
    name: 'beckon_invariant_failures_total',
    help: 'What no commit of the hub may leave behind, and did: any is a fault of the hub.',
    labelNames: ['invariant'],
    registers,
    collect() {
      this.reset();
      for (const [invariant, count] of invariantFailures()) this.inc({ invariant }, count);
    },
  });
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
    asksRefused: counter('asks_refused', [], 'Asks refused with 503 because the node has more to do than it can.'),
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
    httpRequests: requestTimes(registers),
  };
}
export type Metrics = ReturnType<typeof createMetrics>;

const requestTimes = (registers: Registry[]) =>
  new Histogram({
    name: 'beckon_http_request_seconds',
    help: 'HTTP requests by route, method and class of status; a long poll counts with its wait.',
    labelNames: ['route', 'method', 'status'],
    buckets: [0.005, 0.02, 0.1, 0.5, 2, 10, 60, 120],
    registers,
  });

const HOUR_MS = 3_600_000;

type Measured = (name: string, help: string, query: (now: number) => RawBuilder<{ value: number | null }>) => unknown;

/** Without an answer of the database, or where it is null, the gauge is absent, which a chart shows as a gap. */
function measuredFrom(database: Database, registers: Registry[]): Measured {
  return (name, help, query) =>
    new Gauge({
      name: `beckon_${name}`,
      help: `${help}, on all nodes.`,
      registers,
      async collect() {
        const read = async () => (await query(database.clock.now()).execute(database.read)).rows[0]?.value ?? null;
        const value = await read().catch(() => null);
        if (value === null) this.remove();
        else this.set(Number(value));
      },
    });
}

/** What alerts watch: how long something waits that should not, and how many questions came to nothing. */
function measureLateness(measured: Measured): void {
  measured(
    'webhook_oldest_seconds',
    'Age of the oldest webhook that is not delivered, given up or paused by its owner; 0 without any',
    (now) => sql`select coalesce(${now} - min(deliveries.created_at), 0) / 1000.0 as value from deliveries
      join sources on sources.id = deliveries.source_id where state = 'pending' and webhooks_paused_at is null`,
  );
  // A push waits on purpose until quiet hours are over, and after a refusal: its own time tells, not its age.
  measured(
    'push_overdue_seconds',
    'How long after its time the push is that has waited longest to be sent; 0 without any',
    (now) => sql`select coalesce(${now} - min(due_at), 0) / 1000.0 as value from pushes where due_at < ${now}`,
  );
  measured(
    'inquiries_expired_share',
    'Of the inquiries resolved in the last hour, the share that expired; absent without any',
    (now) => sql`select avg(case when outcome = 'expired' then 1.0 else 0.0 end) as value from inquiries
      where resolved_at > ${now - HOUR_MS}`,
  );
  // The sweep leaves no warning time on one that rang and that it looked at; one that is to ring later keeps it.
  measured(
    'inquiries_unreached_share',
    'Of the inquiries opened in the last hour that are still open, the share that no device took within 60 seconds; absent without any',
    (now) => sql`select avg(case when reach_due_at is null and transport not like '%"quiet":true%' and not exists (
        select 1 from inquiry_devices where inquiry_id = inquiries.id and accepted_at is not null
      ) then 1.0 else 0.0 end) as value from inquiries where resolution is null and id > ${firstIdAt('inq', now - HOUR_MS)}`,
  );
}

/** Counts every request of the routes registered after this call, and tells it at `/metrics`. */
export function openMetrics(app: Http, metrics: Metrics, token: string | undefined): void {
  watchHttp(app, metrics);
  metricsRoute(app, { registry: metrics.registry, token });
}

/** Counts every request of the routes registered after this call. */
export function watchHttp(
  app: Http,
  { httpRequests, asksRefused }: Pick<Metrics, 'httpRequests' | 'asksRefused'>,
): void {
  app.asks.onRefusal = () => asksRefused.inc();
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
