import { MockLanguageModelV4 } from 'ai/test';

const usage = { inputTokens: { total: 1 }, outputTokens: { total: 1 } };

/** A model that makes the calls its user's script names, turn by turn, and then repeats what the tools said. */
export const model = new MockLanguageModelV4({
  doGenerate: async ({ prompt }) => {
    const of = (role) => prompt.filter((message) => message.role === role);
    const turn = of('assistant').length;
    const calls = (JSON.parse(of('user')[0].content[0].text)[turn] ?? []).map(([toolName, args], at) => ({
      type: 'tool-call',
      toolCallId: `call_${turn}_${at}`,
      toolName,
      input: JSON.stringify(args),
    }));
    if (calls.length > 0) return { content: calls, finishReason: { unified: 'tool-calls' }, usage, warnings: [] };
    const said = of('tool')
      .flatMap(({ content }) => content)
      .filter(({ type }) => type === 'tool-result')
      .map(({ output }) => output.value ?? `${output.type}: ${output.reason}`);
    const text = { type: 'text', text: said.join(' | ') };
    return { content: [text], finishReason: { unified: 'stop' }, usage, warnings: [] };
  },
});
