import { randomUUID } from 'node:crypto';
import { JsonError } from '#shared/json.ts';
import { readArgsText, isModern, withArguments, type Id, type Message } from '../../mcp/messages.ts';
import { STOPPING_META } from '../../mcp/endpoint/result.ts';

const PROTOCOL = 'io.modelcontextprotocol/protocolVersion';

/** A request of the client on its way: what was sent, and what has come back. */
export function createRequest(message: Message & { id: Id; method: string }, text: string) {
  const { id, method } = message;
  const modern = isModern(message);
  let answered = false;
  let progress = -1;
  return {
    id,
    method,
    text: repeatable(message, text),
    /** The headers that this message needs by itself. */
    headers: { ...(modern ? modernHeaders(message) : {}), ...(asks(message) ? { 'beckon-call': callId() } : {}) },
    modern,
    /** Aborted when the client no longer wants it. */
    gone: new AbortController(),
    answered: () => answered,
    /** What of the hub's words goes on to the client; undefined: the hub is stopping, so the call is to be made again. */
    pass(said: string): string | undefined {
      const heard = JSON.parse(said) as Message;
      if (heard.method === undefined && heard.id === id) {
        if ((heard.result?.['_meta'] as Record<string, unknown> | undefined)?.[STOPPING_META]) return undefined;
        answered = true;
      }
      const count = heard.method === 'notifications/progress' ? heard.params?.['progress'] : undefined;
      if (typeof count !== 'number') return said;
      // A call that was made again counts anew; to the client progress only goes up.
      if (count > progress) {
        progress = count;
        return said;
      }
      progress += 1;
      return JSON.stringify({ ...heard, params: { ...heard.params, progress } });
    },
  };
}
export type Request = ReturnType<typeof createRequest>;

const PROCESS = randomUUID();
let calls = 0;

/** Names a call of this process, the same each time it is sent: by this the hub finds its inquiry again (ASK5). */
function callId(): string {
  return `${PROCESS} ${(calls += 1)}`;
}

function asks({ method, params }: Message): boolean {
  return method === 'tools/call' && params?.['name'] === 'send_inquiry';
}

/** Members that make a second sending of the same call harmless; an inquiry is found again by the id of its call. */
const REPEATS: Record<string, string> = { send_notice: 'key', answer_inquiry: 'answerId' };

function repeatable({ method, params }: Message, text: string): string {
  const member = method === 'tools/call' ? REPEATS[String(params?.['name'])] : undefined;
  const given = params?.['arguments'];
  if (member === undefined || typeof given !== 'object' || given === null || Object.hasOwn(given, member)) return text;
  try {
    const rest = readArgsText(text).trim().slice(1);
    const first = `{"${member}":"${randomUUID()}"`;
    return withArguments(text, `${first}${rest.trimStart().startsWith('}') ? '' : ','}${rest}`);
  } catch (error) {
    // Read in two ways: the hub says so.
    if (error instanceof JsonError) return text;
    throw error;
  }
}

/** What a modern request says in its headers too, or is refused (SEP-2243). */
function modernHeaders({ method = '', params }: Message): Record<string, string> {
  const named = params?.['name'] ?? params?.['uri'] ?? params?.['taskId'];
  return {
    'mcp-protocol-version': String(params?._meta?.[PROTOCOL]),
    'mcp-method': method,
    ...(typeof named === 'string' ? { 'mcp-name': encodeHeader(named) } : {}),
  };
}

function encodeHeader(value: string): string {
  const plain = /^[\x21-\x7e]+(?: [\x21-\x7e]+)*$/.test(value) && !value.startsWith('=?base64?');
  return plain ? value : `=?base64?${Buffer.from(value).toString('base64')}?=`;
}
