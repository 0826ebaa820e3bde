import { deepStrictEqual, throws } from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Resolution } from '#shared/answer.ts';
import { parseExact } from '#shared/json.ts';
import type { Message } from '../../mcp/messages.ts';
import { readQuestion } from './question.ts';
import { createSessions } from './session.ts';

const PERMISSION = 'session/request_permission';
const by = { kind: 'deadline' as const, label: 'deadline' };
const ended = (outcome: Resolution['outcome'], decision?: object): Resolution =>
  ({ outcome, at: '', text: '', by, ...(decision && { answer: { decisions: [decision] } }) }) as Resolution;
const approve = (optionId: string) => ended('answered', { type: 'approve', optionId });
const reject = (optionId: string) => ended('answered', { type: 'reject', optionId });
const selected = (optionId: string) => ({ outcome: { outcome: 'selected', optionId } });

const once = { optionId: 'y', name: 'Yes', kind: 'allow_once' };
const always = { optionId: 'a', name: 'Always', kind: 'allow_always' };
const no = { optionId: 'n', name: 'No', kind: 'reject_once' };
const REMEMBERS = 'The agent remembers it: it may not ask about the like again.';
const ONCE_AND_NO = [
  { id: '0', label: 'Yes', type: 'approve' },
  { id: '1', label: 'No', type: 'reject' },
];

/** What an editor and its agent have said in a session. */
function sessionsAfter(...said: ['editor' | 'agent', Message][]) {
  const sessions = createSessions();
  for (const [who, message] of said)
    if (who === 'editor') sessions.noteEditor(message);
    else sessions.noteAgent(message);
  return sessions;
}

const opened: ['editor' | 'agent', Message][] = [
  ['editor', { id: 1, method: 'session/new', params: { cwd: '/shop' } }],
  ['agent', { id: 0, result: { protocolVersion: 1, agentInfo: { name: 'gemini-cli', title: 'Gemini CLI' } } }],
  ['agent', { id: 1, result: { sessionId: 's' } }],
];
const context = { agent: 'Gemini CLI', cwd: '/shop' };
const update = (fields: object): ['agent', Message] => [
  'agent',
  { method: 'session/update', params: { sessionId: 's', update: { sessionUpdate: 'tool_call_update', ...fields } } },
];

describe('what an agent asks its user, as people are asked', () => {
  const v2: ['agent', Message] = ['agent', { id: 0, result: { protocolVersion: 2, info: { name: 'gemini-cli' } } }];
  const rows: Record<string, { after?: ['editor' | 'agent', Message][]; params: object; ask: object }> = {
    'v1: a call with its input, as Claude sends it': {
      params: {
        sessionId: 's',
        toolCall: {
          toolCallId: 'call_0',
          name: 'Bash',
          status: 'pending',
          rawInput: { command: 'echo asked > ran.txt' },
          title: 'echo asked > ran.txt',
          kind: 'execute',
          content: [{ type: 'content', content: { type: 'text', text: 'Writes a file' } }],
        },
        options: [once, always, no],
      },
      ask: {
        title: 'echo asked > ran.txt',
        actions: [
          {
            name: 'Bash',
            args: { command: 'echo asked > ran.txt' },
            description: 'Writes a file',
            allowed: ['approve', 'reject'],
            options: [
              { id: '0', label: 'Yes', type: 'approve' },
              { id: '1', label: 'Always', type: 'approve', remember: REMEMBERS },
              { id: '2', label: 'No', type: 'reject' },
            ],
          },
        ],
      },
    },
    'v1: a difference and no input, as Gemini sends it': {
      params: {
        sessionId: 's',
        toolCall: {
          toolCallId: 'write_file__call_1',
          title: 'Writing to a.txt',
          kind: 'edit',
          content: [{ type: 'diff', path: '/shop/a.txt', oldText: null, newText: 'hello' }],
        },
        options: [once, no],
      },
      ask: {
        title: 'Writing to a.txt',
        actions: [
          {
            name: 'edit',
            args: { title: 'Writing to a.txt' },
            diff: [{ path: '/shop/a.txt', oldText: '', newText: 'hello' }],
            allowed: ['approve', 'reject'],
            options: ONCE_AND_NO,
          },
        ],
      },
    },
    'v1: an id alone, after updates': {
      after: [
        update({ toolCallId: 't', name: 'Bash', rawInput: {}, title: 'Terminal' }),
        update({ toolCallId: 't', rawInput: { command: 'ls' }, title: 'ls', name: null }),
        update({ toolCallId: 'other', rawInput: { command: 'rm' } }),
      ],
      params: { sessionId: 's', toolCall: { toolCallId: 't' }, options: [once, no] },
      ask: {
        title: 'ls',
        actions: [{ name: 'Bash', args: { command: 'ls' }, allowed: ['approve', 'reject'], options: ONCE_AND_NO }],
      },
    },
    'v2: a call, of which a null takes a member away': {
      after: [v2, update({ toolCallId: 't', name: 'Bash', rawInput: { command: 'ls' }, title: 'ls' })],
      params: {
        sessionId: 's',
        title: 'List the folder?',
        description: 'To see what is there.',
        subject: {
          type: 'tool_call',
          toolCall: {
            toolCallId: 't',
            name: null,
            content: [{ type: 'diff', changes: [], patch: { format: 'git_patch', text: '-```\n+b' } }],
          },
        },
        options: [once, { ...no, kind: '_never' }],
      },
      ask: {
        title: 'List the folder?',
        actions: [
          {
            name: 'tool_call',
            args: { command: 'ls' },
            description: 'To see what is there.\n\n````diff\n-```\n+b\n````',
            allowed: ['approve'],
            options: [{ id: '0', label: 'Yes', type: 'approve' }],
          },
        ],
      },
    },
    'v2: a command': {
      params: {
        sessionId: 's',
        title: 'Run it?',
        subject: { type: 'command', command: 'make', cwd: '/shop' },
        options: [once, no],
      },
      ask: {
        title: 'Run it?',
        actions: [
          {
            name: 'command',
            args: { type: 'command', command: 'make', cwd: '/shop' },
            allowed: ['approve', 'reject'],
            options: ONCE_AND_NO,
          },
        ],
      },
    },
    'v2: a title alone': {
      params: { sessionId: 's', title: 'Go on?', subject: null, options: [no] },
      ask: {
        title: 'Go on?',
        actions: [
          {
            name: 'permission',
            args: { title: 'Go on?' },
            allowed: ['reject'],
            options: [{ id: '0', label: 'No', type: 'reject' }],
          },
        ],
      },
    },
  };
  for (const [name, { after = [], params, ask }] of Object.entries(rows))
    test(name, () => {
      const agent = after.includes(v2) ? 'gemini-cli' : 'Gemini CLI';
      const question = readQuestion(PERMISSION, params, sessionsAfter(...opened, ...after));
      deepStrictEqual(question?.ask, { ...ask, context: { ...context, agent } });
    });

  test('a difference that is too long to be asked is left to the input, where there is one', () => {
    const content = [{ type: 'diff', path: '/a', newText: 'x'.repeat(100_000) }];
    const asked = (call: object) => {
      const toolCall = { toolCallId: 't', title: 'Write', content, ...call };
      return readQuestion(PERMISSION, { sessionId: 's', toolCall, options: [once] }, createSessions())?.ask
        .actions?.[0];
    };
    deepStrictEqual([asked({ rawInput: { path: '/a' } })?.diff, asked({})?.diff?.length], [undefined, 1]);
  });

  test('numbers stay as they were written', () => {
    const text = '{"sessionId":"s","toolCall":{"toolCallId":"t","rawInput":{"id":12345678901234567890}},"options":[]}';
    const params = parseExact(text) as { options: object[] };
    params.options.push(once);
    const [action] = readQuestion(PERMISSION, params, createSessions())?.ask.actions ?? [];
    deepStrictEqual(JSON.stringify(action?.args), '{"id":12345678901234567890}');
  });

  test('what only an editor can show stays there, and what is malformed is refused', () => {
    const only = (method: string, params: object) => readQuestion(method, params, createSessions());
    deepStrictEqual(
      [
        only(PERMISSION, { sessionId: 's', title: 'x', options: [{ ...once, kind: '_maybe' }] }),
        only(PERMISSION, { sessionId: 's', title: 'x', options: [] }),
        only('elicitation/create', { mode: 'url', url: 'https://a.example', message: 'x' }),
        only('elicitation/create', { mode: '_own', message: 'x' }),
      ],
      [undefined, undefined, undefined, undefined],
    );
    throws(() => only(PERMISSION, { sessionId: 's', options: [{ optionId: 'y' }] }), /name is missing/);
    throws(() => only('elicitation/create', { mode: 'form', message: 'x' }), /requestedSchema/);
  });
});

