import { deepStrictEqual } from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { test, type TestContext } from 'node:test';
import fastify from 'fastify';
import { clientGone, closeUndrained, replyLate } from './late-reply.ts';

/** The reply to a request over a socket of one's own, before anything was written. */
async function asked(t: TestContext) {
  const server = createServer().listen(0, '127.0.0.1');
  t.after(() => server.close());
  await once(server, 'listening');
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  t.after(() => socket.destroy());
  socket.write('GET / HTTP/1.1\r\nhost: a\r\n\r\n');
  const [, reply] = (await once(server, 'request')) as [unknown, ServerResponse];
  return { socket, reply };
}

test('a client is gone that closes while its reply is waited for', async (t) => {
  const { socket, reply } = await asked(t);
  const gone = clientGone(reply);
  const before = gone.aborted;
  socket.destroy();
  await once(gone, 'abort');
  deepStrictEqual([before, String(gone.reason)], [false, 'Error: The client closed the connection.']);
});

test('a client is gone that closed before anybody listened', async (t) => {
  const { socket, reply } = await asked(t);
  socket.destroy();
  await once(reply, 'close');
  deepStrictEqual(clientGone(reply).aborted, true);
});

test('a client that has its reply in full is not gone', async (t) => {
  const { socket, reply } = await asked(t);
  const gone = clientGone(reply);
  reply.setHeader('connection', 'close').end('yes');
  socket.resume();
  await Promise.all([once(reply, 'close'), once(socket, 'close')]);
  deepStrictEqual(gone.aborted, false);
});

test('a reply of which the network takes nothing for 30 s is closed, and one that is read or has nothing to send is not', (t) => {
  t.mock.timers.enable({ apis: ['setInterval'] });
  const open = (writableLength: number) => {
    const socket = { bytesWritten: 1_000, writableLength };
    const reply = {
      writableLength,
      socket,
      destroyed: false,
      once: () => reply,
      destroy: () => (reply.destroyed = true),
    };
    closeUndrained(reply as unknown as ServerResponse);
    return reply;
  };
  const replies = [open(500), open(500), open(0)];
  const looks = [0, 1, 2].map(() => {
    // The second one is read, and as much comes after it.
    replies[1]!.socket.bytesWritten += 100;
    t.mock.timers.tick(30_000);
    return replies.map(({ destroyed }) => destroyed);
  });
  deepStrictEqual(looks, [
    [false, false, false],
    [true, false, false],
    [true, false, false],
  ]);
});

for (const text of [false, true]) {
  test(`a reply that is waited for keeps its connection alive, ${text ? 'as text by its headers alone' : 'as JSON by white space before it'}`, async (t) => {
    t.mock.timers.enable({ apis: ['setInterval'] });
    const { promise: work, resolve } = Promise.withResolvers<string>();
    const app = fastify();
    t.after(() => app.close());
    const waits = Promise.withResolvers<void>();
    app.get('/', (_request, reply) => {
      const late = replyLate(reply, 201, work, { text });
      waits.resolve();
      return late;
    });
    const asking = fetch(await app.listen({ port: 0 }));
    await waits.promise;
    t.mock.timers.tick(15_000);
    t.mock.timers.tick(15_000);
    const reply = await asking;
    resolve('Yes.');
    deepStrictEqual(
      [reply.status, reply.headers.get('content-type'), await reply.text()],
      text ? [201, 'text/plain; charset=utf-8', 'Yes.'] : [201, 'application/json; charset=utf-8', '  "Yes."'],
    );
  });
}
