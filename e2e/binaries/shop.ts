// A small MCP server that asks its user, by the result of its tool.
import { inputRequired, McpServer } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';

const requestedSchema = {
  type: 'object' as const,
  properties: { city: { type: 'string' as const } },
  required: ['city'],
};
const where = inputRequired.elicit({ message: 'Where to?', requestedSchema });

serveStdio(() => {
  const mcp = new McpServer({ name: 'shop', version: '1.0.0' });
  mcp.registerTool('send', { description: 'Sends an order' }, (ctx) => {
    const given = ctx.mcpReq.inputResponses?.['where'];
    if (!given) return inputRequired({ inputRequests: { where } });
    return { content: [{ type: 'text', text: JSON.stringify(given) }] };
  });
  return mcp;
});
