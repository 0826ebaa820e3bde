import { MockLanguageModelV4 } from 'ai/test';

const usage = { inputTokens: { total: 1 }, outputTokens: { total: 1 } };

/** A model that calls the tools that SCRIPT names, and then repeats what they said. */
export const model = new MockLanguageModelV4({
  doGenerate: async ({ prompt }) => {
    const results = prompt.filter(({ role }) => role === 'tool').flatMap(({ content }) => content);
    const said = results
      .filter(({ type }) => type === 'tool-result')
      .map(({ output }) => output.value ?? `${output.type}: ${output.reason}`);
    const calls = JSON.parse(process.env.SCRIPT).map((args, at) => ({
      type: 'tool-call',
      toolCallId: `call_${at}`,
      toolName: args.question ? 'ask_user' : 'delete_records',
      input: JSON.stringify(args),
    }));
    return said.length > 0
      ? { content: [{ type: 'text', text: said.join(' | ') }], finishReason: { unified: 'stop' }, usage, warnings: [] }
      : { content: calls, finishReason: { unified: 'tool-calls' }, usage, warnings: [] };
  },
});
