import { deepStrictEqual, ok, strictEqual } from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import type { Json } from '../json.ts';
import { parseExact } from '../json.ts';
import { type Call, callName, callsName, isUntitled, titleText } from './name.ts';
import { cutName, plainName } from './parts.ts';

const HALF = '-----BEGIN RSA PRIVATE KEY-----\nMIIEpAIBAAKCAQEA7\n-----END RSA PRIVATE KEY-----';
const DIFF = [{ path: 'src/app.ts', oldText: 'a\nb\nc', newText: 'a\nx\ny\nc' }];
const PATCH = '*** Begin Patch\n*** Update File: a.ts\n@@\n-old\n+new\n+more\n*** Add File: b.ts\n+one\n*** End Patch';
const REMOVAL = '*** Begin Patch\n*** Delete File: a.ts\n*** End Patch';

type Case = [name: string, args: Json, en: string, zh?: string];
const CASES: Case[] = [
  // Claude Code
  [
    'Bash',
    { command: 'rm -rf node_modules && npm ci' },
    'Run rm -rf node_modules && npm ci',
    '执行 rm -rf node_modules && npm ci',
  ],
  ['Bash', { command: 'ls', description: 'Lists files' }, 'Run ls'],
  ['Bash', { command: 'cd a\nrm -rf b' }, 'Run cd a ↵ rm -rf b'],
  ['Write', { file_path: 'src/app.ts', content: 'x' }, 'Write src/app.ts', '写入 src/app.ts'],
  ['NotebookEdit', { notebook_path: 'a.ipynb', new_source: 'x' }, 'Write a.ipynb'],
  ['Read', { file_path: '~/.ssh/config' }, 'Read ~/.ssh/config', '读取 ~/.ssh/config'],
  [
    'WebFetch',
    { url: 'https://nodejs.org/en/blog', prompt: 'x' },
    'Fetch https://nodejs.org/en/blog',
    '获取 https://nodejs.org/en/blog',
  ],
  ['WebSearch', { query: 'weather in Berlin' }, 'WebSearch “weather in Berlin”'],
  [
    'mcp__slack__post_message',
    { channel: '#general', text: 'Hi' },
    'Post to #general Hi (slack)',
    '发布 至 #general Hi（slack）',
  ],
  // Codex and OpenAI
  ['shell', { command: ['bash', '-lc', 'npm test'] }, 'Run npm test'],
  ['shell', { command: ['git', 'commit', '-m', "it's"] }, "Run git commit -m 'it'\\''s'"],
  ['shell', { commands: ['npm ci', 'npm test'], timeout_ms: 10 }, 'Run npm ci, npm test'],
  ['local_shell', { action: { type: 'exec', command: ['ls', '-la'] } }, 'Run ls -la'],
  ['exec_command', { cmd: 'ls', yield_time_ms: 10 }, 'Run ls'],
  ['apply_patch', { input: PATCH }, 'Write 2 files +3 −1', '写入 2 个文件 +3 −1'],
  ['apply_patch', { command: REMOVAL }, 'apply_patch *** Delete File: a.ts'],
  ['apply_patch', { type: 'delete_file', path: 'a.ts' }, 'apply_patch delete_file a.ts'],
  ['apply_patch', { type: 'update_file', path: 'a.ts' }, 'Write a.ts'],
  // Gemini CLI and Cursor
  ['run_shell_command', { command: 'make', directory: 'a' }, 'Run make'],
  ['write_file', { file_path: 'a.md', content: '' }, 'Write a.md'],
  ['replace', { file_path: 'a.md', old_string: 'a', new_string: 'b' }, 'Write a.md'],
  ['read_file', { absolute_path: '/a/b.md' }, 'Read /a/b.md'],
  ['run_terminal_cmd', { command: 'make', is_background: false }, 'Run make'],
  ['edit_file', { target_file: 'a.ts', code_edit: 'x' }, 'Write a.ts'],
  // MCP servers
  ['list_directory', { path: '/src' }, 'list_directory /src'],
  ['delete_file', { path: '/src/a.ts' }, 'delete_file /src/a.ts'],
  ['move_file', { source: '/a', destination: '/b' }, 'move_file /a to /b'],
  ['fetch', { url: 'https://a.example/b' }, 'Fetch https://a.example/b'],
  ['fetch', { url: 'https://a.example/b', method: 'DELETE' }, 'fetch https://a.example/b'],
  ['github.create_issue', { owner: 'a', repo: 'b', title: 'It breaks' }, 'github.create_issue a/b “It breaks”'],
  ['merge_pull_request', { owner: 'a', repo: 'b', pull_number: 7 }, 'merge_pull_request a/b#7'],
  ['postgres.query', { sql: 'DROP TABLE users' }, 'Drop table users (postgres)', '删除表 users（postgres）'],
  ['query', { sql: 'delete from users where id = 4;' }, 'Delete from users where id = 4'],
  ['query', { sql: 'SELECT * FROM orders WHERE id = 4' }, 'Select from orders WHERE id = 4'],
  ['query', { sql: 'select wipe(id) from orders' }, 'Run select wipe(id) from orders'],
  ['query', { sql: 'select 1 from a; drop table b' }, 'Run select 1 from a; drop table b'],
  ['query', { sql: 'drop table a -- b' }, 'Run drop table a -- b'],
  // LangChain
  ['terminal', { commands: 'ls' }, 'Run ls'],
  ['python_repl', { code: 'print(1)' }, 'Run print(1)'],
  // any other
  [
    'stripe.refunds.create',
    { amount: '170.00', currency: 'EUR', who: 'Anna' },
    'Refund 170.00 EUR to Anna (stripe)',
    '退款 170.00 EUR 至 Anna（stripe）',
  ],
  ['refund', { amount: '20.00', currency: 'EUR', customer_id: 'c-100' }, 'Refund 20.00 EUR to c-100'],
  ['refund', { id: 5 }, 'refund 5'],
  ['refund_everybody', { amount: 5, to: 'c-1' }, 'refund_everybody 5 to c-1'],
  [
    'crm.merge',
    { name: 'Anna Holm', entries: [1, 2] },
    'crm.merge “Anna Holm”, 2 entries',
    'crm.merge “Anna Holm”，2 项',
  ],
  ['deploy.rollback', {}, 'deploy.rollback, no arguments', 'deploy.rollback，无参数'],
  ['send', { input: { to: ['a@b.example', 'c@d.example'], body: 'x' } }, 'send to a@b.example, c@d.example'],
  ['set_light', { on: true }, 'set_light on: true'],
  ['todo', [1, 2, 3], 'todo, 3 entries'],
  ['say', 'good morning', 'say “good morning”'],
  ['nothing', null, 'nothing, no arguments'],
  // secrets
  ['login', { password: 'hunter2' }, 'login, 1 argument', 'login，1 个参数'],
  [
    'Bash',
    { command: 'curl -H "Authorization: Bearer abc" https://a.example' },
    'Run curl -H "Authorization: ••••" https://a.example',
  ],
  ['Bash', { command: 'DB_PASSWORD=hunter2 ./run --token abc' }, 'Run DB_PASSWORD=•••• ./run --token ••••'],
  ['Bash', { command: 'git clone https://me:hunter2@a.example/b' }, 'Run git clone https://me:••••@a.example/b'],
  ['note', { text: HALF }, 'note “••••”'],
  // characters that hide
  ['Bash', { command: 'ls \u202Eabc' }, 'Run ls [U+202E]abc'],
];

