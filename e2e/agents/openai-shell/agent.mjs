import { Agent, applyPatchTool, run, setTracingDisabled, shellTool } from '@openai/agents';
import { model } from '../models/openai.mjs';
import { ask } from './beckon.mjs';

setTracingDisabled(true);
const ran = (what) => (console.log(`ran ${what}`), `Did ${what}.`);
const shell = {
  run: async ({ commands }) => ({
    output: commands.map((command) => ({ stdout: ran(command), stderr: '', outcome: { type: 'exit', exitCode: 0 } })),
  }),
};
const patch = async ({ type, path }) => ({ output: ran(`${type} ${path}`) });
const editor = { createFile: patch, updateFile: patch, deleteFile: patch };
const tools = [shellTool({ shell, needsApproval: true }), applyPatchTool({ editor, needsApproval: true })];
const agent = new Agent({ name: 'Coder', model, tools });

let result = await run(agent, process.argv[2]);
while (result.interruptions.length > 0) {
  const { interruptions: items, state } = result;
  const { decisions } = await ask('openai', items);
  decisions.forEach(({ approve, always, message }, at) => {
    if (approve) state.approve(items[at], { alwaysApprove: always });
    else state.reject(items[at], { alwaysReject: always, message });
  });
  result = await run(agent, state);
}

console.log(`said ${result.finalOutput}`);
