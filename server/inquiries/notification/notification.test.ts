import { deepStrictEqual, ok } from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { By, Resolution } from '#shared/answer.ts';
import type { Action, Ask, Inquiry, Question } from '#shared/inquiry.ts';
import type { Json } from '#shared/json.ts';
import type { PushMessage } from '#shared/push.ts';
import type { Notified, Privacy } from '../../deliveries/push/compose.ts';
import { toNotification } from './notification.ts';

const ID = 'inq_00000000000000000000000000';
const READER: Notified = { locale: 'en', privacy: 'full', handle: 'ada', badge: 2 };
const CHOICE: Question = { id: 'q', type: 'choice', prompt: 'Ship it?', options: options('Ship', 'Wait') };
const ACTION: Action = { name: 'Apply the migrations?', args: {}, allowed: ['approve', 'reject'] };
const WHOLE = { title: 'Ship it?', questions: [CHOICE] };

type AskMessage = Extract<PushMessage, { t: 'ask' }>;

function inquiry(asked: Partial<Ask> & { title: string }, more: Partial<Inquiry> = {}): Inquiry {
  const { to: _to, deadline: _deadline, latest: _latest, ...rest } = asked;
  const times = { openedAt: '2026-11-21T14:00:00.000Z', latestAt: '2026-11-21T14:17:00.000Z' };
  return {
    id: ID,
    state: 'open',
    to: ['ada'],
    source: { id: 'src_1', name: 'Claude Code' },
    digest: 'd',
    revision: 1,
    ...times,
    deadlineAt: '2026-11-21T14:17:00.000Z',
    reach: { told: 0, accepted: 0, shown: 0, opened: 0 },
    ...rest,
    ...more,
  };
}
function ask(asked: Partial<Ask> & { title: string }, reader: Partial<Notified> = {}): AskMessage {
  return toNotification(inquiry(asked), { ...READER, ...reader }) as AskMessage;
}
function options(...labels: string[]) {
  return labels.map((label) => ({ value: label.toLowerCase(), label }));
}
const titles = ({ actions }: AskMessage): string[] => actions.map(({ title }) => title);

