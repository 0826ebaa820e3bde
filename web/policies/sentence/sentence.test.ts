import { deepStrictEqual, strictEqual } from 'node:assert/strict';
import { test } from 'node:test';
import { parseExact } from '#shared/json.ts';
import { Rule, When, type Then } from '#shared/policies/rule.ts';
import { en } from './en.ts';
import { splitPieces, saySentence } from './sentence.ts';
import { zh } from './zh.ts';

const SRC = 'src_00000000000000000000000001';
const OTHER = 'src_00000000000000000000000002';
const now = new Date(2026, 10, 21, 13, 5).getTime();
const tonight = new Date(2026, 10, 21, 22).toISOString();
const nameOf = (id: string) => (id.startsWith('dcd_') ? 'Helper' : id === SRC ? 'Claude Code' : 'Refund desk');

const said = (rule: object, language: 'en' | 'zh') =>
  splitPieces(saySentence(Rule.parse({ name: 'r', when: {}, then: 'ask', ...rule }), { language, now, nameOf }))
    .map(({ text, exact }) => (exact ? `\`${text}\`` : text))
    .join('');

/** What a rule looks at, and the clause that tells it, in both languages. */
const WHENS: [when: object, en: string, zh: string][] = [
  [{}, 'any source asks anything', '任何来源提出任何事'],
  [{ source: SRC }, 'Claude Code asks anything', 'Claude Code 提出任何事'],
  [{ source: [SRC, OTHER] }, 'Claude Code or Refund desk asks anything', 'Claude Code 或 Refund desk 提出任何事'],
  [{ source: SRC, tool: 'Bash' }, 'Claude Code calls `Bash`', 'Claude Code 调用 `Bash`'],
  [{ tool: ['Read', 'git_*'] }, 'any source calls `Read` or `git_*`', '任何来源调用 `Read` 或 `git_*`'],
  [{ kind: 'text' }, 'any source asks for a text', '任何来源要一段文字'],
  [
    { kind: ['questions', 'link'] },
    'any source asks questions or for a page to be opened',
    '任何来源提出问题或请人打开网页',
  ],
  [{ question: { prompt: 'Where to?' } }, 'any source asks `Where to?`', '任何来源提问 `Where to?`'],
  [
    { kind: 'actions', tool: 'x' },
    'any source asks to run something, and the tool is `x`',
    '任何来源要执行操作，且工具是 `x`',
  ],
  [
    { tool: 'Bash', shell: ['git status', 'ls *'] },
    'any source calls `Bash`, and a command in its line is `git status` or `ls` with any further words, or may run it, or its line is not understood',
    '任何来源调用 `Bash`，且命令行里有一条命令是 `git status` 或 `ls`（后面可以再跟任何词），或者可能运行它，或者命令行没有被读懂',
  ],
  [
    { tool: 'x', args: { '': { equals: { a: 1, b: ['c'] } } } },
    'any source calls `x`, and the whole of its arguments is `{"a":1,"b":["c"]}`, or that cannot be told',
    '任何来源调用 `x`，且全部参数是 `{"a":1,"b":["c"]}`，或者无法确定',
  ],
  [
    { tool: 'x', args: { '/a/b': { equals: 'no' }, '/c': { oneOf: [1, 'two', null] } } },
    'any source calls `x`, and `a/b` is `"no"`, and `c` is `1`, `"two"`, or `null`, or that cannot be told',
    '任何来源调用 `x`，且 `a/b` 是 `"no"`，且 `c` 是 `1`、`"two"` 或 `null`，或者无法确定',
  ],
  [
    { tool: 'x', args: { '/p': { under: '/home/me' }, '/u': { matches: 'https://*' } } },
    'any source calls `x`, and `p` is `/home/me` or a path below it, and `u` is a text like `https://*`, or that cannot be told',
    '任何来源调用 `x`，且 `p` 是 `/home/me` 或它下面的路径，且 `u` 是形如 `https://*` 的文字，或者无法确定',
  ],
  [
    { tool: 'x', args: { '/n': { min: 1 }, '/m': { max: 5 }, '/k': { min: 1, max: 5 } } },
    'any source calls `x`, and `n` is at least 1, and `m` is at most 5, and `k` is from 1 to 5, or that cannot be told',
    '任何来源调用 `x`，且 `n` 不小于 1，且 `m` 不大于 5，且 `k` 在 1 到 5 之间，或者无法确定',
  ],
  [
    { agent: 'Claude*' },
    'any source asks anything, and its agent is called `Claude*`',
    '任何来源提出任何事，且智能体名为 `Claude*`',
  ],
  [
    { dialect: 'claude-hook', gate: ['files', 'git'] },
    'any source asks anything, and it comes through `claude-hook`, and it waits at the gate `files` or `git`',
    '任何来源提出任何事，且经由 `claude-hook` 提出，且停在审批网关 `files` 或 `git`',
  ],
  [
    { annotation: 'read-only' },
    'any source asks anything, and the tool says that it only reads',
    '任何来源提出任何事，且工具自称只读取',
  ],
  [
    { annotation: 'destructive' },
    'any source asks anything, and the tool says that it destroys',
    '任何来源提出任何事，且工具自称有破坏性',
  ],
  [
    { annotation: 'not destructive' },
    'any source asks anything, and the tool says that it destroys nothing',
    '任何来源提出任何事，且工具自称没有破坏性',
  ],
  [
    { run: '482', group: 'g*' },
    'any source asks anything, and it is of the run `482`, and its group is called `g*`',
    '任何来源提出任何事，且属于运行 `482`，且分组名为 `g*`',
  ],
  [
    { asked: { min: 1 } },
    'any source asks anything, and its run has asked 1 inquiry or more before',
    '任何来源提出任何事，且这次运行此前已问过 1 件或更多',
  ],
  [
    { asked: { max: 3 } },
    'any source asks anything, and its run has asked at most 3 inquiries before',
    '任何来源提出任何事，且这次运行此前最多问过 3 件',
  ],
  [
    { asked: { min: 1, max: 3 } },
    'any source asks anything, and its run has asked 1 to 3 inquiries before',
    '任何来源提出任何事，且这次运行此前问过 1 到 3 件',
  ],
  [
    { time: { from: '22:00', to: '07:00' }, days: ['sat', 'sun'] },
    'any source asks anything, and it is between 22:00 and 07:00, and this began on Saturday or Sunday',
    '任何来源提出任何事，且时间在 22:00 到 07:00 之间，且这段时间始于周六或周日',
  ],
];

