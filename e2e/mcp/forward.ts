import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, request as send } from 'node:http';
import { pipeline } from 'node:stream';

/** A relay before a server on loopback. */
export type Forwarder = {
  url: string;
  /** The bodies that went through, oldest first. */
  seen: string[];
  close(): Promise<void>;
};

/** Stands for `target` at an address of its own: passes everything on with these headers added. */
export async function startForwarder(target: string, headers: Record<string, string> = {}): Promise<Forwarder> {
  const to = new URL(target);
  const seen: string[] = [];
  const server = createServer((incoming, reply) => {
    const { method, url = '' } = incoming;
    const path = to.pathname + to.search + (url.startsWith('/?') ? url.slice(1) : '');
    const outgoing = send({
      host: to.hostname,
      port: to.port,
      method,
      path,
      headers: { ...incoming.headers, ...stoodFor(incoming.headers), ...headers },
    });
    const chunks: Buffer[] = [];
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
    incoming.on('end', () => seen.push(Buffer.concat(chunks).toString()));
    pipeline(incoming, outgoing, () => {});
    outgoing.on('response', (answer) => {
      reply.writeHead(answer.statusCode ?? 502, answer.rawHeaders);
      reply.flushHeaders();
      pipeline(answer, reply, () => {});
    });
    outgoing.on('error', () => reply.destroy());
    // On either side the end of a connection means something.
    reply.on('close', () => outgoing.destroy());
  });
  // Its own address is the target's to whoever speaks of it; any other name stays what it is.
  const stoodFor = ({ host, origin }: IncomingHttpHeaders): IncomingHttpHeaders => ({
    ...(host === own ? { host: to.host } : {}),
    ...(origin === `http://${own}` ? { origin: to.origin } : {}),
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const own = `127.0.0.1:${(server.address() as { port: number }).port}`;
  return {
    url: `http://${own}/`,
    seen,
    async close() {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}
