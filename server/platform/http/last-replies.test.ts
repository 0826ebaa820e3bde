import { deepStrictEqual } from 'node:assert/strict';
import { once } from 'node:events';
import { test } from 'node:test';
import Fastify from 'fastify';
import { writeLastReplies } from './last-replies.ts';

test('a server that closes writes the replies it is making, and cuts what only listens', async () => {
  const app = Fastify({ forceCloseConnections: true });
  const slow = Promise.withResolvers<string>();
  writeLastReplies(app, 60_000);
  app.get('/slow', () => slow.promise);
  app.get('/stream', (_request, reply) => reply.hijack().raw.flushHeaders());
  const url = await app.listen({ port: 0, host: '127.0.0.1' });
  const call = async (path: string, headers = {}) => {
    const arrived = once(app.server, 'request');
    const reply = fetch(url + path, { headers })
      .then((response) => response.text())
      .catch(() => 'cut');
    await arrived;
    return { reply };
  };

  const [called, listening] = [await call('/slow'), await call('/stream', { accept: 'text/event-stream' })];
  const closed = app.close();
  await new Promise((turn) => setImmediate(turn));
  slow.resolve('said');
  deepStrictEqual(await Promise.all([called.reply, listening.reply, closed]), ['said', 'cut', undefined]);
});

test('a reply that never comes holds no server up', async () => {
  const app = Fastify({ forceCloseConnections: true });
  writeLastReplies(app, 20);
  app.get('/never', () => new Promise(() => {}));
  const url = await app.listen({ port: 0, host: '127.0.0.1' });
  const arrived = once(app.server, 'request');
  const reply = fetch(`${url}/never`).catch(() => 'cut');
  await arrived;
  await app.close();
  deepStrictEqual(await reply, 'cut');
});
