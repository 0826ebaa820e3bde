import { deepStrictEqual } from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { putPolicies, readPolicies } from '../../automation/rules/change.ts';
import { listNotices } from '../../notices/read.ts';
import { DAY_MS } from '../../platform/clock.ts';
import { DIALECTS } from '../all/dialects.ts';
import { openScene, testsOn, type OpenPlace, type Reply, type Scene } from './scene.ts';

const EVENT = { session_id: 's', tool_name: 'Bash', tool_input: { command: 'ls' } };
const CLAUDE = { ...EVENT, hook_event_name: 'PreToolUse', tool_use_id: 'toolu_1' };
const CODEX = { ...EVENT, hook_event_name: 'PermissionRequest', turn_id: 't' };
const GEMINI = { ...EVENT, hook_event_name: 'BeforeTool', timestamp: '2026-11-22T10:00:00Z' };
const HOOKS: [name: string, asks: object][] = [
  ['claude-hook', CLAUDE],
  ['codex-hook', CODEX],
  ['gemini-hook', GEMINI],
];

/** What a reply that no proxy may keep says to a hook: its status, its kind, and whether its body is one line with its end. */
const said = ({ status, headers, text }: Reply) => [
  status,
  headers.get('cache-control') === 'no-store' ? headers.get('beckon-reply') : 'kept by proxies',
  /^\n*\{[^\n]*\}\n$/.test(text),
];

/** The same call as through a proxy that speaks HTTP/1.0; the head of its reply, and its body. */
async function overHttp10(s: Scene, path: string, body: object): Promise<[head: string, body: string]> {
  const socket = connect(Number(new URL(s.node.url).port), '127.0.0.1');
  await once(socket, 'connect');
  const sent = JSON.stringify(body);
  const head = [`POST ${path} HTTP/1.0`, `Authorization: Bearer ${s.key}`, `Content-Length: ${sent.length}`];
  socket.write(`${head.join('\r\n')}\r\n\r\n${sent}`);
  const [first = '', rest = ''] = (await socket.setEncoding('utf8').toArray()).join('').split('\r\n\r\n');
  return [first.toLowerCase(), rest];
}

