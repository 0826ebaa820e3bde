import { Command, MemorySaver } from '@langchain/langgraph';
import { createDeepAgent } from 'deepagents';
import { tool } from 'langchain';
import { z } from 'zod';
import { model } from '../models/langchain.mjs';
import { ask } from './beckon.mjs';

const on = (verb, done) =>
  tool(({ table }) => (console.log(`ran ${table}`), `${done} ${table}.`), {
    name: `${verb}_records`,
    description: `To ${verb} all records of a table.`,
    schema: z.object({ table: z.string() }),
  });
const [deleteRecords, archiveRecords] = [on('delete', 'Deleted'), on('archive', 'Archived')];
const archivist = {
  name: 'archivist',
  description: 'Archives tables.',
  systemPrompt: 'Archive what you are told to.',
  tools: [archiveRecords],
  // In place of the main agent's, which its other sub-agents have.
  interruptOn: { archive_records: { allowedDecisions: ['approve', 'reject'] } },
};
const agent = createDeepAgent({
  model,
  tools: [deleteRecords],
  subagents: [archivist],
  checkpointer: new MemorySaver(),
  interruptOn: { delete_records: true },
});

const config = { configurable: { thread_id: '1' } };
const stop = new AbortController();
for (const name of ['SIGINT', 'SIGTERM']) process.once(name, () => stop.abort());

let result = await agent.invoke({ messages: process.argv[2] }, { ...config, signal: stop.signal });
while (result.__interrupt__) {
  const command = await ask('langgraph', result.__interrupt__, { deadline: 3600, signal: stop.signal });
  result = await agent.invoke(new Command(command), { ...config, signal: stop.signal });
}

console.log(`said ${result.messages.at(-1).text}`);
