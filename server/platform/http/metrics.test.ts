import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Http } from './server.ts';
import { pino } from 'pino';
import { sharedDatabase } from '../testing/database.ts';
import { createHttp } from './http.ts';
import { createMetrics, metricsRoute, watchHttp, type Metrics } from './metrics.ts';

const TOKEN = 'the-operators-own-token';
const database = await sharedDatabase();
let app: Http;
let metrics: Metrics;

before(async () => {
  metrics = createMetrics({ database });
  app = await createHttp({
    log: pino({ level: 'silent' }),
    findCaller: async () => assert.fail('/metrics looks up no caller'),
    origins: () => [],
    trustProxy: 0,
    rateLimit: 1_000,
  });
  watchHttp(app, metrics);
  metricsRoute(app, { registry: metrics.registry, token: TOKEN });
});
after(() => app.close());

const scrape = (remoteAddress: string, headers: Record<string, string> = {}) =>
  app.inject({ url: '/metrics', remoteAddress, headers });

describe('metrics', () => {
  test('[SEC1] /metrics is for this machine or the token', async () => {
    const statuses = async (headers: Record<string, string>) =>
      Promise.all(
        ['127.0.0.1', '::1', '::ffff:127.0.0.1', '10.0.0.7', '::ffff:10.0.0.7'].map(
          async (address) => (await scrape(address, headers)).statusCode,
        ),
      );
    assert.deepStrictEqual(await statuses({}), [200, 200, 200, 401, 401]);
    assert.deepStrictEqual(await statuses({ 'x-forwarded-for': '127.0.0.1' }), [401, 401, 401, 401, 401]);
    assert.deepStrictEqual(
      await statuses({ authorization: `Bearer ${TOKEN}`, via: '1.1 proxy' }),
      [200, 200, 200, 200, 200],
    );
    assert.deepStrictEqual(
      await statuses({ authorization: 'Bearer undefined', via: '1.1 proxy' }),
      [401, 401, 401, 401, 401],
    );
  });

  test('[SEC1] without a token set, no token opens /metrics', async () => {
    const bare = await createHttp({
      log: pino({ level: 'silent' }),
      findCaller: async () => 'unknown',
      origins: () => [],
      trustProxy: 0,
      rateLimit: 1_000,
    });
    metricsRoute(bare, { registry: metrics.registry });
    const { statusCode } = await bare.inject({
      url: '/metrics',
      remoteAddress: '10.0.0.7',
      headers: { authorization: 'Bearer undefined' },
    });
    await bare.close();
    assert.equal(statusCode, 401);
  });

  test('counters, requests by route and gauges of the database are told', async () => {
    metrics.countInquiry('asked');
    metrics.countInquiry('won', 22);
    await scrape('10.0.0.7');
    const { body, headers } = await scrape('127.0.0.1');
    assert.match(String(headers['content-type']), /^text\/plain; version=0\.0\.4/);
    for (const line of [
      'beckon_inquiry_events_total{event="asked"} 1',
      'beckon_inquiry_events_total{event="won"} 1',
      'beckon_answer_seconds_bucket{le="15"} 0',
      'beckon_answer_seconds_bucket{le="60"} 1',
      'beckon_answer_seconds_count 1',
      'beckon_inquiries_open 0',
      'beckon_devices_live 0',
      'beckon_webhooks_pending 0',
      'beckon_http_request_seconds_count{route="/metrics",method="GET",status="4xx"}',
      'beckon_nodejs_eventloop_lag_p99_seconds',
    ]) {
      assert.ok(body.includes(line), line);
    }
  });

  test('without the database its gauges are absent and the rest is told', async () => {
    await database.close();
    const { statusCode, body } = await scrape('127.0.0.1');
    assert.equal(statusCode, 200);
    assert.deepStrictEqual(
      [/^beckon_inquiries_open /m.test(body), /^beckon_inquiry_events_total\{/m.test(body)],
      [false, true],
    );
  });
});
