import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import { type NodeIncomingMessageLike, toNodeHandler } from '@modelcontextprotocol/node';
import { createMcpHandler, inputRequired, McpServer } from '@modelcontextprotocol/server';
import { z } from 'zod';

export type Upstream = {
  url: string;
  /** The calls of tools that reached it, as they came. */
  calls: string[];
  close(): Promise<void>;
};

/** An MCP server of both eras on a free loopback port, whose tools note, sign by asking for a name first, and count. */
export async function startUpstream(): Promise<Upstream> {
  const calls: string[] = [];
  const handler = createMcpHandler(build);
  const serve = toNodeHandler(handler);
  const server = createServer((request, response) => {
    void textOf(request).then((text) => {
      const body = text === '' ? undefined : (JSON.parse(text) as { method?: string });
      if (body?.method === 'tools/call') calls.push(text);
      return serve(request as NodeIncomingMessageLike, response, body);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as { port: number }).port}/mcp`,
    calls,
    async close() {
      await handler.close();
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}

function build(): McpServer {
  const mcp = new McpServer({ name: 'notes', version: '1' });
  mcp.registerTool('note', { inputSchema: z.looseObject({ text: z.string() }) }, ({ text }) => say(`noted ${text}`));
  mcp.registerTool('sign', { inputSchema: { text: z.string() } }, ({ text }, ctx) => {
    const given = ctx.mcpReq.inputResponses?.['name'] as { content?: { name?: string } } | undefined;
    if (given) return say(`signed ${text} as ${given.content?.name}, ${ctx.mcpReq.requestState<string>()}`);
    return inputRequired({ inputRequests: { name: NAME }, requestState: `signing ${text}` });
  });
  mcp.registerTool('count', { inputSchema: {}, outputSchema: { count: z.number() } }, () => ({
    ...say('3'),
    structuredContent: { count: 3 },
  }));
  return mcp;
}

const NAME = inputRequired.elicit({
  message: 'Under which name?',
  requestedSchema: { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] },
});

function say(text: string) {
  return { content: [{ type: 'text' as const, text }] };
}

async function textOf(request: IncomingMessage): Promise<string> {
  return Buffer.concat(await request.toArray()).toString();
}
