import { Agent, hostedMcpTool, MemorySession, OpenAIProvider, Runner, setTracingDisabled } from '@openai/agents';
import { startCloud } from '../models/cloud.mjs';
import { ask } from './beckon.mjs';

setTracingDisabled(true);
const { url } = await startCloud(JSON.parse(process.argv[2]));
const records = hostedMcpTool({
  serverLabel: 'records',
  serverUrl: 'https://records.example.com/mcp',
  requireApproval: 'always',
});
const agent = new Agent({ name: 'Cleaner', tools: [records] });
const runner = new Runner({ modelProvider: new OpenAIProvider({ apiKey: 'none', baseURL: url }) });

const stop = new AbortController();
for (const name of ['SIGINT', 'SIGTERM']) process.on(name, () => stop.abort());

const session = new MemorySession(); // the conversation, and what was decided in it
let result;
for (const said of ['Clean up.', 'And the rest.']) {
  result = await runner.run(agent, said, { session, signal: stop.signal });
  while (result.interruptions.length > 0) {
    const items = result.interruptions;
    const { decisions } = await ask('openai', items, { deadline: 3600, signal: stop.signal });
    decisions.forEach(({ approve, always, message }, at) =>
      approve
        ? result.state.approve(items[at], { alwaysApprove: always })
        : result.state.reject(items[at], { alwaysReject: always, message }),
    );
    result = await runner.run(agent, result.state, { session, signal: stop.signal });
  }
}

console.log(`said ${result.finalOutput}`);
