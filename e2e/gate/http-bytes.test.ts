import { deepStrictEqual } from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { legacyCall, messagesOf, modernCall, modernHeaders, openSession, resultOf, sendRaw } from './raw.ts';
import { openScene, type Scene } from './scene.ts';

const ODD = '{ "path" :"a\\u00e9 🙈\\n", "text":"\\u0041", "n": 9007199254740993, "m":1.0,"e": 1E3 ,"z":-0 }';

describe('what a person saw is what runs', { timeout: 120_000 }, () => {
  let scene: Scene;
  before(async () => {
    scene = await openScene();
  });
  after(() => scene?.remove());

  const modern = (args: string, more: object = {}, name = 'write_note') =>
    sendRaw(scene.url, modernCall(name, args, more), { key: scene.key, headers: modernHeaders(name) });

  test('an approved call arrives as the same bytes, in both eras', async () => {
    const sent = modernCall('write_note', ODD);
    const first = sendRaw(scene.url, sent, { key: scene.key, headers: modernHeaders('write_note') });
    await scene.decide((await scene.held())[0], { type: 'approve' });
    await (
      await first
    ).text;

    const session = await openSession(scene.url, scene.key);
    const old = legacyCall('write_note', ODD, 'x"1');
    const second = sendRaw(scene.url, old, { key: scene.key, headers: session });
    await scene.decide((await scene.held())[0], { type: 'approve' });
    await (
      await second
    ).text;
    deepStrictEqual(
      scene.upstream.calls.map(({ text }) => text),
      [sent, old],
    );
  });

  test('edited arguments replace the arguments and nothing else, to the last digit', async () => {
    const from = scene.upstream.calls.length;
    const waiting = modern(ODD);
    const edited = '{"path":"b","n":12345678901234567890, "m":2.50}';
    await scene.decide((await scene.held())[0], { type: 'edit', argsText: edited });
    await (
      await waiting
    ).text;
    deepStrictEqual(
      scene.upstream.calls.slice(from).map(({ text }) => text),
      [modernCall('write_note', '{"path":"b","n":12345678901234567890,"m":2.50}')],
    );
  });

  test('[RES3] edited arguments that do not fit the tool are refused, and the call waits on', async () => {
    const waiting = modern('{"path":"a"}');
    const [inquiry] = await scene.held();
    const refused = await scene.decide(inquiry, { type: 'edit', args: { path: 7 } }).catch((error: Error) => error);
    deepStrictEqual(refused instanceof Error, true);
    await scene.decide(inquiry, { type: 'reject' });
    deepStrictEqual(resultOf(await (await waiting).text), 'A person rejected this call; it was not run.');
  });

  test('the question shows the gate, the tool, its arguments and what the upstream says of it', async () => {
    const waiting = modern('{"path":"a"}');
    const [inquiry] = await scene.held();
    const { title, actions, context } = inquiry ?? {};
    await scene.decide(inquiry, { type: 'reject' });
    await (
      await waiting
    ).text;
    deepStrictEqual(
      { title, context, actions: actions?.map(({ argsSchema: _schema, ...action }) => action) },
      {
        title: 'notes: write_note',
        context: { agent: 'raw-agent' },
        actions: [
          {
            name: 'write_note',
            args: { path: 'a' },
            description: 'Writes a note',
            allowed: ['approve', 'edit', 'reject', 'respond'],
            caution: true,
          },
        ],
      },
    );
  });

  test('a held call shows signs of life, the first with the inquiry in it, and what the upstream reports is higher', async () => {
    const waiting = await modern('{}', { progressToken: 0 }, 'report');
    deepStrictEqual(
      [waiting.status, waiting.headers['content-type'], waiting.headers['x-accel-buffering']],
      [200, 'text/event-stream', 'no'],
    );
    const [inquiry] = await scene.held();
    await scene.decide(inquiry, { type: 'approve' });
    const frames = messagesOf(await waiting.text).map(({ params }) => params);
    const about = { question: 'notes: report', inquiryId: inquiry?.id, type: 'INQUIRY' };
    deepStrictEqual(frames, [
      {
        meta: about,
        _meta: { 'dev.beckon/inquiry': about, ...about },
        progressToken: 0,
        progress: 0.000001,
        message: 'Waiting for a person to decide',
      },
      { progressToken: 0, progress: 1 },
      { progressToken: 0, progress: 2 },
      undefined,
    ]);
  });

  test('a result in the place of a tool that promised structure has some, or is an error', async () => {
    const structured = modern('{}', {}, 'count_notes');
    await scene.decide((await scene.held())[0], { type: 'respond', message: '{"count": 4}' });
    const loose = modern('{}', {}, 'count_notes');
    await scene.decide((await scene.held())[0], { type: 'respond', message: 'four' });
    const results = await Promise.all(
      [structured, loose].map(async (one) => messagesOf(await (await one).text).at(-1)?.result),
    );
    deepStrictEqual(results, [
      { content: [{ type: 'text', text: '{"count": 4}' }], structuredContent: { count: 4 }, resultType: 'complete' },
      { content: [{ type: 'text', text: 'four' }], isError: true, resultType: 'complete' },
    ]);
  });

  test('a call that its upstream answers with a question goes on with the answer, and is not asked about again', async () => {
    const from = scene.upstream.ran.length;
    const first = modern('{"path":"a"}', { 'io.modelcontextprotocol/clientCapabilities': { elicitation: {} } }, 'sign');
    await scene.decide((await scene.held())[0], { type: 'edit', args: { path: 'b' } });
    const { result } = messagesOf(await (await first).text).at(-1) ?? {};
    deepStrictEqual([result?.resultType, result?.requestState], ['input_required', 'signing b']);

    const retry = modernCall('sign', '{"path":"a"}').replace(
      '"arguments":',
      '"requestState":"signing b","inputResponses":{"name":{"action":"accept","content":{"name":"Ann"}}},"arguments":',
    );
    const again = await sendRaw(scene.url, retry, { key: scene.key, headers: modernHeaders('sign') });
    deepStrictEqual(resultOf(await again.text), 'Signed b: {"action":"accept","content":{"name":"Ann"}}');

    // Once: the same retry again is a call that nobody approved.
    const replayed = sendRaw(scene.url, retry, { key: scene.key, headers: modernHeaders('sign') });
    await scene.decide((await scene.held())[0], { type: 'reject' });
    await (
      await replayed
    ).text;
    deepStrictEqual(scene.upstream.ran.slice(from), [{ name: 'sign', args: { path: 'b' } }]);
  });

  test('headers that repeat arguments follow the edited ones, and may not say something else before', async () => {
    const from = scene.upstream.calls.length;
    const send = (region: string) =>
      sendRaw(scene.url, modernCall('send_note', '{"region":"eu"}'), {
        key: scene.key,
        headers: { ...modernHeaders('send_note'), 'mcp-param-region': region },
      });
    const lying = await send('us');
    deepStrictEqual([lying.status, messagesOf(await lying.text)[0]?.error?.code], [400, -32020]);

    const edited = send('eu');
    await scene.decide((await scene.held())[0], { type: 'edit', args: { region: 'Zürich' } });
    deepStrictEqual(resultOf(await (await edited).text), 'Sent to Zürich');
    deepStrictEqual(
      scene.upstream.calls.slice(from).map(({ headers }) => headers['mcp-param-region']),
      ['=?base64?WsO8cmljaA==?='],
    );
  });

  test('a retry with other arguments is another call', async () => {
    const first = modern('{"path":"a"}', {}, 'sign');
    await scene.decide((await scene.held())[0], { type: 'approve' });
    await (
      await first
    ).text;
    const retry = modernCall('sign', '{"path":"other"}').replace(
      '"arguments":',
      '"requestState":"signing a","arguments":',
    );
    const other = sendRaw(scene.url, retry, { key: scene.key, headers: modernHeaders('sign') });
    const [inquiry] = await scene.held();
    deepStrictEqual(inquiry?.actions?.[0]?.args, { path: 'other' });
    await scene.decide(inquiry, { type: 'reject' });
    await (
      await other
    ).text;
  });
});
