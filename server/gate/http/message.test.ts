import { deepStrictEqual } from 'node:assert/strict';
import { test } from 'node:test';
import { readClientLine } from '../../cli/gating/client-line.ts';
import { parseLoose } from '../messages.ts';
import { readPosted } from './message.ts';

test('no spelling makes a call of a tool pass as something else, whatever was read before', () => {
  const rest = '"params":{"name":"run","arguments":{}}';
  for (const before of [`"jsonrpc":"2.0","id":1,${rest}`, `${rest},"id":1,"jsonrpc":"2.0"`, `"id":1,${rest}`]) {
    // Once it has read this, JSON.parse of Node 24.21 takes "\u006dethod" in its place for the same name.
    readPosted(Buffer.from(`{${before},"\\\\u006d":"x"}`), {});
    const call = `{${before},"\\u006dethod":"tools/call"}`;
    const posted = readPosted(Buffer.from(call), {});
    deepStrictEqual('code' in posted || posted.call?.name === 'run', true, JSON.stringify(posted));
    const line = readClientLine(Buffer.from(call));
    deepStrictEqual(line.kind === 'refused' || (line.kind === 'message' && line.message.method === 'tools/call'), true);
    let loose: unknown;
    try {
      loose = parseLoose(call);
    } catch {
      continue;
    }
    deepStrictEqual((loose as { method?: string }).method, 'tools/call');
  }
});

test('no spelling shows a person another name than the one that runs, or hides it behind another', () => {
  readPosted(Buffer.from('{"params":{"arguments":{"path":"x","\\\\u0063o":1}}}'), {});
  const args = ['{"path":"x","\\u0063ommand":"rm"}', '{"path":"x","\\u0063ommand":"rm","\\\\u0063o":"ls"}'];
  for (const text of args) {
    const call = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"run","arguments":${text}}}`;
    const posted = readPosted(Buffer.from(call), {});
    const shown = 'code' in posted ? undefined : (posted.message.params?.['arguments'] as { command?: unknown });
    deepStrictEqual(shown === undefined || shown.command === 'rm', true, JSON.stringify(posted));
  }
});
