import { Command, MemorySaver } from '@langchain/langgraph';
import { createAgent, humanInTheLoopMiddleware, tool } from 'langchain';
import { z } from 'zod';
import { model } from '../models/langchain.mjs';
import { ask } from './beckon.mjs';

const deleteRecords = tool(({ table }) => (console.log(`ran ${table}`), `Deleted ${table}.`), {
  name: 'delete_records',
  description: 'Deletes all records of a table.',
  schema: z.object({ table: z.string() }),
});
const agent = createAgent({
  model,
  tools: [deleteRecords],
  checkpointer: new MemorySaver(),
  middleware: [humanInTheLoopMiddleware({ interruptOn: { delete_records: true } })],
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
