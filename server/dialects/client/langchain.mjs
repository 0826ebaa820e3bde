import { createMiddleware, ToolMessage } from 'langchain';
import { inquire } from './beckon.mjs';

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
      if (!rule) return handler(request);
      const resolution = await inquire(
        { actions: [await toAction(toolCall, rule, state, runtime)], ...contextOf(runtime, options) },
        { signal: runtime.signal, ...keyOf(toolCall, state, runtime), ...options },
      );
      const [decision] = resolution.outcome === 'answered' ? (resolution.answer?.decisions ?? []) : [];
      if (decision?.type === 'approve') return handler(request);
      if (decision?.type === 'edit') return handler({ ...request, toolCall: { ...toolCall, args: decision.args } });
      const { name, id } = toolCall;
      return new ToolMessage({ content: resolution.text, name, tool_call_id: id ?? '', status: 'error' });
    },
  });
}

async function toAction({ name, args }, rule, state, runtime) {
  const { allowedDecisions = ALL, description } = rule === true ? {} : rule;
  const said = typeof description === 'function' ? await description({ name, args }, state, runtime) : description;
  return { name, args, allowed: allowedDecisions, ...(said === undefined ? {} : { description: said }) };
}

function contextOf(runtime, { agent }) {
  const runId = threadOf(runtime);
  const context = { ...(agent === undefined ? {} : { agent }), ...(runId === undefined ? {} : { runId }) };
  return Object.keys(context).length > 0 ? { context } : {};
}

// The message that calls is another one in each run, and the same in the checkpoint that another process goes on from; the
// id of a call alone may come again, and an earlier yes with it.
function keyOf({ id }, { messages }, runtime) {
  const thread = threadOf(runtime);
  const message = messages.findLast(({ tool_calls: calls = [] }) => calls.some((call) => call.id === id))?.id;
  return id && thread && message ? { idempotencyKey: `langchain ${thread} ${message} ${id}` } : {};
}

function threadOf({ configurable }) {
  const id = configurable?.thread_id;
  return typeof id === 'string' && id !== '' ? id : undefined;
}