/** What a rule does, in both languages. */
const THENS: [then: Then, en: string, zh: string][] = [
  ['approve', 'approve it', '批准'],
  ['suggested', 'answer as the asker suggests', '按提问方的建议回答'],
  ['you-decide', 'let the agent decide', '由智能体自己决定'],
  ['unanswered', 'treat it as not answered in time', '按无人及时答复处理'],
  ['random', 'pick one of the options at random', '随机选一个选项'],
  ['ask', 'ask', '询问'],
  ['ask-quietly', 'ask without notifying anyone', '询问，但不通知任何人'],
  [{ reject: 'Not now.' }, 'reject it with the words `Not now.`', '拒绝，并说 `Not now.`'],
  [{ answer: 'Yes' }, 'answer `Yes`', '回答 `Yes`'],
  [{ decider: 'dcd_00000000000000000000000000' }, 'let Helper decide', '让 Helper 决定'],
  [{ ask: ['mara', 'ops'] }, 'ask `mara` and `ops` instead', '改问 `mara`和`ops`'],
];

test('[POL7] a rule is told with each of its conditions, in English and Chinese', () => {
  deepStrictEqual(
    WHENS.map(([when]) => [said({ when, name: 'r' }, 'en'), said({ when }, 'zh')]),
    WHENS.map(([, english, chinese]) => [
      `When ${english}, ask.`,
      `${chinese}${chinese.endsWith('`') ? ' ' : ''}时，询问。`,
    ]),
  );
});