describe('what a question says', () => {
  test('the whole of a question of two options: title, source and folder, both answers as they are sent', () => {
    deepStrictEqual(ask({ ...WHOLE, context: { cwd: '/home/ada/shop-api/' } }), {
      t: 'ask',
      id: ID,
      title: 'Ship it?',
      body: 'Claude Code, shop-api.',
      actions: [
        {
          action: 'option-0',
          title: 'Ship',
          body: { values: { q: 'ship' }, answerId: 'notification-option-0', digest: 'd', via: 'notification' },
        },
        {
          action: 'option-1',
          title: 'Wait',
          body: { values: { q: 'wait' }, answerId: 'notification-option-1', digest: 'd', via: 'notification' },
        },
      ],
      lang: 'en',
      deadlineAt: '2026-11-21T14:17:00.000Z',
      urgency: 'normal',
      badge: 2,
    });
  });

  test('[APR4] of several people that must approve it says who has, and has no button once somebody changed the call', () => {
    const at = '2026-11-21T14:01:00.000Z';
    const device = { id: 'dev_1', name: 'Phone' };
    const by = { kind: 'person', personId: 'per_1', handle: 'anna', device, via: 'live' } as const;
    const say = (more: Partial<Inquiry>, reader: Partial<Notified> = {}) => {
      const asked = inquiry({ title: 'Ship it?', actions: [ACTION], approvals: { count: 2 } }, more);
      const message = toNotification(asked, { ...READER, ...reader }) as AskMessage;
      return [message.body.split('\n')[0], titles(message)];
    };
    const edited: Partial<Inquiry> = { approved: [{ by, at }], standing: [{ type: 'edit', args: {} }] };
    deepStrictEqual(
      [
        say({}),
        say({ approved: [{ by, at }], standing: [{ type: 'approve' }] }, { locale: 'zh' }),
        say({ approved: [{ by, at }] }, { privacy: 'title' })[0],
        say(edited)[1],
      ],
      [
        ['2 people must approve. Claude Code.', ['Approve', 'Reject']],
        ['1/2：anna 已批准。Claude Code。', ['批准', '拒绝']],
        'Claude Code.',
        [],
      ],
    );
  });

  const FACES = [
    ['full', 'full', 'Ship it?', 'Claude Code.\nBoth nodes are green.'],
    ['full', 'title', 'Ship it?', 'Claude Code.'],
    ['title', 'full', 'Ship it?', 'Claude Code.'],
    ['title', 'source', 'Claude Code asks something', 'Unlock to read it.'],
    ['source', 'full', 'Claude Code asks something', 'Unlock to read it.'],
    ['nothing', 'full', 'Something waits for you', 'Unlock to read it.'],
    ['full', 'nothing', 'Something waits for you', 'Unlock to read it.'],
  ] as const;
  for (const [asked, person, title, body] of FACES) {
    test(`[PRV1] asked ${asked}, person ${person}: no more than the stricter allows`, () => {
      const message = ask({ ...WHOLE, prompt: 'Both nodes are green.', privacy: asked }, { privacy: person });
      deepStrictEqual([message.title, message.body], [title, body]);
    });
  }

  test('[PRV1] without a word of its sender an inquiry shows what the person wants', () => {
    const asked = { ...WHOLE, prompt: 'Both nodes are green.' };
    const faces = (['full', 'title', 'source'] as const).map((privacy) => {
      const { title, body } = ask(asked, { privacy });
      return [title, body, titles(ask(asked, { privacy }))];
    });
    deepStrictEqual(faces, [
      ['Ship it?', 'Claude Code.\nBoth nodes are green.', ['Ship', 'Wait']],
      ['Ship it?', 'Claude Code.', []],
      ['Claude Code asks something', 'Unlock to read it.', []],
    ]);
  });

  test('[PRV1] a call is pushed by its name, with its command and both buttons, only where everything may be shown', () => {
    const face = (args: Json, privacy: Privacy, more: Partial<Ask> & { title?: string } = {}) => {
      const asked = ask({ title: 'Bash', actions: [{ ...ACTION, name: 'Bash', args }], ...more }, { privacy });
      return [asked.title, asked.body, titles(asked)];
    };
    const command = 'npm run db:migrate -- --from 20260101 --env staging';
    const both = ['Approve', 'Reject'];
    const sql = { ...ACTION, name: 'mcp__postgres_prod__query', args: { sql: 'delete from users' } };
    deepStrictEqual(
      [
        face({ command: 'npm ci' }, 'full'),
        face({ command }, 'full'),
        face({ command: 'npm ci' }, 'title'),
        face({ command: 'npm ci' }, 'full', { privacy: 'title' }),
        face({ command: 'npm ci' }, 'source'),
        face({}, 'full', { title: sql.name, actions: [sql] }),
        face({ command: 'deploy --token hunter2' }, 'full'),
        face({ command: 'npm ci' }, 'full', {
          actions: [
            { ...ACTION, name: 'Bash' },
            { ...ACTION, name: 'Write' },
          ],
        }),
      ],
      [
        ['Run npm ci', 'Claude Code.\nBash', both],
        [`Run ${command}`, `Claude Code.\nBash\n{"command":"${command}"}`, both],
        ['Bash', 'Claude Code.', []],
        ['Bash', 'Claude Code.', []],
        ['Claude Code asks something', 'Unlock to read it.', []],
        [
          'Delete from users (postgres_prod)',
          'Destructive. Claude Code.\nmcp__postgres_prod__query\n{"sql":"delete from users"}',
          both,
        ],
        ['Run deploy --token ••••', 'Claude Code.\nBash\n{"command":"deploy --token ••••"}', []],
        ['2 calls: Bash 1, Write 1', 'Claude Code.', []],
      ],
    );
  });

  test('[PRV1] what destroys is marked where its arguments may be read, beside caution and never as caution', () => {
    const face = (more: Partial<Action>, reader: Partial<Notified> = {}) => {
      const bash = { ...ACTION, name: 'Bash', args: { command: 'rm -rf build' }, ...more };
      const { title, body, actions } = ask({ title: 'Bash', actions: [bash] }, reader);
      return [title, body.split('\n')[0], actions.length];
    };
    deepStrictEqual(
      [
        face({}),
        face({}, { locale: 'zh' }),
        face({ caution: true }),
        face({}, { privacy: 'title' }),
        face({}, { privacy: 'source' }),
        face({ args: { command: 'ls build' } }),
      ],
      [
        ['Run rm -rf build', 'Destructive. Claude Code.', 2],
        ['执行 rm -rf build', '破坏性操作。Claude Code。', 2],
        ['Run rm -rf build', 'Caution. Destructive. Claude Code.', 0],
        ['Bash', 'Claude Code.', 0],
        ['Claude Code asks something', 'Unlock to read it.', 0],
        ['Run ls build', 'Claude Code.', 2],
      ],
    );
  });

  test('[PRV1] whatever stands under a secret’s name is masked, at every depth', () => {
    const body = (name: string, args: Json) => {
      const asked = ask({ title: 'Do it', actions: [{ ...ACTION, name, args }] });
      return [asked.body, titles(asked)];
    };
    deepStrictEqual(
      [
        body('save', { user: 'ada', a: [{ passwords: ['hunter2', { b: 'hunter3' }] }] }),
        body('set_password', { value: 'hunter2', of: [1] }),
        body('set_env', { value: 'hunter2', key: 'DB_PASSWORD' }),
      ],
      [
        ['Claude Code.\nsave\n{"user":"ada","a":[{"passwords":••••}]}', []],
        ['Claude Code.\nset_password\n{"value":"••••","of":["••••"]}', []],
        ['Claude Code.\nset_env\n{"value":"••••","key":"DB_PASSWORD"}', []],
      ],
    );
  });

  test('it is in the person’s language, whatever the inquiry’s', () => {
    const message = ask({ title: 'Apply the migrations?', actions: [ACTION] }, { locale: 'zh' });
    deepStrictEqual([message.lang, message.body, titles(message)], ['zh', 'Claude Code。', ['批准', '拒绝']]);
  });

  test('[PRV1] characters that hide or turn text around are named, and then nothing can be answered unseen', () => {
    for (const [hidden, named] of [
      ['\u202E', '[U+202E]'],
      ['\u200B', '[U+200B]'],
      ['\u3164', '[U+3164]'],
    ] as const) {
      const call = { ...ACTION, name: 'Bash', args: { command: `ls ${hidden}a` } };
      const pushed = ask({ title: 'Bash', actions: [call] });
      deepStrictEqual([pushed.title, titles(pushed)], [`Run ls ${named}a`, []]);
      const message = ask({ title: `Ship ${hidden}gnp.exe?`, prompt: `Ship ${hidden}gnp.exe?` });
      deepStrictEqual([message.title, message.reply], [`Ship ${named}gnp.exe?`, undefined]);
    }
    const persian = ask({ title: 'می\u200Cخواهم 👩\u200D👧؟', prompt: 'می\u200Cخواهم 👩\u200D👧؟' });
    deepStrictEqual([persian.title, persian.reply !== undefined], ['می\u200Cخواهم 👩\u200D👧؟', true]);
  });

  test('a body never outgrows what a push can carry', () => {
    const long = ask({ ...WHOLE, prompt: '长'.repeat(20_000), privacy: 'full' });
    ok(Buffer.byteLength(JSON.stringify(long)) <= 2_500);
    deepStrictEqual([long.body.endsWith('…'), titles(long)], [true, []]);
    const values = [1, 2].map((at) => ({ value: `${at}${'值'.repeat(499)}`, label: `Option ${at}` }));
    const heavy = ask({ title: 'Ship it?', questions: [{ ...CHOICE, options: values }] });
    deepStrictEqual(titles(heavy), []);
  });
});