describe('the name of a call', () => {
  for (const [name, args, en, zh] of CASES)
    test(`${name} ${JSON.stringify(args).slice(0, 80)} is called ${en}`, () => {
      strictEqual(plainName(callName({ name, args }, 'en').parts, 400), en);
      if (zh) strictEqual(plainName(callName({ name, args }, 'zh').parts, 400), zh);
    });

  test('a diff says which files change and by how many lines', () => {
    const write = { name: 'Edit', args: { file_path: 'src/app.ts' } };
    const two = [...DIFF, { path: 'b.ts', oldText: '', newText: 'one' }];
    const named = [DIFF, two].map((diff) => plainName(callName({ ...write, diff }, 'en').parts, 100));
    deepStrictEqual(named, ['Write src/app.ts +2 −1', 'Write 2 files +3 −1']);
  });

  test('its pieces say what is for people and what is for a machine', () => {
    deepStrictEqual(callName({ name: 'Bash', args: { command: 'ls' } }, 'en'), {
      parts: [{ text: 'Run ' }, { text: 'ls', code: true }],
      exact: true,
    });
  });

  test('it is exact only where it says every argument as it is', () => {
    const exact = (name: string, args: Json) => callName({ name, args }, 'en').exact;
    deepStrictEqual(
      [
        exact('Bash', { command: 'ls' }),
        exact('Read', { file_path: 'a' }),
        exact('stop', {}),
        exact('Bash', { command: 'ls', timeout: 5 }),
        exact('Bash', { command: 'a\nb' }),
        exact('Bash', { command: 'a --token b' }),
        exact('Bash', { command: `echo ${'a '.repeat(400)}` }),
        exact('Bash', { command: ['bash', '-lc', 'ls'] }),
        exact('Write', { file_path: 'a', content: 'b' }),
        exact('login', { password: 'a' }),
      ],
      [true, true, true, ...Array<boolean>(7).fill(false)],
    );
  });

  test('numbers stand as they were written', () => {
    const text = '{"amount":170.00,"currency":"EUR"}';
    const args = parseExact(text) as Json;
    const lossy = JSON.parse(text) as Json;
    strictEqual(plainName(callName({ name: 'refund', args }, 'en').parts, 100), 'Refund 170.00 EUR');
    strictEqual(plainName(callName({ name: 'refund', args: lossy }, 'en', text).parts, 100), 'Refund 170.00 EUR');
  });
});

