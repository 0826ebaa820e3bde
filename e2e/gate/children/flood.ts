// A server of both eras without any SDK whose tool "flood" tells progress without end, as fast as it is read. RECORD names a
// file that hears how many bytes it had said whenever nobody has read it for a second.
import { appendFileSync } from 'node:fs';
import { createInterface } from 'node:readline';

type Message = {
  id?: string | number;
  method?: string;
  params?: { name?: string; _meta?: { progressToken?: unknown } };
};
const { RECORD = '' } = process.env;
const say = (message: object): boolean => process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
const serverInfo = { name: 'flood', version: '1.0.0' };
const capabilities = { tools: {} };
const words = 'x'.repeat(60_000);
let told = 0;

function flood(progressToken: unknown): void {
  let more = true;
  while (more) {
    told += words.length;
    more = say({ method: 'notifications/progress', params: { progressToken, progress: told, message: words } });
  }
  const unread = setInterval(() => appendFileSync(RECORD, `${told}\n`), 1000);
  process.stdout.once('drain', () => {
    clearInterval(unread);
    setImmediate(flood, progressToken);
  });
}

createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line) as Message;
  if (id === undefined) return;
  if (method === 'initialize') say({ id, result: { protocolVersion: '2025-06-18', capabilities, serverInfo } });
  else if (method === 'tools/list') say({ id, result: { resultType: 'complete', tools: [] } });
  else if (params?.name === 'flood') flood(params._meta?.progressToken);
  else say({ id, result: { resultType: 'complete', content: [{ type: 'text', text: 'not flooded' }] } });
});
