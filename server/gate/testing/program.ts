// The smallest MCP server of both eras on its own input and output: its one tool asks to be let through.
import { McpServer } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { z } from 'zod';

serveStdio(() => {
  const mcp = new McpServer({ name: 'notes', version: '1' });
  mcp.registerTool('note', { inputSchema: z.looseObject({ text: z.string() }) }, ({ text }) => ({
    content: [{ type: 'text', text: `noted ${text}` }],
  }));
  return mcp;
});
