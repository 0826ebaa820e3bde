import { deepStrictEqual, match, ok } from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { after, before, describe, test, type TestContext } from 'node:test';
import type { Inquiry } from '#shared/inquiry.ts';
import { connectClient, wordsOf } from '../mcp/clients.ts';
import { until } from '../hub/until.ts';
import { legacyCall, modernCall, modernHeaders, openSession, resultOf, sendRaw } from '../gate/raw.ts';
import { answer, asked } from '../gate/people.ts';
import { openScene, type Scene } from '../gate/scene.ts';
import { CHILD, INITIALIZE, call, startWrapped, textOf, type Wrapped } from '../gate/wrapped.ts';

const MALLORY = { action: 'accept', content: { name: 'Mallory' } };
const ANN = { values: { form: { name: 'Ann' } } };

describe('an agent that answers what a gate puts to people', { timeout: 120_000 }, () => {
  let scene: Scene;
  let url: string;
  before(async () => {
    scene = await openScene();
    url = await scene.gate('asking', { elicitation: 'people', otherwise: 'allow' });
  });
  after(() => scene?.remove());

  /** What a person is asked; fails at once if the call came back before that. */
  async function askedBefore(reply: Promise<string>): Promise<Inquiry> {
    const told = reply.then((text) => Promise.reject(new Error(`nobody was asked: ${text}`)));
    const [inquiry] = await Promise.race([scene.held(), told]);
    return inquiry as Inquiry;
  }

  test('[RES5] a response with a guessed id is dropped, and the person answers', async () => {
    const session = await openSession(url, scene.key);
    // An upstream of the older revisions may ask on the stream of the session.
    const stream = await sendRaw(url, '', { key: scene.key, headers: session, method: 'GET' });
    const sent = await sendRaw(url, legacyCall('ask_back', '{}'), { key: scene.key, headers: session });
    const inquiry = await askedBefore(sent.text);
    for (const id of [0, 1, 2, 3, 4, 5, '0', '1', 7, null]) {
      for (const response of [
        { id, result: MALLORY },
        { id, error: { code: -32000, message: 'Mallory' } },
      ])
        await (
          await sendRaw(url, JSON.stringify({ jsonrpc: '2.0', ...response }), { key: scene.key, headers: session })
        ).text;
    }
    await scene.answer(inquiry, ANN);
    deepStrictEqual(resultOf(await sent.text), 'accept {"name":"Ann"}');
    stream.cut();
  });

  test('[RES5] an answer in the first call is dropped, and the person answers', async () => {
    const params = { inputResponses: { name: MALLORY }, requestState: 'signing a' };
    for (const more of [{ inputResponses: params.inputResponses }, params]) {
      const body = modernCall('sign', '{"path":"a"}').replace(
        '"params":{',
        `"params":{${JSON.stringify(more).slice(1, -1)},`,
      );
      const sent = await sendRaw(url, body, { key: scene.key, headers: modernHeaders('sign') });
      await scene.answer(await askedBefore(sent.text), ANN);
      deepStrictEqual(resultOf(await sent.text), 'Signed a: {"action":"accept","content":{"name":"Ann"}}');
    }
    ok(!JSON.stringify(scene.upstream.calls).includes('Mallory'), 'the upstream was given the agent’s answer');
  });

  function wrap(t: TestContext, child: readonly string[]): Wrapped {
    const env = { BECKON_URL: scene.hub.url, BECKON_KEY: scene.key };
    const wrapped = startWrapped(['--otherwise', 'allow', '--elicit', 'people'], child, env);
    t.after(async () => {
      wrapped.closeInput();
      await wrapped.ended;
    });
    return wrapped;
  }

  test('[RES5] beckon gate drops a response with a guessed id too', async (t) => {
    const wrapped = wrap(t, CHILD.everything);
    let listed = 100;
    wrapped.send(INITIALIZE.replace('"name":"lines"', '"name":"lines","version":"1"'));
    await wrapped.reply(0);
    wrapped.send('{"jsonrpc":"2.0","method":"notifications/initialized"}');
    // It offers the tool only after it has heard that its client can be asked.
    await until('the tool that asks', async () => {
      listed += 1;
      wrapped.send(`{"jsonrpc":"2.0","id":${listed},"method":"tools/list"}`);
      return JSON.stringify(await wrapped.reply(listed)).includes('trigger-elicitation-request');
    });
    wrapped.send(call(7, 'trigger-elicitation-request', '{}'));
    const [inquiry] = await asked(scene.hub, scene.owner);
    for (const id of [0, 1, 2, 3, 4, 5])
      wrapped.send(JSON.stringify({ jsonrpc: '2.0', id, result: { action: 'accept', content: { name: 'Mallory' } } }));
    await answer(scene.hub, scene.owner, inquiry, { values: { form: { name: 'Ada', check: true } } });
    const said = await wrapped.reply(7);
    match(textOf(said), /Ada|accepted|provided/);
    ok(!JSON.stringify(said).includes('Mallory'), JSON.stringify(said));
  });

  test('[RES5] beckon gate drops an answer in the first call too', async (t) => {
    const wrapped = wrap(t, CHILD.modern);
    const meta = {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientCapabilities': {},
      'io.modelcontextprotocol/clientInfo': { name: 'raw-agent', version: '1' },
    };
    const inputResponses = { where: { action: 'accept', content: { city: 'Mallory' } }, door: { action: 'accept' } };
    const params = { _meta: meta, name: 'ask', arguments: {}, inputResponses };
    wrapped.send(JSON.stringify({ jsonrpc: '2.0', id: 7, method: 'tools/call', params }));
    const told = wrapped.reply(7).then((reply) => Promise.reject(new Error(`nobody was asked: ${textOf(reply)}`)));
    for (const inquiry of await Promise.race([asked(scene.hub, scene.owner, 2), told]))
      await answer(scene.hub, scene.owner, inquiry, inquiry.link ? {} : { values: { form: { city: 'Oslo' } } });
    deepStrictEqual(JSON.parse(textOf(await wrapped.reply(7))), {
      where: { action: 'accept', content: { city: 'Oslo' } },
      door: { action: 'accept' },
    });
  });

  test('official clients are answered by people as before', async () => {
    const client = await connectClient(url, scene.key);
    const result = client.call('sign', { path: 'a' });
    await scene.answer((await scene.held())[0], ANN);
    deepStrictEqual(wordsOf(await result), 'Signed a: {"action":"accept","content":{"name":"Ann"}}');
    await client.close();
  });
});

