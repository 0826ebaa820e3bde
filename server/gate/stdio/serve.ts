import type { FastifyReply, FastifyRequest } from 'fastify';
import { HOP_HEADER, passOn, type Neighbours } from '../../platform/nodes/neighbours.ts';
import type { GateConfig, Gates } from '../gates.ts';
import type { Headers } from '../http/headers.ts';
import { readPosted } from '../http/message.ts';
import type { Commands } from '../open.ts';
import { paramFaultOf } from './headers.ts';
import { createPrograms } from './programs.ts';
import { readToolsOf } from './read-tools.ts';
import type { Message } from './messages.ts';
import { createRunning, ownerOf, type Running } from './running.ts';
import type { Session } from './session.ts';
import { sendToProgram } from './upstream.ts';

/** Gates before programs of this machine. A session lives on the node that made it; the others pass its requests on. */
export const openProgramGates =
  (neighbours: Pick<Neighbours, 'id' | 'find'>) =>
  ({ log }: Pick<Gates, 'log'>): Commands => {
    const programs = createPrograms({ log });
    const running = createRunning({ programs, prefix: neighbours.id });
    return {
      async serve(visit, request, reply, through) {
        if (await passedOn(neighbours, request, reply)) return reply;
        keepWhile(reply, sessionOf(running, visit, request));
        const refusal = await paramRefusal(running, visit, request);
        if (refusal !== undefined) return reply.code(400).type('application/json').send(refusal);
        return through({
          send: (gate, outgoing) => sendToProgram(running, gate, visit.source.id, outgoing),
          close: async () => {},
        });
      },
      readTools: readToolsOf(programs),
      stop: () => running.stop(),
    };
  };

function sessionOf(running: Running, { gate, source }: Visit, { headers }: FastifyRequest): Session | undefined {
  const id = headers['mcp-session-id'];
  return typeof id === 'string' ? running.find(id, ownerOf(gate, source.id)) : undefined;
}

// A call may wait for its person longer than an idle session lives, and the program does not know of it yet.
function keepWhile({ raw }: FastifyReply, session: Session | undefined): void {
  session?.streams(1);
  raw.once('close', () => session?.streams(-1));
}

type Visit = { gate: GateConfig; source: { id: string } };

/** What a server has to refuse before it looks at a call (2026-07-28): here that is before a person does. */
async function paramRefusal(
  running: Running,
  { gate, source }: Visit,
  { headers, body }: FastifyRequest,
): Promise<string | undefined> {
  const posted = Buffer.isBuffer(body) ? readPosted(body, headers) : undefined;
  if (!posted || 'code' in posted || !posted.modern || !posted.call) return undefined;
  const { name, argsText } = posted.call;
  const tools = await running.shared(gate, ownerOf(gate, source.id)).then(
    (shared) => shared.tools(posted.message as Message),
    // Where no program can be started the call is told so when it is sent.
    () => [],
  );
  const tool = tools.find((one) => one.name === name);
  const error = paramFaultOf(headers as Headers, tool, argsText);
  return error && JSON.stringify({ jsonrpc: '2.0', id: posted.message.id, error });
}

async function passedOn(
  { id, find }: Pick<Neighbours, 'id' | 'find'>,
  { raw, headers, body }: FastifyRequest,
  reply: FastifyReply,
): Promise<boolean> {
  const session = headers['mcp-session-id'];
  const [node = id] = typeof session === 'string' ? session.split('.', 1) : [];
  // One hop, never two: what came from a neighbour already is not sent around.
  if (node === id || headers[HOP_HEADER] !== undefined) return false;
  const url = await find(node);
  if (url === undefined) return false;
  const text = Buffer.isBuffer(body) ? body.toString() : undefined;
  return passOn(raw, reply.raw, { body: text, url, taken: () => void reply.hijack() });
}
