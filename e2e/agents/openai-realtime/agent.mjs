import { RealtimeAgent, RealtimeSession, tool } from '@openai/agents/realtime';
import { z } from 'zod';
import { startCloud } from '../models/cloud.mjs';
import { ask } from './beckon.mjs';

const { realtimeUrl } = await startCloud(JSON.parse(process.argv[2]));
const deleteRecords = tool({
  name: 'delete_records',
  description: 'Deletes all records of a table.',
  parameters: z.object({ table: z.string() }),
  needsApproval: true,
  execute: ({ table }) => (console.log(`ran ${table}`), `Deleted ${table}.`),
});
const agent = new RealtimeAgent({ name: 'Cleaner', tools: [deleteRecords] });
const session = new RealtimeSession(agent, { transport: 'websocket', tracingDisabled: true });

const stop = new AbortController();
for (const name of ['SIGINT', 'SIGTERM']) process.on(name, () => stop.abort());
stop.signal.addEventListener('abort', () => session.close());
session.transport.on('connection_change', (status) => status === 'disconnected' && stop.abort());

session.on('tool_approval_requested', async (_context, _agent, { approvalItem: item }) => {
  const nobody = ({ message }) => ({ decisions: [{ approve: false, message }] });
  const { decisions } = await ask('openai', [item], { deadline: 3600, signal: stop.signal }).catch(nobody);
  if (stop.signal.aborted) return;
  const [{ approve, always, message }] = decisions;
  if (approve) await session.approve(item, { alwaysApprove: always });
  else await session.reject(item, { alwaysReject: always, message });
});

session.on('error', ({ error }) => console.error(error));
session.on('agent_end', (_context, _agent, said) => said && (console.log(`said ${said}`), session.close()));
await session.connect({ apiKey: 'none', url: realtimeUrl });
session.sendMessage('Clean up.');
