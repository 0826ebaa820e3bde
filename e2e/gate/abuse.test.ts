import { deepStrictEqual } from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { after, before, describe, test } from 'node:test';
import type { Problem } from '#shared/problem.ts';
import { call, must } from '../hub/call.ts';
import { startEndpoint } from '../hub/endpoint.ts';
import { connectClient } from '../mcp/clients.ts';
import { legacyCall, messagesOf, modernCall, modernHeaders, openSession, resultOf, sendRaw } from './raw.ts';
import { openScene, type Scene } from './scene.ts';

const ARGS = '{"path":"a"}';
const times = (count: number, text: string): string[] => Array.from({ length: count }, () => text);

describe('a gate is not talked round', { timeout: 120_000 }, () => {
  let scene: Scene;
  before(async () => {
    scene = await openScene();
  });
  after(async () => {
    await scene?.remove();
  });

  /** How the gate refuses these bytes: the status and the JSON-RPC code, or the problem's. */
  async function refusal(
    body: string | Buffer,
    headers: Record<string, string> = {},
    key = scene.key,
  ): Promise<string> {
    const { status, text } = await sendRaw(scene.url, body, { key, headers });
    const said = JSON.parse(await text) as { error?: { code: number }; code?: string };
    return `${status} ${said.error?.code ?? said.code}`;
  }
  const modern = modernHeaders('write_note');

  test('what is no JSON, or can be read in two ways, is refused', async () => {
    const twice = legacyCall('read_note', ARGS).replace('"name":', '"name":"write_note","name":');
    const met = [
      await refusal('{"jsonrpc":'),
      await refusal(''),
      await refusal(Buffer.from([0x7b, 0xff, 0x7d])),
      await refusal('\ufeff{}'),
      await refusal(twice),
      await refusal(legacyCall('read_note', ARGS).replace('"name":', '"Name":"write_note","name":')),
      await refusal(legacyCall('write_note', ARGS).replace('"method":', '"Method":')),
      await refusal('{"jsonrpc":"2.0","id":1,"method":"ping","Method":"tools/call","params":{}}'),
      await refusal(legacyCall('write_note', '{"path":"shown","path":"run"}')),
      await refusal(legacyCall('write_note', '{"a":{"path":1,"\\u0070ath":2}}')),
      // Go takes U+017F for an s.
      await refusal(legacyCall('read_note', ARGS).replace(/\}$/, ',"param\u017f":{"name":"write_note"}}')),
      await refusal(legacyCall('write_note', ARGS).replace('"arguments":', '"argument\u017f":{},"arguments":')),
      await refusal(`{"jsonrpc":"2.0","id":1,"method":"ping","params":${'['.repeat(200)}${']'.repeat(200)}}`),
    ];
    deepStrictEqual(met, [...times(4, '400 -32700'), ...times(9, '400 -32600')]);
  });

  test('a number of a thousand digits hides no arguments, and edited ones take their place', async () => {
    const digits = '1'.repeat(1500);
    const body = modernCall('write_note', ARGS).replace('"arguments":', `"x":${digits},"arguments":`);
    const sent = sendRaw(scene.url, body, { key: scene.key, headers: modern });
    const [inquiry] = await scene.held();
    deepStrictEqual(inquiry?.actions?.[0]?.args, { path: 'a' });
    await scene.decide(inquiry, { type: 'edit', args: { path: 'edited' } });
    await (
      await sent
    ).text;
    deepStrictEqual(scene.upstream.ran.splice(0), [{ name: 'write_note', args: { path: 'edited' } }]);
    deepStrictEqual(scene.upstream.calls.at(-1)?.text, body.replace(ARGS, '{"path":"edited"}'));
  });

  test('a call of a tool in a batch, without an id or with odd params is refused', async () => {
    const one = legacyCall('write_note', ARGS);
    const met = [
      await refusal(`[${one}]`),
      await refusal(`[{"jsonrpc":"2.0","id":1,"method":"ping"},[${one}]]`),
      await refusal(one.replace('"id":7,', '')),
      await refusal(one.replace('"write_note"', '7')),
      await refusal(one.replace('"write_note"', '"a\\u0000b"')),
      await refusal(one.replace('"write_note"', JSON.stringify('x'.repeat(201)))),
      await refusal(legacyCall('write_note', '["a"]')),
      await refusal(legacyCall('write_note', 'null')),
    ];
    deepStrictEqual(met, [...times(3, '400 -32600'), ...times(5, '400 -32602')]);
  });

  test('headers that say something else than the body are refused, whatever the revision', async () => {
    const one = modernCall('write_note', ARGS);
    const met = [
      await refusal(one, { ...modern, 'mcp-name': 'read_note' }),
      await refusal(one, { ...modern, 'mcp-method': 'tools/list' }),
      await refusal(one, { ...modern, 'mcp-protocol-version': '2025-11-25' }),
      await refusal(one, {}),
      await refusal(one, { ...modern, 'mcp-name': '=?base64?cmVhZF9ub3Rl?=' }),
      await refusal(legacyCall('write_note', ARGS), { 'mcp-name': 'read_note' }),
      await refusal('{"jsonrpc":"2.0","id":1,"method":"ping"}', { 'mcp-method': 'tools/call' }),
      await refusal(legacyCall('write_note', ARGS), { 'mcp-protocol-version': '2026-07-28' }),
    ];
    deepStrictEqual(met, [...times(7, '400 -32020'), '400 -32602']);
  });

  test('what is too large or packed is refused', async () => {
    const huge = legacyCall('write_note', JSON.stringify({ path: 'x'.repeat(4_194_304) }));
    const { status, text } = await sendRaw(scene.url, huge, { key: scene.key, announce: true });
    const met = [
      `${status} ${(JSON.parse(await text) as Problem).code}`,
      await refusal(legacyCall('write_note', ARGS), { 'content-type': 'text/plain' }),
      await refusal(legacyCall('write_note', ARGS), { 'content-type': 'application/json; charset=utf-16' }),
      await refusal(legacyCall('write_note', ARGS), { 'content-encoding': 'gzip' }),
      await refusal(legacyCall('write_note', ARGS), {
        'content-type': 'application/json; charset=utf-8; charset=utf-7',
      }),
      await refusal(legacyCall('write_note', ARGS), { 'content-type': 'application/json; charset = utf-16' }),
    ];
    deepStrictEqual(met, ['413 request.too_large', ...times(5, '415 request.unsupported_media')]);
  });

  test('what a person cannot be shown does not run', async () => {
    const session = await openSession(scene.url, scene.key);
    const texts = [];
    for (const args of [`{"path":${'['.repeat(70)}${']'.repeat(70)}}`, '{"path":"\\u0000"}', '{"__proto__":1}'])
      texts.push(
        resultOf(
          await (
            await sendRaw(scene.url, legacyCall('write_note', args), { key: scene.key, headers: session })
          ).text,
        ),
      );
    const long = legacyCall('write_note', JSON.stringify({ path: 'x'.repeat(300_000) }));
    texts.push(resultOf(await (await sendRaw(scene.url, long, { key: scene.key, headers: session })).text));
    deepStrictEqual(texts, [
      'The call was not run: a person cannot be shown it. The JSON nests deeper than 64 levels.',
      'The call was not run: a person cannot be shown it. A text contains the character U+0000.',
      'The call was not run: a person cannot be shown it. A member may not be named "__proto__".',
      'The call was not run: nobody could be asked. The arguments are longer than a person can be shown (256 KiB).',
    ]);
  });

  test('a message that cannot be read as what the gate has to change in it is refused', async () => {
    const url = await scene.gate('asking', { elicitation: 'people' });
    const sent = await sendRaw(url, '{"jsonrpc":"2.0","id":1,"method":"initialize","params":7}', { key: scene.key });
    deepStrictEqual(
      [sent.status, JSON.parse(await sent.text)],
      [
        400,
        {
          jsonrpc: '2.0',
          id: 1,
          error: {
            code: -32600,
            message: 'Invalid request: The member "params.capabilities.elicitation" cannot be put into this message.',
          },
        },
      ],
    );
  });

  test('a client that takes no stream is told so before anybody is asked', async () => {
    const met = await refusal(modernCall('write_note', ARGS), { ...modern, accept: 'application/json' });
    deepStrictEqual(met, '406 -32000');
    await scene.held(0);
  });

  test('a call whose people are not to be asked by this source does not run', async () => {
    await must(scene.hub, 'POST /v1/people', { token: scene.owner.token, body: { handle: 'other' } });
    const url = await scene.gate('foreign', { to: ['other'] });
    const got = await sendRaw(url, modernCall('write_note', ARGS), { key: scene.key, headers: modern });
    const { result } = messagesOf(await got.text).at(-1) ?? {};
    deepStrictEqual(
      [result?.isError, result?.content[0]?.text.startsWith('The call was not run: nobody could be asked.')],
      [true, true],
    );
  });

  test('[SEC1] a gate is for sources, for those it names, and for no page of elsewhere', async () => {
    await scene.gate('closed', { sources: [scene.sourceId] });
    const at = async (name: string, key: string, headers: Record<string, string> = {}) => {
      const got = await sendRaw(`${scene.hub.url}/mcp/gate/${name}`, modernCall('read_note', ARGS), {
        key,
        headers: { ...modernHeaders('read_note'), ...headers },
      });
      const text = await got.text;
      return got.status === 200 ? '200' : `${got.status} ${(JSON.parse(text) as Problem).code}`;
    };
    deepStrictEqual(
      [
        await at('closed', scene.key),
        await at('closed', scene.otherKey),
        await at('none', scene.key),
        await at('__proto__', scene.key),
        await at('notes', scene.owner.token),
        await at('notes', 'bks_unknown'),
        await at('notes', scene.key, { origin: 'https://evil.example' }),
        await at('notes', scene.key, { host: 'evil.example' }),
      ],
      [
        '200',
        '404 gate.unknown',
        '404 gate.unknown',
        '404 gate.unknown',
        '403 credential.wrong_kind',
        '401 credential.unknown',
        '403 origin.refused',
        '403 host.refused',
      ],
    );
  });

  test("[SEC1] a session of an upstream is its source's alone, and ends with it", async () => {
    const session = await openSession(scene.url, scene.key);
    const use = async (key: string, headers: Record<string, string>, method = 'POST') => {
      const body = method === 'POST' ? legacyCall('read_note', ARGS) : '';
      const got = await sendRaw(scene.url, body, { key, headers, method });
      const text = await got.text;
      return got.status < 300 ? String(got.status) : `${got.status} ${messagesOf(text)[0]?.error?.code}`;
    };
    deepStrictEqual(
      [
        await use(scene.otherKey, session),
        await use(scene.otherKey, session, 'GET'),
        await use(scene.otherKey, session, 'DELETE'),
        await use(scene.key, { ...session, 'mcp-session-id': 'guessed' }),
        await use(scene.key, session),
        await use(scene.key, session, 'DELETE'),
        await use(scene.key, session),
      ],
      [...times(4, '404 -32001'), '200', '200', '404 -32001'],
    );
  });

  test('[SEC1] the key of a client and what a browser says never reach the upstream', () => {
    const told = scene.upstream.headersSeen.flatMap((headers) =>
      Object.entries(headers).filter(
        ([name, value]) => /^(cookie|origin|referer|x-forwarded)/.test(name) || String(value).includes('bks_'),
      ),
    );
    deepStrictEqual(told, []);
  });

  test('an upstream that is down, sends elsewhere or refuses the gate is told in one sentence', async () => {
    const texts = [];
    const servers = await Promise.all([307, 401].map((status) => startEndpoint(() => status)));
    for (const url of ['http://127.0.0.1:9/mcp', ...servers.map((server) => server.url)]) {
      const gate = await scene.gate('down', { upstream: { url }, otherwise: 'allow' });
      const got = await sendRaw(gate, modernCall('write_note', ARGS), { key: scene.key, headers: modern });
      texts.push([got.status, (JSON.parse(await got.text) as { error: { message: string } }).error.message]);
    }
    for (const server of servers) await server.close();
    const who = 'The MCP server behind the gate "down"';
    deepStrictEqual(texts, [
      [502, `${who} cannot be reached: connection refused.`],
      [502, `${who} answered with a redirect (307), which a gate does not follow.`],
      [502, `${who} refuses the credentials that this gate has for it (401); its owner can set others.`],
    ]);
  });

  test('an upstream that breaks off in the middle of its reply is no success', async () => {
    const server = createServer((request, response) => {
      if (request.headers['mcp-method'] !== 'tools/call') return void response.writeHead(404).end();
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write('event: message\ndata: {"jsonrpc":"2.0","id":7,"res', () => request.socket.destroy());
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const url = `http://127.0.0.1:${(server.address() as { port: number }).port}/mcp`;
    const gate = await scene.gate('broken', { upstream: { url }, otherwise: 'ask' });
    const held = await sendRaw(gate, modernCall('write_note', ARGS), { key: scene.key, headers: modern });
    await scene.decide((await scene.held())[0], { type: 'approve' });
    const last = messagesOf(await held.text).at(-1);
    server.close();
    deepStrictEqual(last, {
      jsonrpc: '2.0',
      id: 7,
      error: {
        code: -32603,
        message: 'The reply of the MCP server behind the gate "broken" broke off; what it did is not known.',
      },
    });
  });

  test('a tool that the upstream does not tell of is asked about, with caution', async () => {
    const sent = sendRaw(scene.url, modernCall('drop_all', '{}'), {
      key: scene.key,
      headers: modernHeaders('drop_all'),
    });
    const [inquiry] = await scene.held();
    deepStrictEqual(inquiry?.actions?.[0]?.caution, true);
    await scene.decide(inquiry, { type: 'reject' });
    await (
      await sent
    ).text;
  });

  test('[SEC1] stored credentials are not sent to another host, and no call names a program', async () => {
    const { owner, hub, upstream } = scene;
    const put = async (body: object) => {
      const { status, body: said } = await call<Problem>(hub, 'PUT /v1/gates/moved', { token: owner.token, body });
      return `${status} ${said.code ?? ''}`.trim();
    };
    const elsewhere = upstream.url.replace('127.0.0.1', 'localhost');
    deepStrictEqual(
      [
        await put({ upstream: { url: upstream.url, headers: { 'x-key': 'secret' } } }),
        await put({ upstream: { url: `${upstream.url}/v2` } }),
        await put({ upstream: { url: elsewhere } }),
        await put({ upstream: { url: elsewhere, headers: {} } }),
        await put({ upstream: { command: 'sh', args: ['-c', 'true'] } }),
        await put({ upstream: { url: 'https://user:secret@example.com/mcp' } }),
        await put({ upstream: { url: upstream.url, headers: { Host: 'x' } } }),
        await put({ upstream: { url: upstream.url }, to: ['nobody'], sources: ['src_none'] }),
      ],
      ['200', '200', '422 gate.headers_of_another_host', '200', ...times(4, '422 request.invalid')],
    );
  });

  test('other conversations go on while one call is held', async () => {
    const client = await connectClient(scene.url, scene.key);
    const held = client.call('write_note', { path: 'held' });
    const [inquiry] = await scene.held();
    for (const path of ['a', 'b']) await client.call('read_note', { path });
    await scene.decide(inquiry, { type: 'reject' });
    deepStrictEqual((await held).isError, true);
    await client.close();
  });

  test('all of that ran nothing that was not approved', () => {
    deepStrictEqual(
      scene.upstream.ran.filter(({ name }) => name !== 'read_note'),
      [],
    );
  });
});
