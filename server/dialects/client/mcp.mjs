import { decide } from './decide.mjs';

const CALL = 'tools/call';
const ALLOWED = ['approve', 'edit', 'reject'];
const PROGRESS_MS = 10_000;

/**
 * Holds calls of an MCP server's tools until people decide them, whenever and however the tools are registered: those of
 * `tools`, or all that are not annotated as read-only. Edited arguments are checked as the client's are. What nobody
 * approved does not run, and its result says why; a call that is cancelled takes its question back. Returns the server, an
 * `McpServer` or `Server` of the official SDK. `options`: of the client's `inquire`, besides.
 */
export function withPeople(server, { tools, ...options } = {}) {
  const protocol = server.server ?? server;
  const handlers = protocol._requestHandlers;
  if (!(handlers instanceof Map)) throw new TypeError('This is no server of the MCP SDK whose calls can be held.');
  const get = handlers.get.bind(handlers);
  const listed = (name, context) => findTool(get('tools/list') ?? protocol.fallbackRequestHandler, name, context);
  const held = (handler) => async (request, context) => {
    const { name, arguments: args = {} } = request.params;
    const { annotations, description } = (await listed(name, context)) ?? {};
    if (tools ? !tools.includes(name) : annotations?.readOnlyHint === true) return handler(request, context);
    const action = { name, args, allowed: ALLOWED, description };
    const { signal, stop } = waiting(context, options.signal);
    const decided = await decide(action, { ...options, signal }).finally(stop);
    if (decided.type === 'approve') return handler(request, context);
    if (decided.type === 'edit')
      return handler({ ...request, params: { ...request.params, arguments: decided.args } }, context);
    return { content: [{ type: 'text', text: decided.text }], isError: true };
  };
  const set = handlers.set.bind(handlers);
  handlers.set = (method, handler) => set(method, method === CALL ? held(handler) : handler);
  if (handlers.has(CALL)) handlers.set(CALL, get(CALL));
  // A proxy may have one handler for whatever has none of its own.
  handlers.get = (method) => {
    const { fallbackRequestHandler: rest } = protocol;
    return get(method) ?? (method === CALL && rest ? held(rest) : undefined);
  };
  return server;
}

/** A tool as the server lists it, or undefined. */
async function findTool(list, name, context) {
  for (let cursor; list;) {
    const { tools, nextCursor } = await list({ method: 'tools/list', params: cursor ? { cursor } : {} }, context);
    const found = tools.find((tool) => tool.name === name);
    if (found || !nextCursor) return found;
    cursor = nextCursor;
  }
  return undefined;
}

/** The signal of a call, and its progress until `stop`: a client that asked for it waits on. Of SDK 1.x and 2.x. */
function waiting({ mcpReq, ...context }, own) {
  const { signal, _meta: meta, notify = context.sendNotification } = mcpReq ?? context;
  const progressToken = meta?.progressToken;
  let progress = 0;
  const message = 'Waiting for a person to decide.';
  const tell = () => {
    // So little that what the tool itself reports is more.
    const params = { progressToken, progress: (progress += 1e-9), message };
    notify({ method: 'notifications/progress', params }).catch(() => undefined);
  };
  const timer = progressToken === undefined ? undefined : setInterval(tell, PROGRESS_MS);
  return { signal: AbortSignal.any([signal, own].filter(Boolean)), stop: () => clearInterval(timer) };
}