describe('the name of several calls', () => {
  const bash = { name: 'Bash', args: { command: 'ls' } };
  const slack = { name: 'mcp__slack__post_message', args: { channel: '#a' } };

  test('says how many of what, the most first', () => {
    const say = (calls: Call[], language: 'en' | 'zh' = 'en') => plainName(callsName(calls, language), 200);
    deepStrictEqual(
      [
        say([slack, bash, bash]),
        say([slack, bash, bash], 'zh'),
        say([slack, { ...slack, name: 'slack.delete' }]),
        say(['a', 'b', 'c', 'd', 'e'].map((name) => ({ ...bash, name }))),
        say([bash]),
      ],
      [
        '3 calls: Bash 2, Slack 1',
        '3 个调用：Bash 2，Slack 1',
        '2 calls: slack.post_message 1, slack.delete 1',
        '5 calls: a 1, b 1, c 1, d 1, …',
        'Run ls',
      ],
    );
  });

  test('[SEE1] the title of a sender is a quotation before the call, and what the hub made of the names is none', () => {
    const title = (given: string, ...actions: Call[]) => titleText({ title: given, actions }, 'en');
    deepStrictEqual(
      [
        title('May I look?', bash),
        title('Bash', bash),
        title('Bash, mcp__slack__post_message', bash, slack),
        title('Hello'),
        title('Deploy', { name: 'Bash', args: { command: 'terraform destroy' } }),
        title('x”: Run ls', bash),
        title('\u200b \u3164', bash),
        title('b'.repeat(140), { name: 'Bash', args: { command: `rm -rf ${'a/'.repeat(300)} end` } }),
      ],
      [
        '“May I look?”: Run ls',
        'Run ls',
        '2 calls: Bash 1, Slack 1',
        'Hello',
        '“Deploy”: Run terraform destroy',
        '“x": Run ls”: Run ls',
        'Run ls',
        `“${'b'.repeat(42)}…${'b'.repeat(27)}”: Run rm -rf ${'a/'.repeat(14)}…/${'a/'.repeat(10)} end`,
      ],
    );
    strictEqual(titleText({ title: ' \u2800', prompt: 'What now?' }, 'en'), 'What now?');
    strictEqual(isUntitled({ title: `${'a'.repeat(139)}…`, actions: [{ ...bash, name: 'a'.repeat(180) }] }), true);
  });
});

describe('a name that is too long', () => {
  test('is cut in its middle, between words, so that its end is read', () => {
    const command = 'npm run db:migrate -- --from 20260101 --to 20261123 --verbose --with-locks --env staging';
    const { parts } = callName({ name: 'Bash', args: { command } }, 'en');
    deepStrictEqual(cutName(parts, 46), [
      { text: 'Run ' },
      { text: 'npm run db:migrate -- … --env staging', code: true },
    ]);
  });

  test('a path is cut between its folders', () => {
    const { parts } = callName(
      { name: 'Read', args: { file_path: '/home/mara/shop/checkout/web/inquiry/a.ts' } },
      'en',
    );
    strictEqual(plainName(parts, 34), 'Read /home/mara/shop/…/a.ts');
  });
});

