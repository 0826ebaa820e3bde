import { AIMessage } from '@langchain/core/messages';
import { BaseChatModel } from '@langchain/core/language_models/chat_models';

/** A model that calls the tools that SCRIPT names, and then repeats what they said. */
class Scripted extends BaseChatModel {
  _llmType() {
    return 'scripted';
  }
  bindTools() {
    return this;
  }
  async _generate(messages) {
    const said = messages.filter((message) => message.type === 'tool').map(({ content }) => content);
    const calls = JSON.parse(process.env.SCRIPT).map((args, at) => ({
      id: `call_${at}`,
      name: 'delete_records',
      args,
    }));
    const message = new AIMessage(said.length > 0 ? said.join(' | ') : { content: '', tool_calls: calls });
    return { generations: [{ text: message.text, message }] };
  }
}

export const model = new Scripted({});
