import { once } from 'node:events';
import { createServer, request as ask, type IncomingMessage, type ServerResponse } from 'node:http';
import { connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';

/** A proxy between pages and their hub, with what it does to them now. */
export type Front = {
  origin: string;
  /** Which version of the page and of its worker the hub has: `before` is the same with other names of files. */
  page: 'before' | 'now';
  worker: 'before' | 'now';
  /** Cuts the reply to each answer in its middle, after the hub has it. */
  cutsReplies: boolean;
  /** How many answers went to the hub over HTTP. */
  answers: number;
  /** Ends every live line; with `refuse` new ones too, until called without. */
  cutLines(how?: 'refuse'): void;
  close(): Promise<void>;
};

/** Stands before a hub that is opened at this origin. */
export async function standBefore(hub: string): Promise<Front> {
  const { port, hostname } = new URL(hub);
  const lines = new Set<Socket>();
  let refuses = false;
  const server = createServer((request, response) => void pass(request, response).catch(() => response.destroy()));
  // A hub takes no call from pages of another origin.
  const asOf = ({ headers }: IncomingMessage) => ({ ...headers, ...(headers.origin ? { origin: hub } : {}) });
  const pass = async (request: IncomingMessage, response: ServerResponse) => {
    const asked = String(request.url);
    const old = asked.endsWith('/sw.js') ? front.worker === 'before' : front.page === 'before';
    const { 'accept-encoding': _, 'if-none-match': __, 'if-modified-since': ___, ...headers } = asOf(request);
    const path = old ? asked.replace(/-0([\w-]{7}\.(?:js|css))$/, '-$1') : asked;
    const passed = ask({ port, hostname, path, method: request.method, headers });
    request.pipe(passed);
    const [reply] = (await once(passed, 'response')) as [IncomingMessage];
    const { etag: _etag, 'last-modified': _since, 'content-length': _length, ...replied } = reply.headers;
    if (!/html|javascript|css|json/.test(replied['content-type'] ?? '')) {
      return void reply.pipe(response.writeHead(reply.statusCode ?? 500, replied));
    }
    const said = Buffer.from(old ? asBefore(await text(reply)) : await text(reply));
    const answers = asked.endsWith('/answer');
    if (answers) front.answers++;
    response.writeHead(reply.statusCode ?? 500, { ...replied, 'content-length': said.length });
    if (!answers || !front.cutsReplies) return void response.end(said);
    response.write(said.subarray(0, said.length / 2), () => response.destroy());
  };
  server.on('upgrade', (request, near: Socket) => {
    if (refuses) return near.destroy();
    const far = connect(Number(port), hostname);
    const heads = Object.entries(asOf(request)).map(([name, value]) => `${name}: ${String(value)}\r\n`);
    far.write(`GET ${request.url} HTTP/1.1\r\n${heads.join('')}\r\n`);
    for (const [from, into] of [
      [near, far],
      [far, near],
    ] as const) {
      lines.add(from);
      from.on('error', () => {}).once('close', () => (lines.delete(from), into.destroy()));
      from.pipe(into);
    }
    return undefined;
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const cut = () => lines.forEach((line) => line.destroy());
  const front: Front = {
    origin: `http://localhost:${(server.address() as { port: number }).port}`,
    page: 'now',
    worker: 'now',
    cutsReplies: false,
    answers: 0,
    cutLines(how) {
      refuses = how === 'refuse';
      cut();
    },
    async close() {
      server.close();
      cut();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
  return front;
}

/** A built file as it could have been in another version: each file of the page has another name. */
function asBefore(built: string): string {
  return built.replace(/-([\w-]{7}\.(?:js|css))\b/g, '-0$1').replace('VERSION="', 'VERSION="0');
}
