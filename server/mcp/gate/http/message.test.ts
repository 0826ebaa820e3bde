import { deepStrictEqual } from 'node:assert/strict';
import { test } from 'node:test';
import { errorMessage, parseLoose } from '../../messages.ts';
import { readPosted, type RpcRefusal } from './message.ts';

test('no spelling makes a call of a tool pass as something else, whatever was read before', () => {
  const rest = '"params":{"name":"run","arguments":{}}';
  for (const before of [`"jsonrpc":"2.0","id":1,${rest}`, `${rest},"id":1,"jsonrpc":"2.0"`, `"id":1,${rest}`]) {
    // Once it has read this, JSON.parse of Node 24.21 takes "\u006dethod" in its place for the same name.
    readPosted(Buffer.from(`{${before},"\\\\u006d":"x"}`), {});
    const call = `{${before},"\\u006dethod":"tools/call"}`;
    const posted = readPosted(Buffer.from(call), {});
    deepStrictEqual('code' in posted || posted.message.method === 'tools/call', true, JSON.stringify(posted));
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

const NUL = '\\u0000';
const say = (method: string, more = '') =>
  `{"jsonrpc":"2.0","id":1,"method":"${method}"${more},"params":{"name":"run","arguments":{}}}`;

/** What some parser takes for a call of a tool, or for another message than it is. */
const POISONED = [
  ...[
    `tools/call${NUL}`,
    `${NUL}tools/call`,
    `tools/list${NUL}`,
    'Tools/Call',
    'TOOLS/CALL',
    ' tools/call',
    'tools/call\\n',
    'tools/call\\u00a0',
    '\\ufefftools/call',
    '\uff54ools/call',
    'too\u217cs/call',
    'tool\u017f/call',
    'tools/\u212aall',
    '\u0130tools/call',
    'tools/call\\ud800',
    'tools//call',
    'tools/./call',
    'tools/x/../call',
    'tools/call/',
    '/tools/call',
    'tools\\\\call',
    '',
    'a'.repeat(129),
  ].map((method) => say(method)),
  ...[`method${NUL}`, 'method ', '\\ufeffmethod', 'method\\u00ad', '\\ud800method', 'METHOD', `x${NUL}`].map((name) =>
    say('ping', `,"${name}":"tools/call"`),
  ),
  ...['null', '7', '["tools/call"]', '{}'].map((method) => say('ping').replace('"ping"', method)),
  say('ping', ',"result":{"action":"accept"}'),
  say('tools/call', ',"error":null'),
  say('ping').replace('"id":1', `"id":"a${NUL}"`),
  say('tools/call').replace('"id":1', '"id":1e400'),
  say('tools/call').replace('"id":1', '"id":9007199254740993'),
  say('prompts/get').replace('"run"', `"run${NUL}"`),
  say('tools/call').replace('"arguments":{}', '"arguments":{},"InputResponses":{}'),
  say('tools/call').replace('"arguments":{}', `"arguments":{"a":{"b${NUL}":1}}`),
  `[${say('ping')},${say(`tools/call${NUL}`)}]`,
  '"tools/call"',
  'null',
  '7',
];

test('what any parser may take for a call of a tool is refused as none', () => {
  for (const body of POISONED) {
    const posted = readPosted(Buffer.from(body), {});
    deepStrictEqual('code' in posted && [posted.status, posted.code], [400, -32600], body);
  }
  const named = readPosted(Buffer.from(say('tools/call').replace('"run"', `"run${NUL}"`)), {});
  deepStrictEqual('code' in named && named.code, -32602);
});

test('a method of any spelling that means one thing passes', () => {
  const methods = [
    'tools/list',
    'notifications/tools/list_changed',
    'ui/open-link',
    '$/cancelRequest',
    'x.y/Z_1',
    'a'.repeat(128),
  ];
  for (const method of methods) {
    const posted = readPosted(Buffer.from(say(method)), {});
    deepStrictEqual('code' in posted ? posted : posted.message.method, method);
  }
});

test('a header that names another method than the body is refused for any message', () => {
  const code = (body: string, method: string): unknown => {
    const posted = readPosted(Buffer.from(body), { 'mcp-method': method });
    return 'code' in posted ? posted.code : 'passes';
  };
  deepStrictEqual(
    [
      code(say('tools/list'), 'TOOLS/CALL'),
      code(say('tools/list'), 'tools/list, tools/call'),
      code(`[${say('ping')}]`, 'tools/call'),
      code('{"jsonrpc":"2.0","id":1,"result":{}}', 'tools/call'),
      code(say('tools/list'), ' tools/list '),
    ],
    [-32020, -32020, -32020, -32020, 'passes'],
  );
});

test('a message of more values than anybody means is refused before it is parsed', () => {
  for (const inner of ['[],'.repeat(260_000), '1,'.repeat(260_000), '{"a":1},'.repeat(130_000)]) {
    const posted = readPosted(Buffer.from(`{"jsonrpc":"2.0","id":1,"method":"ping","params":{"a":[${inner}1]}}`), {});
    deepStrictEqual('code' in posted && posted.code, -32600);
  }
});

test('a refusal is told as JSON-RPC writes an error, and with nothing else in it', () => {
  const refused = readPosted(
    Buffer.from('{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{}}'),
    {},
  ) as RpcRefusal;
  deepStrictEqual(JSON.parse(errorMessage(refused)), {
    jsonrpc: '2.0',
    id: 7,
    error: { code: -32602, message: 'Invalid params: a tool has a name of 1 to 200 characters.' },
  });
});