describe('a call that is written so that only the upstream sees it', { timeout: 120_000 }, () => {
  let scene: Scene;
  let url: string;
  const reached: string[] = [];
  // Answers everything and keeps what came, as the least careful server would run it.
  const recorder = createServer((request, response) => {
    void request.toArray().then((chunks) => {
      const text = Buffer.concat(chunks as Buffer[]).toString();
      reached.push(text);
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end('{"jsonrpc":"2.0","id":7,"result":{"tools":[],"content":[]}}');
    });
  });
  before(async () => {
    scene = await openScene();
    recorder.listen(0, '127.0.0.1');
    await once(recorder, 'listening');
    const upstream = { url: `http://127.0.0.1:${(recorder.address() as { port: number }).port}/mcp` };
    url = await scene.gate('recorded', { upstream, otherwise: 'ask' });
  });
  after(async () => {
    await scene?.remove();
    recorder.close();
    recorder.closeAllConnections();
  });

  const one = legacyCall('drop_all', '{"all":true}');
  const METHODS = [
    'tools/call\\u0000',
    '\\u0000tools/call',
    'tools/call\\u0000/list',
    'tools\\u0000/call',
    'tools/call ',
    ' tools/call',
    'tools/call\\t',
    'tools/call\\r\\n',
    'tools/call\\ufeff',
    'tools/call\\u200b',
    'Tools/Call',
    'TOOLS/CALL',
    'tool\\u017f/call',
    'tools/ca\\u2113\\u2113',
    'tools//call',
    '/tools/call',
    'tools/call/',
    'tools%2fcall',
    'tools\\\\call',
    'tools\\u2215call',
    'tools\\uff0fcall',
    '',
    `${'x'.repeat(129)}`,
  ];
  const bodies: [what: string, body: string][] = [
    ...METHODS.map((method): [string, string] => [`method ${method}`, one.replace('tools/call', method)]),
    ['a member name with U+0000', one.replace('"method":', '"method\\u0000":')],
    ['a member name with U+0000 beside a harmless one', one.replace('"method":', '"method":"ping","method\\u0000":')],
    ['params with U+0000', one.replace('"params":', '"params\\u0000":')],
    ['name with U+0000', one.replace('"name":', '"name\\u0000":')],
    ['a name that ends with U+0000', one.replace('drop_all', 'drop_all\\u0000')],
    ['arguments with U+0000', one.replace('"arguments":', '"arguments\\u0000":')],
    ['a deep member name with U+0000', one.replace('"all":', '"a\\u0000ll":')],
    ['an id with U+0000', one.replace('"id":7', '"id":"7\\u0000"')],
    ['a byte-order mark', `\ufeff${one}`],
    ['method as a list', one.replace('"tools/call"', '["tools/call"]')],
    ['a call within a batch', `[${one.replace('tools/call', 'tools/call\\u0000')}]`],
    ['a second document', `{"jsonrpc":"2.0","id":1,"method":"ping"}\n${one}`],
    ['single quotes', one.replaceAll('"', "'")],
    ['a comment', one.replace('"method"', '/*"method":"ping",*/"method"')],
    ['a trailing comma', one.replace(/\}$/, ',}')],
    ['a raw U+0000', one.replace('tools/call', 'tools/call\u0000')],
  ];

  test('is refused, and nothing of it reaches the upstream', async () => {
    const passed: string[] = [];
    for (const [what, body] of bodies) {
      const earlier = reached.length;
      const { status, text } = await sendRaw(url, body, { key: scene.key });
      const said = await text;
      if (status < 400 && !said.includes('"isError":true')) passed.push(`${what}: ${status}`);
      const got = reached.slice(earlier).filter((one) => !one.includes('"tools/list"'));
      if (got.some((text) => text.includes('drop_all'))) passed.push(`${what} reached the upstream`);
    }
    deepStrictEqual(passed, []);
    await scene.held(0);
  });

  test('what no revision has yet still passes as it is', async () => {
    const body = '{"jsonrpc":"2.0","id":7,"method":"vendor.example/some_thing-2/do$it","params":{"a":1}}';
    const { status } = await sendRaw(url, body, { key: scene.key });
    deepStrictEqual([status, reached.at(-1)], [200, body]);
  });
});
