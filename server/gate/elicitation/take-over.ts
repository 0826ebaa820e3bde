import { CLIENT_CAPABILITIES_META_KEY } from '@modelcontextprotocol/client';
import { withoutValue, withValue } from '../json-text.ts';
import { isModern, type Message } from '../messages.ts';

const FORM_AND_URL = JSON.stringify({ form: {}, url: {} });
const RESPONSES = ['params', 'inputResponses'];
const DECLARED = ['params', '_meta', CLIENT_CAPABILITIES_META_KEY];
/** The requests that a modern upstream may answer with a question of its own (2026-07-28, multi round-trip requests). */
const MAY_ASK = new Set(['tools/call', 'prompts/get', 'resources/read']);
/** What a client could be asked in one round with people, or answer in their place. */
const NOT_BESIDE_PEOPLE = [['sampling'], ['roots'], ['extensions', 'io.modelcontextprotocol/tasks']];

/**
 * A client's message as the upstream is to read it where people answer in the client's place: they can be asked, and
 * what the client itself gives as an answer is left out (RES5). Throws `JsonError` where that cannot be done for certain.
 */
export function takeOver(text: string, message: Message): { text: string; message: Message; dropped: boolean } {
  const { inputResponses, ...params } = message.params ?? {};
  if (inputResponses === undefined) return { text: declared(text, message), message, dropped: false };
  return { text: declared(withoutValue(text, RESPONSES), message), message: { ...message, params }, dropped: true };
}

function declared(text: string, message: Message): string {
  if (message.method === 'initialize') return withValue(text, ['params', 'capabilities', 'elicitation'], FORM_AND_URL);
  if (!isModern(message) || !MAY_ASK.has(message.method ?? '')) return text;
  const alone = NOT_BESIDE_PEOPLE.reduce((rest, path) => withoutValue(rest, [...DECLARED, ...path]), text);
  return withValue(alone, [...DECLARED, 'elicitation'], FORM_AND_URL);
}
