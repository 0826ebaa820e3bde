import { MemorySaver } from '@langchain/langgraph';
import { PostgresSaver } from '@langchain/langgraph-checkpoint-postgres';
import { createAgent, tool } from 'langchain';
import { z } from 'zod';
import { model } from '../models/langchain.mjs';
import { humanInTheLoop } from './client/langchain.mjs';

const on = (verb, done) =>
  tool(({ table }) => (console.log(`ran ${table}`), `${done} ${table}.`), {
    name: `${verb}_records`,
    description: `To ${verb} all records of a table.`,
    schema: z.object({ table: z.string() }),
  });
const isKept = ({ toolCall }) => toolCall.args.table !== 'scratch';
const { DATABASE_URL } = process.env;
const checkpointer = DATABASE_URL ? PostgresSaver.fromConnString(DATABASE_URL) : new MemorySaver();
await checkpointer.setup?.();
const agent = createAgent({
  model,
  tools: [on('delete', 'Deleted'), on('archive', 'Archived')],
  checkpointer,
  middleware: [
    humanInTheLoop({ interruptOn: { delete_records: true, archive_records: { when: isKept } }, agent: 'Cleaner' }),
  ],
});

// A run that was cut off goes on from its checkpoint, and finds its questions again: the checkpoint is there before they are.
const config = { configurable: { thread_id: 'thread-1' }, durability: 'sync' };
const { next } = await agent.graph.getState(config);
const result = await agent.invoke(next.length > 0 ? null : { messages: process.argv[2] }, config);
console.log(`said ${result.messages.at(-1).text}`);
await checkpointer.end?.();
