import { MemorySaver } from '@langchain/langgraph';
import { createAgent, tool } from 'langchain';
import { z } from 'zod';
import { model } from '../models/langchain.mjs';
import { humanInTheLoop } from './client/langchain.mjs';

const deleteRecords = tool(({ table }) => (console.log(`ran ${table}`), `Deleted ${table}.`), {
  name: 'delete_records',
  description: 'Deletes all records of a table.',
  schema: z.object({ table: z.string() }),
});
const agent = createAgent({
  model,
  tools: [deleteRecords],
  checkpointer: new MemorySaver(),
  middleware: [humanInTheLoop({ interruptOn: { delete_records: true }, agent: 'Cleaner' })],
});

const result = await agent.invoke({ messages: process.argv[2] }, { configurable: { thread_id: 'thread-1' } });
console.log(`said ${result.messages.at(-1).text}`);
