import { isObject } from '../../dialects/body.ts';
import { displayName, idKey, isId, type Message } from '../../mcp/messages.ts';

/** The members of a tool call that people see. */
const FIELDS = ['name', 'title', 'kind', 'rawInput', 'content', 'locations'] as const;
type Fields = Partial<Record<(typeof FIELDS)[number], unknown>>;
const MOST_CALLS = 1000;
const OPENS = /^session\/(new|load|resume|fork)$/;

export type Sessions = ReturnType<typeof createSessions>;

/** What an editor and its agent said before a question: who the agent is, where a session works, and its tool calls. */
export function createSessions() {
  const calls = new Map<string, Fields>();
  const folders = new Map<string, string>();
  const opening = new Map<string, string>();
  let agent: string | undefined;
  let version = 1;

  const noteCall = (sessionId: unknown, call: Record<string, unknown>): void => {
    const key = idKey([sessionId, call['toolCallId']]);
    const merged = patched(calls.get(key), call, version);
    calls.delete(key);
    if (call['status'] === 'completed' || call['status'] === 'failed') return;
    calls.set(key, merged);
    const [oldest] = calls.keys();
    if (calls.size > MOST_CALLS && oldest !== undefined) calls.delete(oldest);
  };
  return {
    agent: () => agent,
    folder: (sessionId: string) => folders.get(sessionId),
    /** A call with what was said of it before, where the question does not repeat it. */
    withKnown: (sessionId: string, call: Record<string, unknown>): Record<string, unknown> => ({
      ...call,
      ...patched(calls.get(idKey([sessionId, call['toolCallId']])), call, version),
    }),
    noteEditor({ id, method = '', params }: Message): void {
      const { cwd, sessionId } = params ?? {};
      if (!OPENS.test(method) || typeof cwd !== 'string') return;
      if (typeof sessionId === 'string' && method !== 'session/fork') folders.set(sessionId, cwd);
      else if (isId(id)) opening.set(idKey(id), cwd);
    },
    noteAgent({ id, method, params, result }: Message): void {
      const update = method === 'session/update' ? params?.['update'] : undefined;
      if (isObject(update) && /^tool_call(_update)?$/.test(String(update['sessionUpdate'])))
        return noteCall(params?.['sessionId'], update);
      if (method !== undefined || !isObject(result)) return;
      const cwd = opening.get(idKey(id));
      opening.delete(idKey(id));
      if (cwd !== undefined && typeof result['sessionId'] === 'string') folders.set(result['sessionId'], cwd);
      if (typeof result['protocolVersion'] !== 'number') return;
      version = result['protocolVersion'];
      const info = result['agentInfo'] ?? result['info'];
      if (isObject(info)) agent = displayName(info);
    },
  };
}

/** In v1 a null leaves a member as it was, in v2 it clears it. */
function patched(known: Fields = {}, call: Record<string, unknown>, version: number): Fields {
  const says = (value: unknown): boolean => value !== undefined && (value !== null || version >= 2);
  return Object.fromEntries(FIELDS.map((name) => [name, says(call[name]) ? call[name] : known[name]]));
}
