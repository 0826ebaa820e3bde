import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import {
  type NodeIncomingMessageLike,
  NodeStreamableHTTPServerTransport,
  toNodeHandler,
} from '@modelcontextprotocol/node';
import { createMcpHandler, isInitializeRequest, McpServer } from '@modelcontextprotocol/server';
import { offerTools } from './tools.ts';

/** One call of a tool that arrived at the upstream. */
export type Post = { text: string; headers: IncomingHttpHeaders };
export type Upstream = {
  url: string;
  /** Every call of a tool as it came, oldest first. */
  calls: Post[];
  /** The names and arguments of the calls whose tool ran. */
  ran: { name: string; args: unknown }[];
  headersSeen: IncomingHttpHeaders[];
  /** Holds every tool up that runs from now on; the result lets them go on. */
  holdUp(): () => void;
  /** Replies to no ping from now on; the result lets them through. */
  holdPings(): () => void;
  /** Forgets every session, as a restart does. */
  forget(): void;
  close(): Promise<void>;
};

/** An MCP server of both eras on a free loopback port, which writes down what reaches it. */
export async function startUpstream(): Promise<Upstream> {
  const calls: Post[] = [];
  const ran: Upstream['ran'] = [];
  const headersSeen: IncomingHttpHeaders[] = [];
  let [free, pings] = [Promise.resolve(), Promise.resolve()];
  const build = (): McpServer => {
    const mcp = new McpServer({ name: 'notes', version: '1' }, { capabilities: { tools: { listChanged: true } } });
    offerTools(mcp, (name, args) => {
      ran.push({ name, args });
      return free;
    });
    return mcp;
  };
  const handler = createMcpHandler(build, { legacy: 'reject' });
  const modern = toNodeHandler(handler);
  const sessions = new Map<string, NodeStreamableHTTPServerTransport>();
  const server = createServer((request, response) => {
    void textOf(request).then(async (text) => {
      headersSeen.push(request.headers);
      const body = text === '' ? undefined : (JSON.parse(text) as { method?: string });
      if (body?.method === 'tools/call') calls.push({ text, headers: request.headers });
      if (body?.method === 'ping') await pings;
      const version = request.headers['mcp-protocol-version'];
      const old = typeof version !== 'string' || version < '2026';
      if (old) await legacy(sessions, build, request, response, body);
      else await modern(request as NodeIncomingMessageLike, response, body);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as { port: number }).port}/mcp`,
    calls,
    ran,
    headersSeen,
    holdUp() {
      const { promise, resolve } = Promise.withResolvers<void>();
      free = promise;
      return resolve;
    },
    holdPings() {
      const { promise, resolve } = Promise.withResolvers<void>();
      pings = promise;
      return resolve;
    },
    forget: () => sessions.clear(),
    async close() {
      await handler.close();
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}

async function legacy(
  sessions: Map<string, NodeStreamableHTTPServerTransport>,
  build: () => McpServer,
  request: IncomingMessage,
  response: ServerResponse,
  body: unknown,
): Promise<void> {
  const id = String(request.headers['mcp-session-id'] ?? '');
  const known = sessions.get(id);
  if (known) return known.handleRequest(request, response, body);
  if (id !== '' || !isInitializeRequest(body)) {
    const error = { code: -32001, message: 'Session not found' };
    response.writeHead(id === '' ? 400 : 404, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ jsonrpc: '2.0', id: null, error }));
    return;
  }
  const transport = new NodeStreamableHTTPServerTransport({
    sessionIdGenerator: randomUUID,
    onsessioninitialized: (started) => void sessions.set(started, transport),
    onsessionclosed: (ended) => void sessions.delete(ended),
  });
  await build().connect(transport);
  return transport.handleRequest(request, response, body);
}

async function textOf(request: IncomingMessage): Promise<string> {
  return Buffer.concat(await request.toArray()).toString();
}