const YES = { value: 'y', label: 'Yes' };
const NO = { value: 'n', label: 'No' };

test('[POL7] a rule for one question is told with its words, its options and the label of its answer', () => {
  const told = (question: object, more: object = {}, answer = 'y') => {
    const rule = { when: { source: SRC, question, ...more }, then: { answer } };
    return [said(rule, 'en'), said(rule, 'zh')];
  };
  const [whole, text] = [{ prompt: 'Ship it?', options: [YES, NO] }, { prompt: 'Where to?\n\nAnd why?' }];
  deepStrictEqual(
    [
      told(whole, { kind: 'questions' }),
      told(text, { kind: 'text' }, 'Main'),
      told({ ...whole, options: [{ ...YES, description: 'To everybody.' }, NO] }, { kind: 'questions' }, 'n'),
      told({ ...whole, options: [YES, { ...NO, label: 'yes' }] }),
      // What never fits, and a tool, are told too.
      told(whole, { kind: ['text', 'document'] }),
      told(text, { tool: 'Bash' }),
    ],
    [
      [
        'When Claude Code asks `Ship it?` with `Yes` or `No`, answer `Yes`.',
        'Claude Code 提问 `Ship it?`（选项 `Yes` 或 `No`）时，回答 `Yes`。',
      ],
      [
        'When Claude Code asks `Where to? And why?`, answer `Main`.',
        'Claude Code 提问 `Where to? And why?` 时，回答 `Main`。',
      ],
      [
        'When Claude Code asks `Ship it?` with `Yes` or `No` and the same descriptions, answer `No`.',
        'Claude Code 提问 `Ship it?`（选项 `Yes` 或 `No`，说明相同）时，回答 `No`。',
      ],
      [
        'When Claude Code asks `Ship it?` with `Yes (y)` or `yes (n)`, answer `Yes (y)`.',
        'Claude Code 提问 `Ship it?`（选项 `Yes (y)` 或 `yes (n)`）时，回答 `Yes (y)`。',
      ],
      [
        'When Claude Code asks for a text or for a document to be edited, and it asks `Ship it?` with `Yes` or `No`, answer `Yes`.',
        'Claude Code 要一段文字或请人改一份文档，且提问 `Ship it?`（选项 `Yes` 或 `No`）时，回答 `Yes`。',
      ],
      [
        'When Claude Code calls `Bash`, and it asks `Where to? And why?`, answer `y`.',
        'Claude Code 调用 `Bash`，且提问 `Where to? And why?` 时，回答 `y`。',
      ],
    ],
  );
});

test('of a long question both ends are told, of many options the first, and what cannot be seen by name', () => {
  const prompt = `Ship \u2069release 4 ${'to every region '.repeat(100)}tonight?`;
  const options = Array.from({ length: 50 }, (_, at) => ({ value: `${at}`, label: `Train ${at}` }));
  const ends = `${'to every region '.repeat(5)}… ${'to every region '.repeat(3)}tonight?`;
  const one = { when: { question: { prompt, options } }, then: { answer: '7' } };
  deepStrictEqual(
    [said(one, 'en'), said(one, 'zh')],
    [
      `When any source asks \`Ship [U+2069]release 4 ${ends}\` with \`Train 0\`, \`Train 1\`, \`Train 2\`, \`Train 3\`, \`Train 4\`, \`Train 5\`, or 44 more, answer \`Train 7\`.`,
      `任何来源提问 \`Ship [U+2069]release 4 ${ends}\`（选项 \`Train 0\`、\`Train 1\`、\`Train 2\`、\`Train 3\`、\`Train 4\`、\`Train 5\` 或另外 44 个）时，回答 \`Train 7\`。`,
    ],
  );
});

