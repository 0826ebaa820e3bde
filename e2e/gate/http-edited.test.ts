import { deepStrictEqual } from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { after, before, describe, test } from 'node:test';
import { connectClient } from '../mcp/clients.ts';
import { legacyCall, modernCall, modernHeaders, sendRaw } from './raw.ts';
import { openScene, type Scene } from './scene.ts';

const START = '{"jsonrpc":"2.0", "id":7,"result":{"structuredContent":{"n":9007199254740993},"content":[';
const PAID = '{"type":"text","text":"paid"}';
const TOLD = String.raw`{"type":"text","text":"A person changed the arguments before this ran: {\"n\":12345678901234567890,\"m\":2.50}"}`;
const REST = '],"isError":true,"resultType":"complete"}}';
const ERROR = '{"jsonrpc":"2.0", "id":7,"error":{"code":-32602,"message":"no","data":{"content":[]}}}';
const WORKING = ': working\n\nid: up-1\nevent: message\ndata: {"jsonrpc":"2.0","method":"notifications/message"}\n\n';
const BATCH = 'data: [{"jsonrpc":"2.0","id":"s1","method":"ping"}]\n\n';

/** What the tool of this name is answered with, byte for byte. */
const REPLIES: Record<string, string> = {
  whole: START + PAID + REST,
  empty: START + REST,
  error: ERROR,
  stream: `${WORKING}${BATCH}id: up-2\ndata: ${START}\ndata: ${PAID}${REST}\n\n`,
};
const EDITED: Record<string, string> = {
  whole: `${START}${PAID},${TOLD}${REST}`,
  empty: START + TOLD + REST,
  error: ERROR,
  stream: `${WORKING}${BATCH}id: up-2\ndata: ${START}\ndata: ${PAID},${TOLD}${REST}\n\n`,
};

/** An MCP server that answers its tools with these very bytes, on a free loopback port. */
async function startExact() {
  const server = createServer((request, response) => {
    void request.toArray().then((pieces) => {
      const text = Buffer.concat(pieces as Buffer[]).toString();
      const { id, params } = JSON.parse(text || '{}') as { id?: unknown; params?: { name?: string } };
      const name = params?.name ?? '';
      response.writeHead(200, { 'content-type': name === 'stream' ? 'text/event-stream' : 'application/json' });
      const none = { jsonrpc: '2.0', id, error: { code: -32601, message: 'none' } };
      response.end(REPLIES[name] ?? JSON.stringify(none));
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as { port: number }).port}/mcp`,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}

describe('what a person changed in a call is told beside its result', { timeout: 120_000 }, () => {
  let scene: Scene;
  let exact: Awaited<ReturnType<typeof startExact>>;
  let url: string;
  before(async () => {
    exact = await startExact();
    scene = await openScene();
    url = await scene.gate('exact', { upstream: { url: exact.url }, otherwise: 'ask' });
  });
  after(async () => {
    await scene?.remove();
    exact?.close();
  });

  const edit = { type: 'edit', argsText: '{"n":12345678901234567890, "m":2.50}' };
  const eras = {
    'of 2026-07-28': (name: string) =>
      sendRaw(url, modernCall(name, '{"n":1}'), { key: scene.key, headers: modernHeaders(name) }),
    'of an older client': (name: string) => sendRaw(url, legacyCall(name, '{"n":1}'), { key: scene.key }),
  };
  /** What of a reply is the upstream's: the gate may have begun a stream of its own before it, in which a message is an event. */
  const from = (name: string, reply: string) =>
    name === 'stream' ? reply.slice(reply.indexOf(': working')) : /\{"jsonrpc":"2.0", "id":7.*/.exec(reply)?.[0];

  for (const [era, send] of Object.entries(eras)) {
    for (const name of Object.keys(REPLIES)) {
      test(`the reply "${name}" to a call ${era} gains this alone, and nothing where the call was approved as it is`, async () => {
        const edited = send(name);
        await scene.decide((await scene.held())[0], edit);
        const told = from(name, await (await edited).text);
        const approved = send(name);
        await scene.decide((await scene.held())[0], { type: 'approve' });
        deepStrictEqual([told, from(name, await (await approved).text)], [EDITED[name], REPLIES[name]]);
      });
    }
  }

  test('in the language of the gate’s other words', async () => {
    const client = await connectClient(`${scene.url}?locale=zh`, scene.key);
    const edited = client.call('write_note', { path: 'a' });
    await scene.decide((await scene.held())[0], { type: 'edit', args: { path: 'b' } });
    deepStrictEqual((await edited).content, [
      { type: 'text', text: 'Wrote b' },
      { type: 'text', text: '这次调用执行前，有人修改了参数：{"path":"b"}' },
    ]);
    await client.close();
  });
});
