import { deepStrictEqual } from 'node:assert/strict';
import { test } from 'node:test';
import type { Message } from '../../mcp/messages.ts';
import { createElicitations } from './elicitations.ts';
import { createLife } from './life.ts';

test('an unforeseen error ends what was asked, and nothing else', async () => {
  const [toClient, toServer]: [string[], string[]] = [[], []];
  const elicitations = createElicitations({
    elicit: () => Promise.reject(new TypeError('unforeseen')),
    life: createLife((line) => void toClient.push(line)),
    toClient: (line) => void toClient.push(line),
    toServer: (line) => void toServer.push(line),
    say: () => {},
  });
  const call: Message = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { _meta: { progressToken: 1 } } };
  elicitations.passing(call, JSON.stringify(call));
  const inputRequests = { where: { method: 'elicitation/create', params: {} } };
  const round: Message = { jsonrpc: '2.0', id: 1, result: { resultType: 'input_required', inputRequests } };
  const question: Message = { jsonrpc: '2.0', id: 5, method: 'elicitation/create' };
  deepStrictEqual(
    [round, question].map((message) => elicitations.fromServer(message, JSON.stringify(message), undefined)),
    [true, true],
  );
  await elicitations.close();
  const failed = (id: number) => ({
    jsonrpc: '2.0',
    id,
    error: { code: -32603, message: 'Something unforeseen kept people from being asked. (beckon gate)' },
  });
  const answers = (lines: string[]) =>
    lines.map((line) => JSON.parse(line) as Message).filter(({ method }) => method === undefined);
  deepStrictEqual([answers(toClient), answers(toServer)], [[failed(1)], [failed(5)]]);
});