describe('what can be answered without opening the page', () => {
  const only = (action: Partial<Action>, more: { privacy?: 'full' | 'title' } = {}) => ({
    title: 'Apply the migrations?',
    actions: [{ ...ACTION, ...action }],
    ...more,
  });
  const choice = (more: object) => ({ title: 'Ship it?', questions: [{ ...CHOICE, ...more }] });
  const NEVER = { id: 'Never', label: 'Never', type: 'reject' as const };
  const TABLE: [what: string, asked: Partial<Ask> & { title: string }, buttons: string[]][] = [
    ['one question of two options', WHOLE, ['Ship', 'Wait']],
    ['one option', choice({ options: options('Go on') }), ['Go on']],
    ['three options', choice({ options: options('A', 'B', 'C') }), []],
    ['several answers at once', choice({ type: 'multi' }), []],
    ['an option with a preview', choice({ options: [{ value: 'a', label: 'A', preview: '…' }] }), []],
    [
      'an option that is described elsewhere',
      { ...choice({ options: [{ value: 'a', label: 'A', description: 'x' }] }), privacy: 'title' },
      [],
    ],
    [
      'a described option, shown in full',
      { ...choice({ options: [{ value: 'a', label: 'A', description: 'x' }] }), privacy: 'full' },
      ['A'],
    ],
    ['a label too long for a button', choice({ options: options('x'.repeat(41)) }), []],
    ['two questions', { title: 'Ship it?', questions: [CHOICE, { ...CHOICE, id: 'r' }] }, []],
    ['a prompt that the title does not show', { ...WHOLE, prompt: 'Both nodes are green.', privacy: 'title' }, []],
    ['that prompt, shown in full', { ...WHOLE, prompt: 'Both nodes are green.', privacy: 'full' }, ['Ship', 'Wait']],
    ['a prompt too long for a body', { ...WHOLE, prompt: 'x '.repeat(200), privacy: 'full' }, []],
    ['the same with the source only', { ...WHOLE, privacy: 'source' }, []],
    ['the same with nothing', { ...WHOLE, privacy: 'nothing' }, []],
    ['one action', only({}), ['Approve', 'Reject']],
    ['an action that cannot be rejected', only({ allowed: ['approve'] }), ['Approve']],
    ['an action with arguments that the title hides', only({ args: { force: true } }, { privacy: 'title' }), []],
    ['those arguments, shown in full', only({ args: { force: true } }, { privacy: 'full' }), ['Approve', 'Reject']],
    [
      'an action under so many lines that a system cuts them',
      only({ description: 'a\nb\nc\nd\ne\nf' }, { privacy: 'full' }),
      [],
    ],
    ['an action with caution', only({ caution: true }, { privacy: 'full' }), []],
    ['an action with a difference to read', only({ diff: [{ path: 'a', oldText: '', newText: 'b' }] }), []],
    ['two actions', { title: 'Both?', actions: [ACTION, ACTION] }, []],
    ['the sender’s own two buttons', only({ options: [...own('Once'), NEVER] }), ['Approve “Once”', 'Reject “Never”']],
    ['an approval that calls itself Reject', only({ options: own('Reject') }), ['Approve “Reject”', 'Reject']],
    ['an approval without words', only({ options: [{ ...own('Once')[0]!, label: '\u200b' }] }), ['Approve', 'Reject']],
    [
      'two that read alike',
      only({ options: own('Go', 'go'), allowed: ['approve'] }),
      ['Approve “Go” (1)', 'Approve “go” (2)'],
    ],
    ['the sender’s own approval', only({ options: own('Once') }), ['Approve “Once”', 'Reject']],
    ['three of the sender’s own', only({ options: own('Once', 'Always', 'Never') }), []],
    ['a button that decides more than this call', only({ options: [{ ...own('Always')[0]!, remember: 'x' }] }), []],
    ['a document', { title: 'Plan', document: { markdown: 'Plan' } }, []],
    ['a link', { title: 'a.example', link: { url: 'https://a.example/', completes: 'external' } }, []],
  ];
  for (const [what, asked, buttons] of TABLE) {
    test(`[PRV1] ${what}: ${buttons.length === 0 ? 'the tap opens the page' : buttons.join(' and ')}`, () => {
      deepStrictEqual(titles(ask(asked)), buttons);
    });
  }

  test('[PRV1] words can be typed into a question for a text, never for a secret or a part of what is asked', () => {
    const text = { id: 'q', type: 'text' as const, prompt: 'Which name?' };
    const asked = (question: Question, prompt?: string) =>
      ask({
        title: 'Which name?',
        questions: [question],
        privacy: 'title',
        ...(prompt === undefined ? {} : { prompt }),
      }).reply;
    const reply = { title: 'Reply', placeholder: 'Your answer', digest: 'd' };
    deepStrictEqual(
      [asked(text), asked({ ...text, secret: true }), asked(text, 'It will be public.')],
      [reply, undefined, undefined],
    );
    deepStrictEqual(ask({ title: 'Which name?', prompt: 'Which name?' }).reply, reply);
    deepStrictEqual(ask({ title: 'Ship it?', questions: [{ ...CHOICE, allowOther: true }] }).reply, reply);
  });

  test('an approval names the option it stands for and what was shown', () => {
    const { actions } = ask(only({ options: own('Once') }));
    deepStrictEqual(actions[0]?.body, {
      decisions: [{ type: 'approve', optionId: 'Once' }],
      answerId: 'notification-option-0',
      digest: 'd',
      via: 'notification',
    });
  });

  function own(...labels: string[]) {
    return labels.map((label) => ({ id: label, label, type: 'approve' as const }));
  }
});

