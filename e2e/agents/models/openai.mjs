import { Usage } from '@openai/agents';

const ITEMS = {
  shell: (action) => ({ type: 'shell_call', action }),
  apply_patch: (operation) => ({ type: 'apply_patch_call', operation }),
};
const CALLS = ['function_call', 'shell_call', 'apply_patch_call'];
const wordsOf = ({ output }) =>
  Array.isArray(output)
    ? output.map(({ text, stdout, stderr }) => text ?? (stdout || stderr)).join('')
    : (output.text ?? output);

function respond(input) {
  const [{ content }] = input;
  const made = input.filter(({ type }) => CALLS.includes(type)).length;
  const script = JSON.parse(typeof content === 'string' ? content : content[0].text);
  const turn = script.findIndex((_, at) => script.slice(0, at).flat().length === made);
  const calls = (script[turn] ?? []).map(([name, args], at) => ({
    ...(ITEMS[name]?.(args) ?? { type: 'function_call', name, arguments: JSON.stringify(args) }),
    callId: `call_${turn}_${at}`,
    status: 'completed',
  }));
  if (calls.length > 0) return calls;
  const said = input.filter(({ type }) => /(_result|_output)$/.test(type)).map(wordsOf);
  const text = { type: 'output_text', text: said.join(' | ') };
  return [{ type: 'message', role: 'assistant', status: 'completed', content: [text] }];
}

/** A model that makes the calls its user's script names, turn by turn, and then repeats what the tools said. */
export const model = {
  async getResponse({ input }) {
    return { usage: new Usage(), output: respond(input) };
  },
  async *getStreamedResponse({ input }) {
    const output = respond(input);
    const usage = { inputTokens: 1, outputTokens: 1, totalTokens: 2 };
    for (const { content = [] } of output)
      for (const { text } of content) yield { type: 'output_text_delta', delta: text };
    yield { type: 'response_done', response: { id: 'resp', usage, output } };
  },
};
