import { BaseChatModel } from '@langchain/core/language_models/chat_models';
import { AIMessage } from '@langchain/core/messages';

/** A model that makes the calls its user's script names, turn by turn, and then repeats what the tools said. */
class Scripted extends BaseChatModel {
  _llmType() {
    return 'scripted';
  }
  bindTools() {
    return this;
  }
  async _generate(messages) {
    const of = (type) => messages.filter((message) => message.type === type);
    const turn = of('ai').length;
    const calls = (JSON.parse(of('human')[0].text)[turn] ?? []).map(([name, args], at) => ({
      id: `call_${turn}_${at}`,
      name,
      args,
    }));
    const said = of('tool').map(({ text }) => text);
    const message = new AIMessage(calls.length > 0 ? { content: '', tool_calls: calls } : said.join(' | '));
    return { generations: [{ text: message.text, message }] };
  }
}

export const model = new Scripted({});
