import { MemorySaver } from '@langchain/langgraph';
import { createDeepAgent } from 'deepagents';
import { tool } from 'langchain';
import { z } from 'zod';
import { model } from '../models/langchain.mjs';
import { withPeople } from './client/deepagents.mjs';

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
  tools: [archiveRecords, deleteRecords],
  // In place of the main agent's, which its other sub-agents have.
  interruptOn: { archive_records: { allowedDecisions: ['approve', 'reject'] } },
};
const agent = createDeepAgent(
  withPeople({
    model,
    name: 'Cleaner',
    tools: [deleteRecords],
    subagents: [archivist],
    checkpointer: new MemorySaver(),
    interruptOn: { delete_records: true },
  }),
);

const result = await agent.invoke({ messages: process.argv[2] }, { configurable: { thread_id: 'thread-1' } });
console.log(`said ${result.messages.at(-1).text}`);