test("[DIA6] the option of a decision is that of its place, whatever kinds and ids repeat, and nobody's is none", () => {
  const options = [once, { ...once, optionId: 'yy' }, { ...no, kind: 'reject_always', optionId: 'nn' }, no];
  const toResult = readQuestion(PERMISSION, { sessionId: 's', title: 'x', options }, createSessions())?.toResult;
  const withoutNo = readQuestion(PERMISSION, { sessionId: 's', title: 'x', options: [once] }, createSessions());
  deepStrictEqual(
    {
      second: toResult?.(approve('1')),
      always: toResult?.(reject('2')),
      declined: toResult?.(ended('declined')),
      declinedWithoutNo: withoutNo?.toResult(ended('declined')),
      expired: toResult?.(ended('expired')),
      withdrawn: toResult?.(ended('withdrawn')),
      yesByNo: toResult?.(approve('3')),
      unknown: toResult?.(approve('9')),
      none: toResult?.(ended('answered', { type: 'approve' })),
      edited: toResult?.(ended('answered', { type: 'edit', args: {} })),
      empty: toResult?.(ended('answered')),
    },
    {
      second: selected('yy'),
      always: selected('nn'),
      declined: selected('n'),
      declinedWithoutNo: undefined,
      expired: undefined,
      withdrawn: undefined,
      yesByNo: undefined,
      unknown: undefined,
      none: undefined,
      edited: undefined,
      empty: undefined,
    },
  );
});

test('a form is asked as it is, and answered by a person alone', () => {
  const requestedSchema = { type: 'object', properties: { question_0: { type: 'string' } } };
  const params = { mode: 'form', sessionId: 's', message: 'Which?', requestedSchema };
  const form = readQuestion('elicitation/create', params, sessionsAfter(...opened));
  const answered = { ...ended('answered'), answer: { values: { form: { question_0: 'A' } } } };
  deepStrictEqual(
    {
      sessionId: form?.sessionId,
      ask: form?.ask,
      results: [answered, ended('declined'), ended('expired'), ended('withdrawn')].map(form!.toResult),
    },
    {
      sessionId: 's',
      ask: { questions: [{ id: 'form', type: 'form', prompt: 'Which?', schema: requestedSchema }], context },
      results: [{ action: 'accept', content: { question_0: 'A' } }, { action: 'decline' }, undefined, undefined],
    },
  );
});