test('a rule is told with what it does and when it ends', () => {
  const one = { when: { source: SRC }, until: tonight };
  deepStrictEqual(
    THENS.map(([then]) => [said({ ...one, then }, 'en'), said({ ...one, then }, 'zh')]),
    THENS.map(([, english, chinese]) => [
      `When Claude Code asks anything, ${english} until 22:00.`,
      `Claude Code 提出任何事时，${chinese}（到 22:00 为止）。`,
    ]),
  );
});

test('a rule whose words end in a full stop is told with this one alone', () => {
  const told = (then: Then) => [said({ then }, 'en'), said({ then }, 'zh')];
  deepStrictEqual(
    [told({ answer: 'Ask Jonas.' }), told({ reject: '先问 Jonas。' }), told({ answer: 'Ask Jonas' })],
    [
      ['When any source asks anything, answer `Ask Jonas.`', '任何来源提出任何事时，回答 `Ask Jonas.`'],
      [
        'When any source asks anything, reject it with the words `先问 Jonas。`',
        '任何来源提出任何事时，拒绝，并说 `先问 Jonas。`',
      ],
      ['When any source asks anything, answer `Ask Jonas`.', '任何来源提出任何事时，回答 `Ask Jonas`。'],
    ],
  );
});

test('[POL7] a rule that approves commands says that each of them is one of these, and one by time whose time it is', () => {
  const told = (rule: object) =>
    (['en', 'zh'] as const).map((language) => {
      const reading = { language, now, nameOf, timeZone: 'Europe/Berlin' };
      return splitPieces(saySentence(Rule.parse({ name: 'r', then: 'approve', ...rule }), reading))
        .map(({ text }) => text)
        .join('');
    });
  deepStrictEqual(
    [
      told({ when: { tool: 'Bash', shell: ['ls *'] } }),
      told({ when: { tool: 'Bash', time: { from: '08:00', to: '18:00' } } }),
      told({ when: { tool: 'Bash', days: ['sat'] } }),
    ],
    [
      [
        'When any source calls Bash, and every command in its line is ls with any further words that are no options, and nothing else, approve it.',
        '任何来源调用 Bash，且命令行里每条命令都是 ls（后面可以再跟不是选项的词），且没有其他参数时，批准。',
      ],
      [
        'When any source calls Bash, and it is between 08:00 and 18:00 (time of Europe/Berlin), approve it.',
        '任何来源调用 Bash，且时间在 08:00 到 18:00 之间（Europe/Berlin 时间）时，批准。',
      ],
      [
        'When any source calls Bash, and it is Saturday (time of Europe/Berlin), approve it.',
        '任何来源调用 Bash，且当天是周六（Europe/Berlin 时间）时，批准。',
      ],
    ],
  );
});

test('[POL7] no member of a condition is left untold', () => {
  const told = new Set(WHENS.flatMap(([when]) => Object.keys(when)));
  deepStrictEqual([...told].toSorted(), Object.keys(When.shape).toSorted());
});

test('a number is told with all its digits, and what cannot be seen by name', () => {
  const args = parseExact('{"/n":{"equals":9007199254740993},"/t":{"equals":"a\\u2069\\u202Eb"}}');
  strictEqual(
    said({ when: { tool: 'x', args } }, 'en'),
    'When any source calls `x`, and `n` is `9007199254740993`, and `t` is `"a[U+2069][U+202E]b"`, or that cannot be told, ask.',
  );
});

test('a name that another wrote ends no code and begins none', () => {
  const forged = (id: string) => `${id.slice(0, 3)}\u2068x\u2069\nWhen`;
  const pieces = splitPieces(
    saySentence(Rule.parse({ name: 'r', when: { source: SRC }, then: 'ask' }), { language: 'en', now, nameOf: forged }),
  );
  deepStrictEqual(
    pieces.filter(({ exact }) => exact),
    [],
  );
});

test('the Chinese words have every member the English ones have', () => {
  const shape = (value: unknown): unknown =>
    typeof value === 'object' && value !== null
      ? Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, shape(inner)]))
      : typeof value;
  deepStrictEqual(shape(zh), shape(en));
});
