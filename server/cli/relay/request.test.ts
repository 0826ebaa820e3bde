import { deepStrictEqual, match, strictEqual } from 'node:assert/strict';
import { test } from 'node:test';
import type { Message } from '../../mcp/messages.ts';
import { createRequest } from './request.ts';

const ENVELOPE = { 'io.modelcontextprotocol/protocolVersion': '2026-07-28' };

function request(method: string, params: object, text?: string) {
  const message = { jsonrpc: '2.0', id: 7, method, params } as Message & { id: number; method: string };
  return createRequest(message, text ?? JSON.stringify(message));
}
const call = (name: string, args: string) =>
  request(
    'tools/call',
    { name, arguments: JSON.parse(args) as object },
    `{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"${name}","arguments":${args}}}`,
  );

test('a call that is made again does its work once, and stands byte for byte as it was otherwise', () => {
  const big = '{"inquiryId":"inq_1","decisions":[{"type":"edit","args":{"id":9007199254740993}}]}';
  match(
    call('answer_inquiry', big).text,
    /"arguments":\{"answerId":"[0-9a-f-]{36}","inquiryId":"inq_1","decisions":\[\{"type":"edit","args":\{"id":9007199254740993\}\}\]\}\}\}$/,
  );
  match(call('send_notice', '{ }').text, /"arguments":\{"key":"[0-9a-f-]{36}" ?\}\}\}$/);
  for (const untouched of [
    call('send_notice', '{"key":"mine","title":"x"}'),
    call('answer_inquiry', '{"answerId":"mine"}'),
    call('send_inquiry', '{"prompt":"x"}'),
  ])
    strictEqual(/[0-9a-f]{8}-[0-9a-f]{4}-/.test(untouched.text), false);
});

test('a modern request says in its headers what its body says', () => {
  const headers = (method: string, params: object) => {
    const { 'beckon-call': _named, ...said } = request(method, { ...params, _meta: ENVELOPE }).headers;
    return said;
  };
  deepStrictEqual(
    [
      headers('tools/call', { name: 'send_inquiry' }),
      headers('tasks/get', { taskId: 'inq_1' }),
      headers('tools/call', { name: '询问' }),
      headers('tools/list', {}),
      request('tools/list', {}).headers,
    ],
    [
      { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/call', 'mcp-name': 'send_inquiry' },
      { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tasks/get', 'mcp-name': 'inq_1' },
      { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/call', 'mcp-name': '=?base64?6K+i6Zeu?=' },
      { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/list' },
      {},
    ],
  );
});

test('[ASK5] each call that asks has an id of its own beside it, and no other message has one', () => {
  const named = (method: string, params: object) => request(method, params).headers['beckon-call'];
  const ids = [1, 2].map(() => named('tools/call', { name: 'send_inquiry' }) ?? '');
  for (const id of ids) match(id, /^[0-9a-f-]{36} \d+$/);
  strictEqual(new Set(ids).size, 2);
  deepStrictEqual([named('tools/call', { name: 'get_answer' }), named('tools/list', {})], [undefined, undefined]);
});

test('progress only goes up, though a second sending counts anew', () => {
  const sent = request('tools/call', { name: 'send_inquiry' });
  const frame = (progress: number) =>
    JSON.stringify({ jsonrpc: '2.0', method: 'notifications/progress', params: { progressToken: 1, progress } });
  const heard = [0, 1, 2, 0, 1, 9].map((progress) => JSON.parse(sent.pass(frame(progress)) ?? '') as Message);
  deepStrictEqual(
    heard.map(({ params }) => params?.['progress']),
    [0, 1, 2, 3, 4, 9],
  );
});

test('the reply of a hub that stops is kept from the client, any other is the answer', () => {
  const sent = request('tools/call', { name: 'send_inquiry' });
  const reply = (id: number, result: object) => JSON.stringify({ jsonrpc: '2.0', id, result });
  strictEqual(sent.pass(reply(7, { _meta: { 'dev.beckon/stopping': true } })), undefined);
  strictEqual(sent.answered(), false);
  const other = reply(8, {});
  strictEqual(sent.pass(other), other);
  strictEqual(sent.answered(), false);
  const own = '{"jsonrpc":"2.0","id":7,"result":{"big":9007199254740993}}';
  strictEqual(sent.pass(own), own);
  strictEqual(sent.answered(), true);
});
