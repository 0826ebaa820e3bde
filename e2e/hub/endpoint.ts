import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';

export type Hook = { headers: IncomingHttpHeaders; body: string; path: string };

/** An endpoint for webhooks. It keeps all it gets; `reply` chooses the status, 0 cuts the connection. */
export async function startEndpoint(
  reply: (hook: Hook) => number = () => 204,
): Promise<{ url: string; got: Hook[]; close(): Promise<void> }> {
  const got: Hook[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('error', () => {});
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const hook = { headers: request.headers, body: Buffer.concat(chunks).toString(), path: request.url ?? '' };
      got.push(hook);
      const status = reply(hook);
      if (status === 0) request.socket.destroy();
      else response.writeHead(status).end();
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  return {
    url: `http://127.0.0.1:${port}`,
    got,
    async close() {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}