/** What the replies of a hub say to hooks, whose programs judge them by little; the same on every engine. */
export function hooksContract(openOn: OpenPlace): void {
  const test = testsOn(openOn);

  test('[DIA7] [DIA5] [door] each reply to a hook says in one line what it is, and which kind of reply it is', async ({
    t,
    p,
  }) => {
    const s = await openScene(t, p, DIALECTS);
    const source = { name: 'beckon', source: 'user' };
    const own = {
      'claude-hook': { ...CLAUDE, tool_name: 'mcp__beckon__send_inquiry', mcp_server: source },
      'claude-hook?deadline=60': { ...EVENT, hook_event_name: 'Stop' },
      'claude-hook?urgency=low': { ...EVENT, hook_event_name: 'PostToolUse' },
      'claude-hook?privacy=title': { session_id: 's', hook_event_name: 'Notification', message: 'Done.' },
      'codex-hook': { ...CODEX, hook_event_name: 'Stop' },
      'gemini-hook': { ...GEMINI, hook_event_name: 'AfterTool' },
    };
    for (const [path, body] of Object.entries(own))
      deepStrictEqual([path, ...said(await s.call('POST', `/v1/ask/${path}`, body))], [path, 200, 'pass', true]);
    for (const [name, body] of HOOKS) {
      const path = `/v1/ask/${name}`;
      const undecided = [
        await s.call('POST', `${path}?deadline=soon`, body),
        await s.call('POST', `${path}?wait=0`, body),
        await s.call('POST', path, '{'),
        await s.call('POST', path, { ...body, tool_input: { command: 'x'.repeat(262_144) } }),
      ];
      deepStrictEqual([name, undecided.map(said)], [name, undecided.map(() => [200, 'undecided', true])]);
      const refused = [
        await s.call('POST', path, body, { authorization: 'Bearer bks_nobody' }),
        await s.call('POST', path, body, { origin: 'https://elsewhere.example' }),
      ];
      deepStrictEqual(
        refused.map(({ status, headers }) => [status, headers.get('beckon-reply'), headers.has('beckon-reason')]),
        [
          [401, 'undecided', true],
          [403, 'undecided', true],
        ],
      );
    }
    const other = await s.call('POST', '/v1/ask/claude', { hook_event_name: 'Stop' });
    deepStrictEqual([other.status, other.headers.get('beckon-reply')], [422, null]);
  });

  test('[DIA7] [door] the reply that a hook waits for is empty lines and one line, and a rule’s says that it is a decision', async ({
    t,
    p,
  }) => {
    const s = await openScene(t, p, DIALECTS);
    for (const [name, body] of HOOKS) {
      const asked = s.call('POST', `/v1/ask/${name}`, body);
      const [inquiry] = await s.open(1);
      await s.decide(inquiry!, 'approve');
      deepStrictEqual([name, ...said(await asked)], [name, 200, 'waiting', true]);
    }
    const which = { of: 'person', personId: p.phone.personId } as const;
    const { version } = await readPolicies(p.database, which);
    const rules = [{ name: 'ls', when: { tool: 'Bash' }, then: 'approve' as const }];
    await putPolicies(p.database, which, { version, rules }, p.phone.deviceId);
    for (const [name, body] of HOOKS) {
      const ruled = await s.call('POST', `/v1/ask/${name}`, { ...body, session_id: 'r' });
      deepStrictEqual([name, ...said(ruled), ruled.text.includes('allow')], [name, 200, 'decision', true, true]);
    }
  });

  test('[DIA7] [door] the owner is told once a day that a hook asked nobody, in their language, with the reason', async ({
    t,
    p,
  }) => {
    const s = await openScene(t, p, DIALECTS);
    const unread = async () =>
      (await listNotices(p.database.read, { personId: p.phone.personId, unread: true, limit: 9 })).items.map(
        ({ title, body = '' }) => [title, body.split('\n')[0]],
      );
    for (let times = 0; times < 2; times++)
      for (const [name, body] of HOOKS) {
        const [head, reply] = await overHttp10(s, `/v1/ask/${name}`, body);
        deepStrictEqual(
          [name, /^beckon-reply: undecided\r?$/m.test(head), /^beckon-reason: .*http\/1\.1/m.test(head), reply.at(-1)],
          [name, true, true, '\n'],
        );
      }
    const proxy =
      'It comes through a proxy that speaks HTTP/1.0, over which no call can wait. Behind nginx, set `proxy_http_version 1.1; proxy_buffering off;` for this hub.';
    const first = ['The hook of Claude Code asked nobody', proxy];
    deepStrictEqual(await unread(), [first]);
    await p.database.transaction((trx) => trx.updateTable('people').set({ locale: 'zh' }).execute());
    p.pass(DAY_MS);
    await s.call('POST', '/v1/ask/codex-hook?deadline=soon', CODEX);
    await s.call('POST', '/v1/ask/codex-hook', CODEX, { authorization: 'Bearer bks_nobody' });
    const second = ['Codex 的钩子（hook）没有问任何人', '服务端拒绝了它的调用：/'];
    const [told, ...others] = await unread();
    deepStrictEqual([told?.[0], told?.[1]?.slice(0, second[1]!.length), others], [...second, [first]]);
    deepStrictEqual(await s.outcomes(), []);
  });

  test('[DIA7] [LIV4] what passes by itself is told to nobody, and neither is a framework that hears its refusal', async ({
    t,
    p,
  }) => {
    const s = await openScene(t, p, DIALECTS);
    s.p.inquiries.openLimit = 0;
    await s.call('POST', '/v1/ask/codex-hook', CODEX);
    await overHttp10(s, '/v1/ask/langgraph', [{ id: 'i', value: 'Go?' }]);
    deepStrictEqual(
      (await listNotices(p.database.read, { personId: p.phone.personId, unread: true, limit: 9 })).items,
      [],
    );
  });
}
