/**
 * The least that an MCP server can be: one tool that greets, one call at a time, no checks. What it costs to call this
 * through the gate is what the gate costs. Run as a child process; prints its address.
 */
import { createServer } from 'node:http';

type Message = { id: number; method: string; params?: { arguments?: { name?: string } } };

const RESULTS: Record<string, object> = {
  'server/discover': {
    supportedVersions: ['2026-07-28'],
    capabilities: { tools: {} },
    ttlMs: 3_600_000,
    cacheScope: 'public',
    _meta: { 'io.modelcontextprotocol/serverInfo': { name: 'least', version: '1.0.0' } },
  },
  'tools/list': {
    tools: [{ name: 'greet', inputSchema: { type: 'object', properties: { name: { type: 'string' } } } }],
    ttlMs: 0,
    cacheScope: 'public',
  },
};

const http = createServer((request, reply) => {
  let body = '';
  request.on('data', (chunk: Buffer) => (body += chunk.toString()));
  request.on('end', () => {
    const { id, method, params } = JSON.parse(body || '{}') as Message;
    const said = RESULTS[method] ?? { content: [{ type: 'text', text: `Hello, ${params?.arguments?.name}!` }] };
    const result = { resultType: 'complete', ...said };
    reply.setHeader('content-type', 'application/json');
    reply.end(JSON.stringify({ jsonrpc: '2.0', id, result }));
  });
});
http.listen(0, '127.0.0.1', () => {
  process.stdout.write(`http://127.0.0.1:${(http.address() as { port: number }).port}/mcp\n`);
});
