import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { generateText, stepCountIs, tool } from 'ai';
import { z } from 'zod';
import { model } from '../models/ai-sdk.mjs';
import { reply, start } from './beckon.mjs';

const tools = {
  delete_records: tool({
    description: 'Deletes all records of a table.',
    inputSchema: z.object({ table: z.string() }),
    execute: ({ table }) => (console.log(`ran ${table}`), `Deleted ${table}.`),
  }),
};
const toolApproval = { delete_records: 'user-approval' };

// It ends when it has asked. Run it again, when a webhook says that people have decided, to go on.
const ROW = 'chat.json'; // a row of your database
const startAsk = ({ key, messages }) => start('ai-sdk', messages.at(-1), { idempotencyKey: key });
const kept = existsSync(ROW) ? JSON.parse(readFileSync(ROW)) : undefined;
const messages = kept?.messages ?? [{ role: 'user', content: process.argv[2] }];
if (kept) messages.push(await reply((await startAsk(kept)).ask));
const result = await generateText({ model, tools, toolApproval, messages, stopWhen: stepCountIs(10) });
messages.push(...result.responseMessages);
if (result.finishReason === 'tool-calls') {
  const row = { key: crypto.randomUUID(), messages };
  writeFileSync(ROW, JSON.stringify(row));
  console.log(`asked ${(await startAsk(row)).ask}`);
} else {
  rmSync(ROW, { force: true });
  console.log(`said ${result.text}`);
}
