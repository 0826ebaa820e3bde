import { EventSchemas, RunAgentInputSchema } from '@ag-ui/core/schemas';
import { runAgent } from '../models/ag-ui.mjs';
import { ask } from './beckon.mjs';

const capabilities = { humanInTheLoop: { approveWithEdits: true } };
const messages = [{ id: 'first', role: 'user', content: process.argv[2] }];
const step = (resume) =>
  runAgent(RunAgentInputSchema.parse({ threadId: 'thread', runId: crypto.randomUUID(), messages, resume }));

let run = step();
while (EventSchemas.parse(run.finished).outcome?.type === 'interrupt') {
  messages.push(...run.messages);
  run = step(await ask('ag-ui', { ...run.finished, messages, capabilities }));
}

console.log(`said ${run.messages.at(-1).content}`);
