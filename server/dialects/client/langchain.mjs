import { createMiddleware, ToolMessage } from 'langchain';
import { decide } from './decide.mjs';

const ALL = ['approve', 'edit', 'reject'];

/**
 * Middleware of `createAgent` that holds each call of these tools until people decide it. Each call is a question of its
 * own: a reject of one drops no other. What nobody approved does not run; the model is told why. On a thread with an id the
 * same call is the same question, also for a process that comes back to it. `interruptOn`: as `humanInTheLoopMiddleware`
 * takes it; `options`: of the client's `inquire`, besides.
 */
export function humanInTheLoop({ interruptOn, ...options }) {
  return createMiddleware({
    name: 'BeckonHumanInTheLoop',
    async wrapToolCall(request, handler) {
      const { toolCall, state, runtime } = request;
      const rule = Object.hasOwn(interruptOn, toolCall.name) && interruptOn[toolCall.name];
      if (!rule || (rule.when && !(await rule.when(request)))) return handler(request);
      const decided = await decide(await toAction(toolCall, rule, state, runtime), {
        runId: threadOf(runtime),
        ...(await keyOf(toolCall, state, runtime)),
        ...options,
        signal: AbortSignal.any([runtime.signal, options.signal].filter(Boolean)),
      });
      if (decided.type === 'approve') return handler(request);
      if (decided.type === 'edit') return handler({ ...request, toolCall: { ...toolCall, args: decided.args } });
      const { name, id } = toolCall;
      return new ToolMessage({ content: decided.text, name, tool_call_id: id ?? '', status: 'error' });
    },
  });
}

async function toAction({ name, args }, rule, state, runtime) {
  const { allowedDecisions = ALL, description, argsSchema } = rule;
  const said = typeof description === 'function' ? await description({ name, args }, state, runtime) : description;
  return { name, args, allowed: allowedDecisions, description: said, argsSchema };
}

// The message that calls is another one in each run, and the same in the checkpoint that another process goes on from; the
// id of a call alone may come again, and an earlier yes with it.
async function keyOf({ id }, { messages }, runtime) {
  const thread = threadOf(runtime);
  const message = messages.findLast(({ tool_calls: calls = [] }) => calls.some((call) => call.id === id))?.id;
  if (!id || !thread || !message) return {};
  // Its parts may be longer than a key, and of any characters.
  const text = new TextEncoder().encode(JSON.stringify([thread, message, id]));
  const hash = new Uint8Array(await crypto.subtle.digest('SHA-256', text));
  return { idempotencyKey: `langchain ${Array.from(hash, (byte) => byte.toString(16).padStart(2, '0')).join('')}` };
}

function threadOf({ configurable }) {
  const id = configurable?.thread_id;
  return typeof id === 'string' && id !== '' ? id : undefined;
}
