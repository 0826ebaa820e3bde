import { hubTime } from './beckon.mjs';
import { decide } from './decide.mjs';

const allowed = ['approve', 'reject'];

/**
 * `toolApproval` for `generateText`, `streamText` and agents of the AI SDK: people decide about each call of these tools, of
 * all where `tools` is left out, while the run waits. What nobody approved is denied, with words for the model. Throws where
 * the hub stays out of reach, or where an approval ends before the rest of its turn is decided; nothing runs then.
 * `options`: of the client's `inquire`, besides.
 */
export function toolApproval({ tools, ...options } = {}) {
  // What is approved runs once its whole turn is decided, which the SDK asks about call by call with the same messages.
  const holds = new WeakMap();
  const approval = async (name, args, messages) => {
    const decided = await decide({ name, args, allowed }, options);
    const until = holds.get(messages) ?? Infinity;
    if (hubTime() >= until) throw new Error('The approval of an earlier call ended while this one was decided.');
    holds.set(messages, Math.min(until, Date.parse(decided.validUntil) || Infinity));
    return decided.type === 'approve' ? 'approved' : { type: 'denied', reason: decided.text };
  };
  if (tools === undefined) return ({ toolCall, messages }) => approval(toolCall.toolName, toolCall.input, messages);
  return Object.fromEntries(tools.map((name) => [name, (input, { messages }) => approval(name, input, messages)]));
}
