import { isUtf8 } from 'node:buffer';
import { isObject } from '../../dialects/body.ts';
import { parseOrNothing } from '../../mcp/json-text.ts';
import { idKey, isId, type Id, type Message } from '../../mcp/messages.ts';
import { createAsking, type AskPeople } from './asking.ts';
import { createLines, LINE_BYTES } from './lines.ts';
import { createSessions } from './session.ts';

export type ProxyOptions = {
  toEditor: (bytes: Buffer) => void;
  toAgent: (bytes: Buffer) => void;
  ask: AskPeople;
  /** Tells whoever runs this. */
  say: (sentence: string) => void;
  max?: number;
};

const ASKS = ['session/request_permission', 'elicitation/create'];
const ENDS = ['session/cancel', 'session/close'];

/**
 * The bytes between an editor and an ACP agent, v1 and the draft of v2, as they come. What the agent asks its user
 * people are asked too: the first answer is the agent's, and only the reply of an editor that came later does not pass (DIA6).
 */
export function createProxy({ toEditor, toAgent, ask, say, max = LINE_BYTES }: ProxyOptions) {
  const sessions = createSessions();
  const asking = createAsking({
    ask,
    sessions,
    say,
    decided(id, result) {
      fromEditor.insert({ jsonrpc: '2.0', id, result });
      fromAgent.insert({ jsonrpc: '2.0', method: '$/cancel_request', params: { requestId: id } });
    },
  });
  const seeAgent = (message: Message, line: Buffer): boolean => {
    const { id, method = '', params } = message;
    if (ASKS.includes(method) && isSure(id) && isUtf8(line)) asking.begin(id, method, line.toString());
    else if (method === '$/cancel_request')
      asking.takeBack(idKey(params?.['requestId']), 'The agent took its question back.');
    else sessions.noteAgent(message);
    return true;
  };
  const seeEditor = (message: Message): boolean => {
    const { method, params } = message;
    if (method === undefined) return asking.editorReplied(message);
    if (ENDS.includes(method)) asking.endSession(params?.['sessionId'], 'Cancelled in the editor.');
    sessions.noteEditor(message);
    return true;
  };
  const fromAgent = createLines(toEditor, { max, passes: looking(seeAgent) });
  const fromEditor = createLines(toAgent, { max, passes: looking(seeEditor) });
  return {
    fromAgent: fromAgent.push,
    fromEditor: fromEditor.push,
    /** The editor wrote all that it ever will. */
    editorEnded: fromEditor.end,
    /** The agent wrote all that it ever will: takes back what waits. */
    async close(): Promise<void> {
      fromAgent.end();
      await asking.close();
    },
  };
}

/** Looks into a line; what is no message passes. */
function looking(see: (message: Message, line: Buffer) => boolean): (line: Buffer) => boolean {
  return (line) => {
    const message = parseOrNothing(line.toString());
    return isObject(message) ? see(message as Message, line) : true;
  };
}

/** Programs read other numbers differently. */
function isSure(id: unknown): id is Id {
  return isId(id) && (typeof id === 'string' || Number.isSafeInteger(id));
}
