import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Log } from '../../platform/log.ts';
import { HOP_HEADER, passOn, type Neighbours } from '../../platform/nodes/neighbours.ts';
import type { Commands } from '../open.ts';
import { createPrograms } from './programs.ts';
import { readToolsOf } from './read-tools.ts';
import { createRunning } from './running.ts';
import { sendToProgram } from './upstream.ts';

export type ProgramGatesOptions = {
  log: Log;
  neighbours: Pick<Neighbours, 'id' | 'find'>;
};

/** Gates before programs of this machine. A session lives on the node that made it; the others pass its requests on. */
export function openProgramGates({ log, neighbours }: ProgramGatesOptions): Commands {
  const programs = createPrograms({ log });
  const running = createRunning({ programs, prefix: neighbours.id });
  return {
    async serve({ source }, request, reply, through) {
      if (await passedOn(neighbours, request, reply)) return reply;
      return through({
        send: (gate, outgoing) => sendToProgram(running, gate, source.id, outgoing),
        close: async () => {},
      });
    },
    readTools: readToolsOf(programs),
    stop: () => running.stop(),
  };
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
