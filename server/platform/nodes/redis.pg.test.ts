import { deepStrictEqual, rejects } from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { AppError } from '#shared/problem.ts';
import { privateRedis, type PrivateRedis } from '../testing/redis.ts';
import { connectRedis, type Redis } from './redis.ts';

async function server(t: TestContext, options: Parameters<typeof privateRedis>[0] = {}): Promise<PrivateRedis> {
  const redis = await privateRedis(options);
  t.after(() => redis.stop());
  return redis;
}

async function connected(t: TestContext, url: string): Promise<Redis> {
  const redis = await connectRedis({ url });
  t.after(() => redis.close());
  return redis;
}

async function heardOn(redis: Redis, channel: string): Promise<string[]> {
  const heard: string[] = [];
  redis.sSubscribe(channel, (message) => heard.push(message.toString()));
  await redis.listening();
  return heard;
}

/** Says it until somebody heard: what is said while Redis returns may be lost. */
async function says(from: Redis, channel: string, word: string, heard: string[]): Promise<void> {
  while (!heard.includes(word)) {
    void from.sPublish(channel, word);
    await pause(10);
  }
}

test('a channel that is given up and wanted again at once is heard', async (t) => {
  const { url } = await server(t);
  const [one, other] = await Promise.all([connected(t, url), connected(t, url)]);
  await heardOn(one, 'room');
  one.sUnsubscribe('room');
  // In the next turn the first change is on its way to Redis and the second is not.
  await pause(0);
  const heard = await heardOn(one, 'room');
  await other.sPublish('room', 'hello');
  while (heard.length === 0) await pause(5);
  one.sUnsubscribe('room');
  await one.listening();
  await other.sPublish('room', 'nobody here');
  await says(other, 'end', 'end', await heardOn(one, 'end'));
  deepStrictEqual(heard, ['hello']);
});

test('what was wanted and given up while Redis was away counts when it is back', async (t) => {
  const redis = await server(t);
  const [one, other] = await Promise.all([connected(t, redis.url), connected(t, redis.url)]);
  const given = await heardOn(one, 'given up');
  const kept = await heardOn(one, 'kept');
  await redis.kill();
  one.sUnsubscribe('given up');
  const wanted = await heardOn(one, 'wanted');
  await redis.start();
  await says(other, 'wanted', 'hello', wanted);
  await says(other, 'kept', 'hello', kept);
  await one.listening();
  void other.sPublish('given up', 'hello');
  await says(other, 'kept', 'end', kept);
  deepStrictEqual(given, []);
});

test('a Redis without sharded channels is refused in one sentence', async (t) => {
  const { url } = await server(t, { options: ['--rename-command', 'SPUBLISH', ''] });
  await rejects(connectRedis({ url }), (error) => {
    const sentence =
      /^Redis at REDIS_URL refuses SPUBLISH \(ERR unknown command .*\); use Redis 7 or later, not as a cluster\.$/;
    return error instanceof AppError && sentence.test(error.message);
  });
});

test('one that came later without them is degraded, and says so', async (t) => {
  const redis = await server(t, { running: false, options: ['--rename-command', 'SPUBLISH', ''] });
  const errors: unknown[] = [];
  const log = { error: (text: unknown) => errors.push(text), warn: () => {}, info: () => {} };
  const one = await connectRedis({ url: redis.url, log: log as never });
  t.after(() => one.close());
  await redis.start();
  while (errors.length === 0) await pause(10);
  deepStrictEqual([one.degraded(), errors.length], [true, 1]);
});
