import { isMisread } from '#shared/json.ts';
import { takeOver } from '../../mcp/gate/elicitation/asking.ts';
import {
  clientName,
  errorMessage,
  faultOfCall,
  INTERNAL_ERROR,
  INVALID_PARAMS,
  INVALID_REQUEST,
  isId,
  isObject,
  readMessages,
  type Id,
  type Message,
  type Read,
} from '../../mcp/messages.ts';
import { parseOrNothing } from '../../mcp/json-text.ts';
import { CLIENT_PACE, type ClientPace } from '../../mcp/hold.ts';
import { createCalls } from './calls.ts';
import { createEdits } from './edits.ts';
import { createElicitations, DROPPED } from './elicitations.ts';
import { createLife, LIFE_PACE, type LifePace } from './life.ts';
import { createElicit, type Deciding } from './people.ts';
import { createTools } from './tools.ts';

type Line = Buffer | string;
export type BridgeOptions = Deciding & {
  toClient: (line: Line) => void;
  toServer: (line: Line) => void;
  /** Tells whoever runs this. */
  say: (sentence: string) => void;
  pace?: Partial<LifePace & ClientPace>;
};
const NO_BATCH = 'It is a batch, and people answer in the place of the client.';

/**
 * The lines between a local client and its MCP server, of whatever revision: all pass byte for byte but
 * tool calls, which pass when they are decided. What can be read in two ways passes not at all.
 */
export function createBridge(options: BridgeOptions) {
  const { gate, toClient, toServer } = options;
  const pace = { ...LIFE_PACE, ...CLIENT_PACE, ...options.pace };
  const forPeople = gate.elicitation === 'people';
  const tools = createTools(toServer);
  const life = createLife(toClient, pace);
  const edits = createEdits();
  const elicitations = createElicitations({
    elicit: createElicit(options),
    life,
    toClient: (line) => toClient(edits.tell(line)),
    toServer,
    say: options.say,
  });
  let agent: string | undefined;

  const refuse = (part: unknown, code: number, why: string): void => {
    const id = (part as Message | null)?.id;
    toClient(errorMessage({ id: isId(id) ? id : null, code, message: `${why} (beckon gate)` }));
  };
  const pass = (line: Line, message: Message): void => {
    if (!forPeople) return toServer(line);
    if (message.method === undefined) return elicitations.answer(message, line.toString());
    const own = takeOver({ text: line.toString(), message });
    if (own.dropped) options.say(DROPPED);
    elicitations.passing(own.message, own.text);
    toServer(own.text);
  };
  const reply = (id: Id, result: object): void => toClient(JSON.stringify({ jsonrpc: '2.0', id, result }));
  const calls = createCalls(options, { tools, life, pass, edited: edits.add, reply, refuse, agent: () => agent }, pace);

  const one = (line: Buffer, message: Message): void => {
    const { id, method } = message;
    if (method === 'tools/call') {
      const refusal = faultOfCall(message);
      // Without an id nobody would hear what became of it.
      if (!isId(id)) return;
      edits.forget(id);
      if (refusal) return refuse(message, INVALID_PARAMS, `Invalid params: ${refusal}`);
      return calls.hold(id, line, message);
    }
    if (method === 'notifications/cancelled') edits.forget(message.params?.['requestId']);
    if (method === 'notifications/cancelled' && (calls.cancel(message) || elicitations.cancel(message))) return;
    if (method === 'initialize') agent = clientName(message);
    if (method === 'tools/list' && isId(id)) tools.asked(id);
    pass(line, message);
  };

  const readClient = (line: Buffer): void => {
    const read = readLine(line, forPeople);
    if ('code' in read) for (const part of read.about) refuse(part, read.code, `This is not passed on. ${read.why}`);
    else if (read.batch) toServer(line);
    else one(line, read.messages[0]);
  };
  const readServer = (line: Buffer): void => {
    const parsed = parseSafely(line.toString());
    // A request in a batch would reach the client without having been seen.
    if (forPeople && Array.isArray(parsed) && parsed.some(isRequest)) return;
    if (!isObject(parsed)) return toClient(line);
    const message = parsed as Message;
    life.notePassing(message);
    if (tools.read(message)) return;
    if (forPeople && elicitations.fromServer(message, line.toString(), agent)) return;
    toClient(edits.tell(line, message));
  };

  return {
    /** One line of the client, of the server. Neither throws. */
    fromClient: guarded(readClient, (line) =>
      refuse(parseSafely(line.toString()), INTERNAL_ERROR, 'This is not passed on: it could not be read.'),
    ),
    // Whatever could not be read of it: a call is nothing that a server sends.
    fromServer: guarded(readServer, toClient),
    /** The client is gone: takes back all that waits for people; resolves when the hub knows or does not reply. */
    close: async () => void (await Promise.all([calls.close(), elicitations.close()])),
  };
}

function readLine(line: Buffer, forPeople: boolean): Read {
  const read = readMessages(line);
  if ('code' in read) return read;
  // Some programs take it for the end of a line.
  const odd = read.text.trimEnd().includes('\r') ? 'It holds a carriage return.' : undefined;
  const why = odd ?? (read.batch && forPeople ? NO_BATCH : undefined);
  return why === undefined ? read : { code: INVALID_REQUEST, why, about: read.messages };
}

function isRequest(value: unknown): boolean {
  return isObject(value) && 'method' in value && 'id' in value;
}

function guarded(read: (line: Buffer) => void, otherwise: (line: Buffer) => void): (line: Buffer) => void {
  return (line) => {
    try {
      read(line);
    } catch {
      otherwise(line);
    }
  };
}

function parseSafely(text: string): unknown {
  const value = parseOrNothing(text);
  return value === undefined || isMisread(text, value) ? undefined : value;
}
