import { deepStrictEqual, match, strictEqual } from 'node:assert/strict';
import { connect } from 'node:net';
import type { Fault, Problem } from '#shared/problem.ts';
import type { FastifyReply } from 'fastify';
import type { SourceCaller } from '../../platform/http/access.ts';
import { TooMany } from '../../platform/http/rate-limits.ts';
import { askPosted } from '../ask.ts';
import { type Reply, type OpenPlace, call, testsOn, openScene } from './scene.ts';
import { DIALECTS } from '../all/dialects.ts';

const problem = ({ status, body }: Reply) => [status, (body as Problem).code];
const places = ({ body }: Reply) => ((body as { faults?: Fault[] }).faults ?? []).map(({ path }) => path);

/** What is refused, and how; the same on every engine. */
export function refusalsContract(openOn: OpenPlace): void {
  const test = testsOn(openOn);
  test('[DIA3] [door] every fault is named at its place in what was sent, and nobody is asked', async (s) => {
    const calls = Array.from({ length: 22 }, (_, at) => call(`c${at}`));
    const wrong = [{ ...call('a'), name: '' }, ...calls, { ...call('b'), name: 'x'.repeat(201) }];
    deepStrictEqual(places(await s.call('POST', '/v1/ask/trial', { calls: wrong })), [
      '/calls/0/name',
      '/calls/23/name',
    ]);
    const schemas = [{ ...call('a'), schema: { type: 'nothing' } }, ...calls, { ...call('b'), schema: { type: 7 } }];
    deepStrictEqual(places(await s.call('POST', '/v1/ask/trial', { calls: schemas })), [
      '/calls/0/schema',
      '/calls/23/schema',
    ]);
    const query = 'to=nobody&deadline=soon&callback=ftp://x&language=!&wait=soon&colour=red';
    deepStrictEqual(places(await s.call('POST', `/v1/ask/trial?${query}`, { calls })), [
      '/deadline',
      '/language',
      '/wait',
      '/callback',
      '/colour',
    ]);
    deepStrictEqual(places(await s.call('POST', '/v1/ask/trial?to=nobody', { calls })), ['/to']);
    deepStrictEqual(places(await s.call('POST', '/v1/ask/trial?callback=http://10.0.0.1/', { calls })), ['/callback']);
    deepStrictEqual(places(await s.call('POST', '/v1/ask/trial?deadline=99999999', { calls })), ['/deadline']);
    const nul = 'to=%00&agent=a%00';
    deepStrictEqual(places(await s.call('POST', `/v1/ask/trial?${nul}`, { calls })), ['/to', '/agent']);
    deepStrictEqual(problem(await s.call('POST', '/v1/ask/trial', '{"calls":')), [400, 'request.malformed']);
    deepStrictEqual(places(await s.call('POST', '/v1/ask/trial', { calls }, { 'idempotency-key': 'é' })), [
      '/Idempotency-Key',
    ]);
    deepStrictEqual(await s.outcomes(), []);
  });

  test('[DIA3] an unknown dialect is told which there are, and a body of another one which address it has', async (s) => {
    const unknown = await s.call('POST', '/v1/ask/cobol', {});
    deepStrictEqual(
      [...problem(unknown), (unknown.body as { dialects: string[] }).dialects],
      [404, 'dialect.unknown', ['trial', 'trial-hook']],
    );
    const calls = [call('a')];
    const other = await s.call('POST', '/v1/ask/trial-hook', { calls });
    deepStrictEqual([other.status, (other.body as { decision: string }).decision], [200, 'block']);
    match(other.text, /POST \/v1\/ask\/trial\./);
    const hooks = await s.call('POST', '/v1/ask/trial', { hook: true, calls: 7 });
    deepStrictEqual([...problem(hooks), places(hooks)], [422, 'request.invalid', ['/calls']]);
  });

  test('[DIA3] [DIA1] an event that another program asks about is refused in the form of its sender', async ({
    t,
    p,
  }) => {
    const s = await openScene(t, p, DIALECTS);
    const event = { session_id: 's', tool_name: 'Bash', tool_input: { command: 'rm -r build' } };
    const gemini = { ...event, hook_event_name: 'BeforeTool', timestamp: '2026-11-22T10:00:00Z' };
    const claude = { ...event, hook_event_name: 'PreToolUse', tool_use_id: 'toolu_1' };
    const sent = async (body: object, ...urls: string[]) =>
      Promise.all(urls.map(async (url) => (await s.call('POST', `/v1/ask/${url}`, body)).body));
    for (const reply of await sent(gemini, 'claude-hook', 'codex-hook', 'claude')) {
      const { decision, reason } = reply as { decision: string; reason: string };
      strictEqual(decision, 'deny');
      match(reason, /belongs to Gemini CLI: send it to POST \/v1\/ask\/gemini-hook/);
    }
    for (const reply of await sent(claude, 'codex-hook', 'gemini-hook', 'openai')) {
      const { hookSpecificOutput: said } = reply as { hookSpecificOutput: Record<string, string> };
      deepStrictEqual([said['hookEventName'], said['permissionDecision']], ['PreToolUse', 'ask']);
      match(said['permissionDecisionReason'] ?? '', /belongs to Claude Code: send it to POST \/v1\/ask\/claude-hook/);
    }
    deepStrictEqual(await sent({ ...claude, hook_event_name: 'PermissionRequest' }, 'gemini-hook'), [{}]);
    deepStrictEqual(await sent({ ...claude, turn_id: 't' }, 'codex-hook'), [{}]);
    for (const reply of await sent({ ...claude, tool_use_id: undefined }, 'codex-hook', 'gemini-hook', 'claude-hook'))
      match(JSON.stringify(reply), /"permissionDecision":"ask"/);
    for (const reply of await sent({ ...claude, timestamp: gemini.timestamp }, 'gemini-hook'))
      match(JSON.stringify(reply), /"permissionDecision":"ask"/);
    deepStrictEqual(await sent({ ...event, hook_event_name: 'Stop' }, 'codex-hook', 'gemini-hook'), [{}, {}]);
    deepStrictEqual(await s.outcomes(), []);
  });

  test('a framework’s own deadline is at most the 30 days that an inquiry may be open', async ({ t, p }) => {
    const s = await openScene(t, p, DIALECTS);
    const interrupt = { id: 'i', reason: 'What else?', expiresAt: '2099-01-01T00:00:00Z' };
    strictEqual((await s.call('POST', '/v1/ask/ag-ui?wait=0', [interrupt])).status, 202);
  });

  test('[DIA3] [DIA1] what no person can be shown is refused in the form of the framework, with the reason', async (s) => {
    const logged = s.t.mock.method(s.node.hub.log, 'warn');
    const texts = {
      'U\\+0000': '{"calls":[{"id":"a","name":"send_mail","args":"\\u0000"}]}',
      surrogate: '{"calls":[{"id":"a","name":"send_mail","args":"\\ud800"}]}',
      '256 KiB': JSON.stringify({ calls: [call('a', 'x'.repeat(262_144))] }),
      'more at once': JSON.stringify({ calls: Array.from({ length: 1001 }, () => call('a')) }),
    };
    for (const [reason, text] of Object.entries(texts)) {
      const { status, body } = await s.call('POST', '/v1/ask/trial', text);
      const { runs } = body as { runs: string[][] };
      deepStrictEqual([status, runs[0]?.[0]], [200, 'a']);
      match(runs[0]?.[1] ?? '', new RegExp(`^Nobody was asked and nobody decided: .*${reason}`));
    }
    deepStrictEqual(
      logged.mock.calls.map((one) => (one.arguments as unknown[])[1]),
      Object.keys(texts).map(() => 'an ask was refused: nobody can be shown it'),
    );
    const noWay = '{"calls":[{"id":"a","name":"send_mail","args":"\\u0000","noWay":true}]}';
    deepStrictEqual(problem(await s.call('POST', '/v1/ask/trial', noWay)), [409, 'ask.unanswered']);
    deepStrictEqual(await s.outcomes(), []);
  });

  test('[DIA3] a notice that no person can be shown is not sent', async ({ t, p }) => {
    const s = await openScene(t, p, DIALECTS);
    const event = (message: string) => ({ session_id: 's', hook_event_name: 'Notification', message });
    for (const message of ['Done\u0000', 'Done'])
      deepStrictEqual((await s.call('POST', '/v1/ask/claude-hook', event(message))).body, {});
    const notices = await s.p.database.read.selectFrom('notices').select('content').execute();
    deepStrictEqual(
      notices.map(({ content }) => (JSON.parse(content) as { body: string }).body),
      ['Done'],
    );
  });

  test('[DIA3] a hook that calls a hub which is closing is told that nobody decided', async (s) => {
    // A call that has not arrived in full keeps the hub from closing for a while.
    const slow = connect(Number(new URL(s.node.url).port), '127.0.0.1');
    slow.on('error', () => undefined);
    s.t.after(() => slow.destroy());
    const head = ['POST /v1/ask/trial HTTP/1.1', 'Host: a', `Authorization: Bearer ${s.key}`, 'Content-Length: 9'];
    slow.write(`${head.join('\r\n')}\r\n\r\n{`);
    await s.call('GET', '/v1/inquiries');
    s.p.inquiries.waiters.stop();
    const closing = s.node.close();
    const { status, body } = await s.call('POST', '/v1/ask/trial-hook', { hook: true, calls: [call('a')] });
    deepStrictEqual([status, (body as { decision: string }).decision], [200, 'block']);
    slow.destroy();
    await closing;
    deepStrictEqual(await s.outcomes(), []);
  });

  test('[DIA1] a call that waits over HTTP/1.0, where a cut reply looks whole, is refused and asks nobody', async (s) => {
    const old = async (path: string, body: object): Promise<string> => {
      const socket = connect(Number(new URL(s.node.url).port), '127.0.0.1');
      const text = JSON.stringify(body);
      const head = [`POST ${path} HTTP/1.0`, `Authorization: Bearer ${s.key}`, `Content-Length: ${text.length}`];
      socket.write(`${head.join('\r\n')}\r\n\r\n${text}`);
      return (await socket.setEncoding('utf8').toArray()).join('');
    };
    match(await old('/v1/ask/trial', { calls: [call('a')] }), /^HTTP\/1\.1 400 .*"code":"ask\.needs_http_1_1"/s);
    const hook = await old('/v1/ask/trial-hook', { hook: true, calls: [call('a')] });
    match(hook, /^HTTP\/1\.1 200 .*"decision":"block","reason":"[^"]*HTTP\/1\.1/s);
    deepStrictEqual(await s.outcomes(), []);
    match(await old('/v1/ask/trial?wait=0', { calls: [call('a')] }), /^HTTP\/1\.1 202 /);
  });

  test('nobody is asked for a client that is gone already', async (s) => {
    const reply = { request: { raw: {} }, hijack: () => 'nothing is sent' } as unknown as FastifyReply;
    const waits = { ms: Infinity, preferred: false };
    const posted = {
      dialect: s.node.hub.dialects[0]!,
      query: {},
      waits,
      key: undefined,
      signal: AbortSignal.abort(),
      reply,
    };
    const source = { kind: 'source', id: s.source.id, name: 'Agent' } as SourceCaller;
    const text = JSON.stringify({ calls: [call('a')] });
    deepStrictEqual(await askPosted(s.node.hub, { ...posted, source, text }), 'nothing is sent');
    deepStrictEqual(await s.outcomes(), []);
  });

  test('[DIA3] [DIA1] a hook gets every error but a wrong key or address under 200, as nobody decided', async (s) => {
    const body = { hook: true, calls: [call('a')] };
    const hook = '/v1/ask/trial-hook';
    const blocked: Record<string, Reply> = {
      'no JSON': await s.call('POST', hook, '{'),
      'no body': await s.call('POST', hook),
      'not its own': await s.call('POST', hook, []),
      'a list of nothing': await s.call('POST', hook, 'null'),
      'no wait': await s.call('POST', `${hook}?wait=0`, body),
      'a wrong query': await s.call('POST', `${hook}?wait=9`, body),
      'nobody to ask': await s.call('POST', `${hook}?to=nobody`, body),
      'too large': await s.call('POST', hook, { ...body, more: 'x'.repeat(4 * 1024 * 1024) }),
      'no person can be shown it': await s.call('POST', hook, {
        ...body,
        calls: [{ ...call('a'), noWay: true, args: '\u0000' }],
      }),
    };
    s.p.inquiries.openLimit = 0;
    blocked['too many open'] = await s.call('POST', hook, body);
    s.p.inquiries.openLimit = 1000;
    deepStrictEqual(
      Object.entries(blocked).map(([name, { status, body: reply }]) => [
        name,
        status,
        (reply as { decision?: string }).decision,
        typeof (reply as { reason?: unknown }).reason,
      ]),
      Object.keys(blocked).map((name) => [name, 200, 'block', 'string']),
    );
    const refused = [
      await s.call('POST', hook, body, { authorization: 'Bearer bks_nobody' }),
      await s.call('POST', hook, body, { authorization: 'Bearer bkd_nobody' }),
      await s.call('POST', hook, body, { origin: 'https://elsewhere.example' }),
    ];
    deepStrictEqual(
      refused.map(({ status, body: reply }) => [status, (reply as { decision?: string }).decision]),
      [
        [401, 'block'],
        [401, 'block'],
        [403, 'block'],
      ],
    );
    deepStrictEqual(await s.outcomes(), []);
  });
  test('[LIV4] a node with too much to do refuses asks in every form, and takes back, tells and waits all the same', async (s) => {
    const { enter } = s.node.asks;
    let underWay = 0;
    s.node.asks.enter = () => ((underWay += 1), () => void (underWay -= 1));
    const { inquiry } = await s.ask('/v1/ask/trial', { calls: [call('first')] });
    strictEqual(underWay, 0);
    s.node.asks.enter = () => {
      throw new TooMany('hub.overloaded', 'Too much.', 3, 503);
    };
    const refused = [
      await s.call('POST', '/v1/inquiries', { prompt: 'Ship?' }),
      await s.call('POST', '/v1/ask/trial', { calls: [call('b')] }),
      await s.call('POST', '/v1/ask/trial-hook', { hook: true, calls: [call('a')] }),
    ];
    deepStrictEqual(
      refused.map(({ status, headers, body }) => [status, headers.get('retry-after'), (body as Problem).code ?? body]),
      [
        [503, '3', 'hub.overloaded'],
        [503, '3', 'hub.overloaded'],
        [200, '3', { decision: 'block', reason: 'Too much.' }],
      ],
    );
    deepStrictEqual((await s.call('POST', '/v1/ask/trial-hook', { hook: true, over: 's' })).status, 200);
    deepStrictEqual((await s.call('POST', `/v1/inquiries/${inquiry.id}/withdraw`, {})).status, 200);
    deepStrictEqual(await s.outcomes(), ['withdrawn']);
    s.node.asks.enter = enter;
    deepStrictEqual((await s.call('POST', '/v1/inquiries', { prompt: 'Ship?' })).status, 201);
  });
}
