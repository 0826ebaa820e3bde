import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { Command } from '@langchain/langgraph';
import { PostgresSaver } from '@langchain/langgraph-checkpoint-postgres';
import { createAgent, humanInTheLoopMiddleware, tool } from 'langchain';
import { z } from 'zod';
import { model } from '../models/langchain.mjs';
import { reply, start } from './beckon.mjs';

const deleteRecords = tool(({ table }) => (console.log(`ran ${table}`), `Deleted ${table}.`), {
  name: 'delete_records',
  description: 'Deletes all records of a table.',
  schema: z.object({ table: z.string() }),
});
const checkpointer = PostgresSaver.fromConnString(process.env.DATABASE_URL);
await checkpointer.setup();
const agent = createAgent({
  model,
  tools: [deleteRecords],
  checkpointer,
  middleware: [humanInTheLoopMiddleware({ interruptOn: { delete_records: true } })],
});

// It ends when it has asked. Run it again, when a webhook says that people have decided, to go on.
const config = { configurable: { thread_id: '1' } };
const ROW = 'asked.json'; // a row of your database, beside the thread
const startAsk = ({ key, interrupts }) => start('langgraph', interrupts, { idempotencyKey: key });
let input = { messages: process.argv[2] };
if (existsSync(ROW)) input = new Command(await reply((await startAsk(JSON.parse(readFileSync(ROW)))).ask));
const result = await agent.invoke(input, config);
if (result.__interrupt__) {
  const row = { key: crypto.randomUUID(), interrupts: result.__interrupt__ };
  writeFileSync(ROW, JSON.stringify(row));
  console.log(`asked ${(await startAsk(row)).ask}`);
} else {
  rmSync(ROW, { force: true });
  console.log(`said ${result.messages.at(-1).text}`);
}

await checkpointer.end();
