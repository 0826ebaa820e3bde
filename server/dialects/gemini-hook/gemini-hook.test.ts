import { ok } from 'node:assert/strict';
import { test } from 'node:test';
import { geminiHook } from './gemini-hook.ts';

const { read } = geminiHook;

const own = {
  session_id: 's',
  hook_event_name: 'BeforeTool',
  timestamp: '2026-11-24T10:00:00Z',
  tool_name: 'mcp_beckon_send_inquiry',
  tool_input: { prompt: 'Ship?' },
  mcp_context: { server_name: 'beckon', tool_name: 'send_inquiry', url: 'http://127.0.0.1:4275/mcp?deadline=3600' },
};
const at = (url: unknown) => ({ ...own, mcp_context: { ...own.mcp_context, url } });
const FOREIGN: Record<string, object> = {
  "a project's own server of this name": at('http://127.0.0.1:9999/mcp'),
  'one that names the hub in its user part': at('http://127.0.0.1:4275@evil.example/mcp'),
  'one below another path': at('http://127.0.0.1:4275/v1/mcp'),
  'a gate of this hub': at('http://127.0.0.1:4275/mcp/gate/files'),
  'a program': { ...own, mcp_context: { server_name: 'beckon', tool_name: 'send_inquiry', command: 'beckon' } },
  'one of which nothing is told': { ...own, mcp_context: undefined },
  'a server of another name': { ...own, mcp_context: { ...own.mcp_context, server_name: 'other' } },
  'a tool that is not ours': {
    ...own,
    tool_name: 'mcp_beckon_run',
    mcp_context: { ...own.mcp_context, tool_name: 'run' },
  },
  'a tool that runs as another one': { ...own, tool_name: 'run_shell_command' },
};

for (const [what, event] of Object.entries(FOREIGN))
  test(`[DIA5] the hook lets nothing by unasked: ${what}`, () => {
    ok('asks' in read(event, { host: '127.0.0.1:4275' }));
  });

test('[DIA5] without the address under which it was called the hub takes no server for its own', () => {
  ok('asks' in read(own, {}));
  ok('pass' in read(own, { host: '127.0.0.1:4275' }));
});
