import { text } from 'node:stream/consumers';
import type { TestContext } from 'node:test';
import type { CalledDecider } from '../call.ts';
import { type NodeIncomingMessageLike, toNodeHandler } from '@modelcontextprotocol/node';
import { type CallToolResult, createMcpHandler, McpServer } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { serve } from '../../../../platform/testing/listen.ts';
import { deciderAt } from './chat-server.ts';

/** An MCP server of the official SDK whose tool "decide" gives these results in turn, and the decider that calls it. */
export async function mcpServer(context: TestContext, results: (CallToolResult | Promise<CallToolResult>)[]) {
  const calls: Record<string, unknown>[] = [];
  const bodies: string[] = [];
  const keys = new Set<string | undefined>();
  const handler = createMcpHandler(() => {
    const mcp = new McpServer({ name: 'deciding', version: '1' });
    mcp.registerTool('decide', { inputSchema: z.looseObject({ question: z.unknown() }) }, (args) => {
      calls.push(args);
      return results[calls.length - 1] ?? { content: [] };
    });
    return mcp;
  });
  const handle = toNodeHandler(handler);
  context.after(() => handler.close());
  const address = await serve(context, (request, response) => {
    keys.add(request.headers.authorization);
    void text(request).then((body) => {
      bodies.push(body);
      return handle(request as NodeIncomingMessageLike, response, body === '' ? undefined : JSON.parse(body));
    });
  });
  const url = `${address}/mcp`;
  const { model: _, ...decider } = deciderAt(url);
  const ofTool: CalledDecider = { ...decider, kind: 'mcp', tool: 'decide' };
  return { calls, bodies, keys, host: new URL(url).host, decider: ofTool };
}
