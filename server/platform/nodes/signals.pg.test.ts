import { deepStrictEqual, ok } from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { connectRedis } from './redis.ts';
import { type Signals, localSignals, redisSignals } from './signals.ts';
import { type PrivateRedis, privateRedis } from '../testing/redis.ts';

/** A busy machine may seem a silent Redis within so short a time: only for a test that stands a false alarm. */
const QUICK = { watchMs: 200 };

async function started(t: TestContext, settings?: { running: boolean }): Promise<PrivateRedis> {
  const server = await privateRedis(settings);
  t.after(() => server.stop());
  return server;
}

async function node(
  t: TestContext,
  url: string,
  watch: { watchMs?: number } = {},
): Promise<Signals & { heard: string[] }> {
  const redis = await connectRedis({ url, ...watch });
  const signals = await redisSignals({ redis });
  t.after(async () => {
    await signals.close();
    await redis.close();
  });
  const heard: string[] = [];
  signals.subscribe((inquiryId) => heard.push(inquiryId));
  return { ...signals, heard };
}

async function until(condition: () => boolean): Promise<void> {
  const giveUpAt = performance.now() + 20_000;
  while (!condition()) {
    ok(performance.now() < giveUpAt, 'the condition did not come true in 20 s');
    await pause(10);
  }
}

/** Publishes until the other node hears it: a signal may be lost while Redis returns. */
async function reaches(from: Signals, to: { heard: string[] }, inquiryId: string): Promise<void> {
  await until(() => {
    from.publish(inquiryId);
    return to.heard.includes(inquiryId);
  });
}

test('a signal is heard by this node once and by the others', async (t) => {
  const { url } = await started(t);
  const [one, other] = await Promise.all([node(t, url), node(t, url)]);
  one.publish('inq_1');
  await until(() => other.heard.length > 0);
  other.publish('inq_2');
  await until(() => one.heard.length > 1);
  deepStrictEqual([one.heard, other.heard, one.degraded()], [['inq_1', 'inq_2'], ['inq_1', 'inq_2'], false]);
});

test('the signals of one moment are one message, which brings each once', async (t) => {
  const { url } = await started(t);
  const [one, other] = await Promise.all([node(t, url), connectRedis({ url })]);
  t.after(() => other.close());
  const messages: string[] = [];
  other.sSubscribe('beckon-signals', (message) => messages.push(message.toString()));
  await other.listening();
  for (const inquiryId of ['inq_1', 'inq_2', 'inq_1']) one.publish(inquiryId);
  await until(() => messages.length > 0);
  await one.close();
  deepStrictEqual(
    messages.map((message) => message.split(' ').slice(1)),
    [['inq_1', 'inq_2']],
  );
});

test('on a hub of one node everyone who subscribed hears until they stop', async () => {
  const signals = localSignals();
  const heard: string[] = [];
  const stop = signals.subscribe((inquiryId) => heard.push(`first ${inquiryId}`));
  signals.subscribe((inquiryId) => heard.push(`second ${inquiryId}`));
  signals.publish('inq_1');
  await pause(0);
  stop();
  signals.publish('inq_2');
  await pause(0);
  await signals.close();
  signals.publish('inq_3');
  await pause(0);
  deepStrictEqual(heard, ['first inq_1', 'second inq_1', 'second inq_2']);
});

test('with Redis killed a node still hears itself, says it is degraded, and finds the others again', async (t) => {
  const server = await started(t);
  const [one, other] = await Promise.all([node(t, server.url), node(t, server.url)]);
  await server.kill();
  await until(() => one.degraded() && other.degraded());
  one.publish('inq_1');
  await until(() => one.heard.length > 0);
  await server.start();
  await until(() => !one.degraded() && !other.degraded());
  await reaches(one, other, 'inq_2');
  await reaches(other, one, 'inq_3');
  deepStrictEqual([one.heard[0], other.heard.includes('inq_1')], ['inq_1', false]);
});

test('a Redis that is absent at start is used once it is there', async (t) => {
  const server = await started(t, { running: false });
  const [one, other] = await Promise.all([node(t, server.url), node(t, server.url)]);
  deepStrictEqual([one.degraded(), other.degraded()], [true, true]);
  await server.start();
  await reaches(one, other, 'inq_1');
  await until(() => !one.degraded() && !other.degraded());
});

test('a Redis that keeps its connections but stopped answering is noticed and left', async (t) => {
  const server = await started(t);
  const [one, other] = await Promise.all([node(t, server.url, QUICK), node(t, server.url, QUICK)]);
  server.pause();
  await until(() => one.degraded() && other.degraded());
  one.publish('inq_1');
  server.resume();
  await until(() => !one.degraded() && !other.degraded());
  await reaches(one, other, 'inq_2');
});
