import { Client, type JSONRPCMessage, type Transport } from '@modelcontextprotocol/client';
import type { ReadTools } from '../catalogue.ts';
import type { GateConfig } from '../gates.ts';
import type { Child } from './child.ts';
import type { Programs } from './programs.ts';
import { readLine } from './session.ts';

const LIMIT_MS = 10_000;

/** Reads the tools of a program by starting it for that alone, in whichever era it speaks. Throws within 10 s what keeps it from that. */
export function readToolsOf(programs: Programs): ReadTools {
  return async (gate) => {
    const limit = AbortSignal.timeout(LIMIT_MS);
    // Some programs have a tool only for clients that can do what it needs.
    const capabilities = { elicitation: { form: {}, url: {} }, sampling: {}, roots: {} };
    const client = new Client(
      { name: 'beckon-gate', version: '1' },
      { capabilities, versionNegotiation: { mode: 'auto' } },
    );
    client.setRequestHandler('roots/list', () => ({ roots: [] }));
    try {
      await client.connect(programTransport(programs, gate), { timeout: LIMIT_MS });
      return (await client.listTools(undefined, { timeout: LIMIT_MS, signal: limit })).tools;
    } catch (error) {
      throw new Error(
        limit.aborted ? `no reply in ${LIMIT_MS / 1000} s` : (error as Error).message.replace(/\.$/, ''),
        {
          cause: error,
        },
      );
    } finally {
      await client.close().catch(() => {});
    }
  };
}

function programTransport(programs: Programs, gate: GateConfig): Transport {
  let child: Child | undefined;
  const transport: Transport = {
    async start() {
      child = programs.start(gate, undefined, (line) => {
        const message = readLine(line);
        if (message) transport.onmessage?.(message as JSONRPCMessage);
      });
      void child.ended.then(({ sentence }) => {
        transport.onerror?.(new Error(sentence));
        transport.onclose?.();
      });
    },
    async send(message) {
      child?.send(JSON.stringify(message));
    },
    async close() {
      await child?.end();
    },
  };
  return transport;
}
