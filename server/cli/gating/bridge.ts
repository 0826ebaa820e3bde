import { withElicitation } from '../../gate/elicitation/rounds.ts';
import { isId, isModern, parseLoose, type Id, type Message } from '../../gate/messages.ts';
import { CALL_PACE, createCalls, type CallPace } from './calls.ts';
import { isObject, parsedOf, readClientLine } from './client-line.ts';
import { createElicit } from './elicit.ts';
import { createElicitations } from './elicitations.ts';
import { agentOf, type Deciding } from './hold.ts';
import { createLife, LIFE_PACE, type LifePace } from './life.ts';
import { createTools } from './tools.ts';

type Line = Buffer | string;
export type BridgeOptions = Deciding & {
  toClient: (line: Line) => void;
  toServer: (line: Line) => void;
  pace?: Partial<LifePace & CallPace>;
};
export type Bridge = {
  /** One line of the client, of the server. Neither throws. */
  fromClient(line: Buffer): void;
  fromServer(line: Buffer): void;
  /** The client is gone: takes back all that waits for people; resolves when the hub knows or does not reply. */
  close(): Promise<void>;
};

const INVALID_PARAMS = -32602;
const INTERNAL_ERROR = -32603;

/**
 * The lines between a local client and its MCP server, of whatever revision: all pass byte for byte but
 * tool calls, which pass when they are decided. What can be read in two ways passes not at all.
 */
export function createBridge(options: BridgeOptions): Bridge {
  const { gate, toClient, toServer } = options;
  const pace = { ...LIFE_PACE, ...CALL_PACE, ...options.pace };
  const forPeople = gate.elicitation === 'people';
  const tools = createTools(toServer);
  const life = createLife(toClient, pace);
  const elicitations = createElicitations({ elicit: createElicit(options), life, toClient, toServer });
  let agent: string | undefined;

  const reply = (id: Id | null, body: object): void => toClient(JSON.stringify({ jsonrpc: '2.0', id, ...body }));
  const refuse = (part: unknown, code: number, why: string): void => {
    const id = (part as Message | null)?.id;
    reply(isId(id) ? id : null, { error: { code, message: `${why} (beckon gate)` } });
  };
  const pass = (line: Line, message: Message): void => {
    if (!forPeople) return toServer(line);
    const declared = declaring(line, message);
    elicitations.passing(message, declared.toString());
    toServer(declared);
  };
  const wires = {
    tools,
    life,
    pass,
    reply: (id: Id, result: object) => reply(id, { result }),
    refuse: (message: Message, why: string) => refuse(message, INVALID_PARAMS, why),
    agent: () => agent,
  };
  const calls = createCalls(options, wires, pace);

  const one = (line: Buffer, message: Message): void => {
    const { id, method, params } = message;
    if (method === 'tools/call') {
      const refusal = malformed(params);
      // Without an id nobody would hear what became of it.
      if (!isId(id)) return;
      if (refusal) return refuse(message, INVALID_PARAMS, refusal);
      return calls.hold(id, String(params?.['name']), line, message);
    }
    if (method === 'notifications/cancelled' && (calls.cancel(message) || elicitations.cancel(message))) return;
    if (method === 'initialize') agent = agentOf(message);
    if (method === 'tools/list' && isId(id)) tools.asked(id);
    pass(line, message);
  };

  const readClient = (line: Buffer): void => {
    const read = readClientLine(line);
    if (read.kind === 'message') return one(line, read.message);
    if (read.kind === 'batch') return toServer(line);
    for (const part of read.about) refuse(part, read.code, read.why);
  };
  const readServer = (line: Buffer): void => {
    const parsed = parsedOf(line.toString());
    if (!isObject(parsed)) return toClient(line);
    const message = parsed as Message;
    life.passed(message);
    if (tools.read(message)) return;
    if (forPeople && elicitations.fromServer(message, line.toString(), agent)) return;
    toClient(line);
  };

  return {
    fromClient: guarded(readClient, (line) =>
      refuse(parsedOf(line.toString()), INTERNAL_ERROR, 'This is not passed on: it could not be read.'),
    ),
    // Whatever could not be read of it: a call is nothing that a server sends.
    fromServer: guarded(readServer, toClient),
    async close() {
      await Promise.all([calls.close(), elicitations.close()]);
    },
  };
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

function malformed(params: Message['params']): string | undefined {
  const given = params?.['arguments'];
  if (typeof params?.['name'] !== 'string') return 'A tool call names its tool';
  return given === undefined || isObject(given) ? undefined : 'The arguments of a tool call are an object';
}

/** The client can be asked: people of the hub answer in its place. */
function declaring(line: Line, { method, params }: Message): Line {
  const ofInitialize = method === 'initialize';
  if (!ofInitialize && !isModern({ params: params ?? {} })) return line;
  const message = parseLoose(line.toString()) as Message;
  const own = message.params ?? {};
  if (ofInitialize)
    return JSON.stringify({ ...message, params: { ...own, capabilities: withElicitation(own['capabilities']) } });
  const key = 'io.modelcontextprotocol/clientCapabilities';
  const _meta = { ...own._meta, [key]: withElicitation(own._meta?.[key]) };
  return JSON.stringify({ ...message, params: { ...own, _meta } });
}