describe('whatever a call holds', () => {
  const NAMES = [
    'Bash',
    'shell',
    'Write',
    'apply_patch',
    'fetch',
    'mcp__a__b',
    'query',
    'crm.merge',
    'github.create_issue',
  ];
  const MEMBERS = [
    'command',
    'text',
    'url',
    'query',
    'path',
    'title',
    'to',
    'input',
    'sql',
    'amount',
    'body',
    'owner',
    'repo',
  ];
  const key = fc.constantFrom(...MEMBERS);
  const { json } = fc.letrec<{ json: unknown }>((tie) => ({
    json: fc.oneof(
      { maxDepth: 4 },
      fc.string({ unit: 'binary' }),
      fc.double(),
      fc.boolean(),
      fc.constant(null),
      fc.array(tie('json'), { maxLength: 4 }),
      fc.dictionary(fc.oneof(key, fc.string()), tie('json'), { maxKeys: 5 }),
    ),
  }));
  const name = fc.oneof(fc.constantFrom(...NAMES), fc.string({ unit: 'binary', minLength: 1 }));

  test('a name comes out, never longer than asked and with nothing in it that hides', () => {
    fc.assert(
      fc.property(
        name,
        json,
        fc.integer({ min: 1, max: 300 }),
        fc.constantFrom('en' as const, 'zh' as const),
        (tool, args, max, language) => {
          const text = titleText({ title: tool, actions: [{ name: tool, args: args as Json }] }, language, max);
          ok(text.length <= max);
          ok(text.isWellFormed());
          ok(!/[\u202A-\u202E\u2066-\u2069\u200B\p{Cc}]/u.test(text));
        },
      ),
      // A title of one tab once stayed a tab.
      { numRuns: 1000, examples: [['\t', [], 1, 'en']] },
    );
  });

  const letters = 'abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789';
  const random = (length: number) =>
    fc
      .array(fc.constantFrom(...letters.split('')), { minLength: length, maxLength: length })
      .map((all) => all.join(''))
      .filter((text) => /\d.*\d.*\d/.test(text) && /[a-z]/.test(text) && /[A-Z]/.test(text));
  const SHAPES: ((secret: string) => string)[] = [
    ...['sk-', 'sk_live_', 'ghp_', 'github_pat_', 'glpat-', 'xoxb-', 'AIza', 'npm_', 'hf_', 'bks_', 'whsec_'].map(
      (prefix) => (secret: string) => prefix + secret,
    ),
    (secret) => secret,
    (secret) => `API_TOKEN=${secret}`,
    (secret) => `"password": "${secret}"`,
    (secret) => `--client-secret ${secret}`,
    (secret) => `-H 'Authorization: Bearer ${secret}'`,
    (secret) => `https://user:${secret}@host.example/x`,
    (secret) => `https://host.example/x?access_token=${secret}&b=1`,
    (secret) => `eyJhbGciOiJI.${secret}.${secret}`,
    (secret) => `-----BEGIN PRIVATE KEY-----\n${secret}\n-----END PRIVATE KEY-----`,
  ];

  test('no secret of any known form stands in its name, wherever it stands in the call', () => {
    const shape = fc.constantFrom(...SHAPES);
    const words = fc.constantFrom('', 'curl -s ', 'deploy now ', 'x '.repeat(300));
    fc.assert(
      fc.property(random(36), shape, name, key, words, words, (secret, wrap, tool, member, before, after) => {
        const text = `${before}${wrap(secret)} ${after}`;
        for (const args of [
          { [member]: text },
          { [member]: [text] },
          { [member]: { [member]: text } },
          text,
        ] as Json[]) {
          const said = titleText({ title: tool, actions: [{ name: tool, args }] }, 'en', 800);
          for (let at = 0; at + 12 <= secret.length; at += 4) ok(!said.includes(secret.slice(at, at + 12)), said);
        }
      }),
      { numRuns: 300 },
    );
  });

  test('no argument whose name says that it is a secret is shown', () => {
    const names = [
      'password',
      'apiKey',
      'api_key',
      'ACCESS_TOKEN',
      'clientSecret',
      'auth',
      'cookie',
      'private-key',
      'pin',
      'userPassword',
    ];
    fc.assert(
      fc.property(name, fc.constantFrom(...names), fc.stringMatching(/^[a-z]{9}$/), (tool, secretName, secret) => {
        fc.pre(!tool.includes(secret));
        const args = { [secretName]: secret };
        for (const given of [args, { input: args }])
          ok(!titleText({ title: tool, actions: [{ name: tool, args: given }] }, 'en', 800).includes(secret));
      }),
    );
  });
});
