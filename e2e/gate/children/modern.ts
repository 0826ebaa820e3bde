// A small server of both eras on its own input and output: it asks its client, by its result, what people of a gate can
// answer, tells progress, and grows a tool.
import { inputRequired, inputResponse, McpServer, type ServerContext } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { z } from 'zod';

const say = (text: string) => ({ content: [{ type: 'text' as const, text }] });
const READS = { readOnlyHint: true };
let cancels = 0;

serveStdio(() => {
  const mcp = new McpServer(
    { name: 'modern-child', version: '1.0.0' },
    { capabilities: { tools: { listChanged: true }, logging: {} } },
  );
  const text = { text: z.string() };
  mcp.registerTool('note', { description: 'Writes a note', inputSchema: text }, ({ text: words }) =>
    say(`noted ${words}`),
  );
  mcp.registerTool('peek', { annotations: READS, inputSchema: text }, ({ text: words }) => say(`peeked ${words}`));
  mcp.registerTool('environment', { annotations: READS }, () => say(JSON.stringify(process.env)));
  mcp.registerTool('pid', { annotations: READS }, () => say(String(process.pid)));
  mcp.registerTool('ask', { annotations: READS }, (ctx) => {
    const { inputResponses } = ctx.mcpReq;
    if (inputResponse(inputResponses, 'where').kind !== 'missing') return say(JSON.stringify(inputResponses));
    return inputRequired({
      inputRequests: {
        where: inputRequired.elicit({
          message: 'Where to?',
          requestedSchema: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
        }),
        door: inputRequired.elicitUrl({ message: 'Open the door', url: 'https://door.example/open' }),
      },
    });
  });
  mcp.registerTool('count', { annotations: READS }, async (ctx) => {
    for (let progress = 1; progress <= 3; progress++) await tell(ctx, progress);
    return say('counted');
  });
  mcp.registerTool('wait', { annotations: READS }, async (ctx) => {
    await tell(ctx, 1);
    await new Promise((_never, reject) =>
      ctx.mcpReq.signal.addEventListener('abort', () => {
        cancels += 1;
        reject(new Error('cancelled'));
      }),
    );
    return say('never');
  });
  mcp.registerTool('cancels', { annotations: READS }, () => say(String(cancels)));
  mcp.registerTool('grow', { annotations: READS, inputSchema: { name: z.string() } }, ({ name }) => {
    mcp.registerTool(name, { annotations: READS }, () => say(name));
    return say('growing');
  });
  return mcp;
});

async function tell(ctx: ServerContext, progress: number): Promise<void> {
  const progressToken = ctx.mcpReq._meta?.progressToken;
  if (progressToken === undefined) return;
  await ctx.mcpReq.notify({ method: 'notifications/progress', params: { progressToken, progress, total: 3 } });
}
