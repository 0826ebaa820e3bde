// A server of 2025-06-18 without any SDK: it answers each call with the very line that it was sent, so that a test sees
// every byte. RECORD names a file that gets each line as well; IGNORE_END makes it stay when its input ends.
import { appendFileSync } from 'node:fs';
import { createInterface } from 'node:readline';

type Message = { id?: string | number; method?: string; params?: { name?: string } };
const { RECORD, IGNORE_END } = process.env;
const schema = { type: 'object', properties: { to: { type: 'string', minLength: 3 }, amount: { type: 'number' } } };
const tools = [
  { name: 'pay', description: 'Sends money', inputSchema: schema, annotations: { destructiveHint: true } },
  { name: 'look', inputSchema: { type: 'object' }, annotations: { readOnlyHint: true } },
  { name: 'die', inputSchema: { type: 'object' }, annotations: { readOnlyHint: true } },
];
const say = (message: object): void => void process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);

if (IGNORE_END) {
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, () => {});
  setInterval(() => {}, 60_000);
}
process.stderr.write(`child ${process.pid}\n`);

createInterface({ input: process.stdin }).on('line', (line) => {
  if (RECORD) appendFileSync(RECORD, `${line}\n`);
  const { id, method, params } = JSON.parse(line) as Message;
  if (id === undefined) return;
  if (method === 'initialize') {
    const serverInfo = { name: 'echo', version: '1.0.0' };
    return say({ id, result: { protocolVersion: '2025-06-18', capabilities: { tools: {} }, serverInfo } });
  }
  if (method === 'tools/list') return say({ id, result: { tools } });
  if (method === 'ping') return say({ id, result: {} });
  if (method !== 'tools/call') return say({ id, error: { code: -32601, message: `no ${method}` } });
  if (params?.name === 'die') process.exit(7);
  say({ id, result: { content: [{ type: 'text', text: line }] } });
});
