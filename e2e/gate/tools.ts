import { type CallToolResult, inputRequired, type McpServer } from '@modelcontextprotocol/server';
import { z } from 'zod';

/** Writes down that a tool ran; what it returns, a slow tool waits for. */
type Note = (name: string, args: unknown) => Promise<void>;

const say = (text: string): CallToolResult => ({ content: [{ type: 'text', text }] });
const asksName = inputRequired.elicit({
  message: 'Under which name?',
  requestedSchema: { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] },
});

/** Tools of a small notebook: one that only reads, some that write, some that ask back. */
export function offerTools(mcp: McpServer, ran: Note): void {
  mcp.registerTool(
    'read_note',
    { description: 'Reads a note', inputSchema: { path: z.string() }, annotations: { readOnlyHint: true } },
    async (args) => {
      await ran('read_note', args);
      return say(`The note ${args.path}`);
    },
  );
  mcp.registerTool(
    'write_note',
    { description: 'Writes a note', inputSchema: { path: z.string(), text: z.string().optional() } },
    async (args) => {
      await ran('write_note', args);
      return say(`Wrote ${args.path}`);
    },
  );
  mcp.registerTool(
    'count_notes',
    { description: 'Counts notes', inputSchema: {}, outputSchema: { count: z.number() } },
    async () => {
      await ran('count_notes', {});
      return { ...say('3'), structuredContent: { count: 3 } };
    },
  );
  mcp.registerTool('report', { description: 'Reports as it goes' }, async (ctx) => {
    await ran('report', {});
    const progressToken = ctx.mcpReq._meta?.progressToken;
    for (const progress of [1, 2]) {
      if (progressToken !== undefined)
        await ctx.mcpReq.notify({ method: 'notifications/progress', params: { progressToken, progress } });
    }
    return say('Reported');
  });
  // A proxy may send its calls elsewhere by their region, which a header repeats.
  const region = z.string().meta({ 'x-mcp-header': 'Region' });
  mcp.registerTool('send_note', { description: 'Sends a note', inputSchema: { region } }, async (args) => {
    await ran('send_note', args);
    return say(`Sent to ${args.region}`);
  });
  offerAsking(mcp, ran);
}

function offerAsking(mcp: McpServer, ran: Note): void {
  mcp.registerTool('sign', { description: 'Signs a note', inputSchema: { path: z.string() } }, async (args, ctx) => {
    const given = ctx.mcpReq.inputResponses?.['name'] as { action?: string; content?: unknown } | undefined;
    if (!given) return inputRequired({ inputRequests: { name: asksName }, requestState: `signing ${args.path}` });
    await ran('sign', args);
    return say(`Signed ${args.path}: ${JSON.stringify(given)}`);
  });
  mcp.registerTool('ask_back', { description: 'Asks while it runs' }, async (ctx) => {
    const { action, content } = await ctx.mcpReq.elicitInput({
      mode: 'form',
      message: 'Under which name?',
      requestedSchema: { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] },
    });
    await ran('ask_back', {});
    return say(`${action} ${JSON.stringify(content)}`);
  });

  mcp.registerTool('sample_back', { description: 'Asks the model of its client' }, async (ctx) => {
    const messages = [{ role: 'user' as const, content: { type: 'text' as const, text: 'Hi' } }];
    const { content } = await ctx.mcpReq.requestSampling({ messages, maxTokens: 10 });
    return say((content as { text: string }).text);
  });
}