describe('what is said once it is resolved', () => {
  const person: By = { kind: 'person', handle: 'jonas', device: { id: 'dev_1', name: 'MacBook' }, via: 'live' };
  const settled = (
    resolution: Partial<Resolution>,
    asked: Omit<Partial<Ask>, 'title'> = {},
    reader: Partial<Notified> = {},
  ) => {
    const full = { outcome: 'answered', at: '', text: '', by: person, ...resolution } as Resolution;
    const { title, body } = toNotification(inquiry({ ...WHOLE, ...asked }, { resolution: full }), {
      ...READER,
      ...reader,
    }) as Extract<PushMessage, { t: 'withdraw' }>;
    return [title, body];
  };
  const answer = { values: { q: 'wait' } };

  test('who answered what, and on which device', () => {
    deepStrictEqual(settled({ answer }), ['Answered: Wait', 'jonas, on MacBook']);
    deepStrictEqual(settled({ answer }, {}, { handle: 'jonas', locale: 'zh' }), ['已答复：Wait', '你，用 MacBook']);
  });

  test('[PRV1] the answer stands only where its question did', () => {
    deepStrictEqual(settled({ answer }, { prompt: 'Both are green.', privacy: 'title' }), [
      'Answered',
      'jonas, on MacBook',
    ]);
    deepStrictEqual(settled({ answer }, { privacy: 'source' }), ['Answered', 'jonas, on MacBook']);
    deepStrictEqual(settled({ answer }, { privacy: 'nothing' }), ['Answered', '']);
  });

  test('[PRV1] of a call’s answer only the words that everything may show, without secrets', () => {
    const call = { questions: undefined, actions: [{ ...ACTION, name: 'save' }] } as unknown as Omit<Ask, 'title'>;
    const edited = (args: Json) => ({ answer: { decisions: [{ type: 'edit' as const, args }] } });
    const said = 'Answered: Approved with these arguments instead:';
    deepStrictEqual(
      [
        settled(edited({ password: ['hunter2'] }), call)[0],
        settled(edited({ to: 'a' }), call)[0],
        settled(edited({ to: '--token hunter2' }), call)[0],
        settled({ answer: { decisions: [{ type: 'reject', message: 'use --token hunter2' }] } }, call)[0],
        settled(edited({ to: 'a' }), { ...call, privacy: 'title' })[0],
      ],
      [
        `${said} {"password":••••}`,
        `${said} {"to":"a"}`,
        `${said} {"to":"--token ••••"}`,
        'Answered: Rejected: `save`, no arguments. use --token ••••',
        'Answered',
      ],
    );
  });

  test('[PRV1] a secret is never said', () => {
    const questions: Question[] = [{ id: 'q', type: 'text', prompt: 'Token?', secret: true }];
    const secret = { questions, privacy: 'full' as const };
    deepStrictEqual(settled({ answer: { values: {} } }, secret), ['Answered', 'jonas, on MacBook']);
  });

  test('[RES4] what expired says that nobody answered, also where a suggestion stands', () => {
    const expired = { outcome: 'expired', by: { kind: 'deadline', label: 'deadline' }, answer } as const;
    deepStrictEqual(settled(expired), ['Nobody answered', '']);
  });

  test('what was declined or taken back says so', () => {
    deepStrictEqual(settled({ outcome: 'declined' }), ['Declined', 'jonas, on MacBook']);
    deepStrictEqual(settled({ outcome: 'withdrawn', by: { kind: 'source', label: 'Claude Code' } }), [
      'Withdrawn',
      'Claude Code',
    ]);
  });
});
