import { Usage } from '@openai/agents';

/** A model that calls the tools that SCRIPT names, and then repeats what they said. */
export const model = {
  async getResponse({ input }) {
    const said = input.filter(({ type }) => type === 'function_call_result').map(({ output }) => output.text ?? output);
    const text = { type: 'output_text', text: said.join(' | ') };
    const calls = JSON.parse(process.env.SCRIPT).map((args, at) => ({
      type: 'function_call',
      callId: `call_${at}`,
      name: 'delete_records',
      arguments: JSON.stringify(args),
      status: 'completed',
    }));
    const message = { type: 'message', role: 'assistant', status: 'completed', content: [text] };
    return { usage: new Usage(), output: said.length > 0 ? [message] : calls };
  },
};
