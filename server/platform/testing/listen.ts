import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import { createServer as createPlain, type AddressInfo, type Server } from 'node:net';
import type { TestContext } from 'node:test';

/** Lets the server listen on a free loopback port, which it returns, and closes it after the test, whoever is connected. */
export async function listen(t: TestContext, server: Server): Promise<number> {
  await once(server.listen(0, '127.0.0.1'), 'listening');
  t.after(() => {
    if ('closeAllConnections' in server) (server as ReturnType<typeof createServer>).closeAllConnections();
    server.close();
  });
  return (server.address() as AddressInfo).port;
}

/** A server on loopback that goes with its test; returns its address. */
export async function serve(
  t: TestContext,
  listener: (...asked: Parameters<RequestListener>) => unknown,
): Promise<string> {
  return `http://127.0.0.1:${await listen(
    t,
    createServer((...asked) => void listener(...asked)),
  )}`;
}

/** A port on loopback at which nobody listens. */
export async function closedPort(): Promise<number> {
  const server = createPlain();
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
