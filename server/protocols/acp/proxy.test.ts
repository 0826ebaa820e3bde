import { deepStrictEqual, match } from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { Decision, Resolution } from '#shared/answer.ts';
import type { Ask, Inquiry } from '#shared/inquiry.ts';
import { createLines } from './lines.ts';
import { createProxy } from './proxy.ts';

const PERMISSION = { method: 'session/request_permission', id: 7 };
const CANCELLED = { outcome: { outcome: 'cancelled' } };
const params = {
  sessionId: 's',
  toolCall: { toolCallId: 't', title: 'ls' },
  options: [
    { optionId: 'yes', name: 'Yes', kind: 'allow_once' },
    { optionId: 'no', name: 'No', kind: 'reject_once' },
  ],
};
const selected = (optionId: string) => ({ outcome: { outcome: 'selected', optionId } });
const line = (message: object): Buffer => Buffer.from(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
const asked = line({ ...PERMISSION, params });

/** A proxy with people who answer when told to, and all that was written to both sides. */
function scene(max?: number) {
  const questions: { ask: Ask; signal: AbortSignal; resolve: (inquiry: Inquiry | 'gone') => void }[] = [];
  const [editor, agent, said]: [Buffer[], Buffer[], string[]] = [[], [], []];
  const proxy = createProxy({
    toEditor: (bytes) => void editor.push(Buffer.from(bytes)),
    toAgent: (bytes) => void agent.push(Buffer.from(bytes)),
    say: (sentence) => void said.push(sentence),
    ask: (ask, signal) =>
      new Promise((resolve) => {
        questions.push({ ask, signal, resolve });
        signal.addEventListener('abort', () => resolve('gone'));
      }),
    ...(max === undefined ? {} : { max }),
  });
  const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
  return {
    ...proxy,
    said,
    questions,
    editor: () => Buffer.concat(editor).toString(),
    agent: () => Buffer.concat(agent).toString(),
    /** Why each question was taken back, or undefined while it waits. */
    reasons: () => questions.map(({ signal }) => (signal.reason as Error | undefined)?.message),
    settled,
    async decides(type: 'approve' | 'reject', at = 0): Promise<void> {
      const decisions: Decision[] = [{ type, optionId: type === 'approve' ? '0' : '1' }];
      const resolution: Partial<Resolution> = { outcome: 'answered', answer: { decisions } };
      questions[at]?.resolve({ resolution } as Inquiry);
      await settled();
    },
  };
}

test('[DIA6] whatever either side writes passes as it is, however it is cut, malformed or without an end', () => {
  const piece = fc.oneof(
    fc.json(),
    fc.string(),
    fc.constantFrom(
      asked.toString().trim(),
      '',
      '\r',
      '{"id":7',
      '[]',
      'null',
      '{"jsonrpc":"2.0","method":"session/request_permission","id":{}}',
    ),
    fc.constantFrom('{"method":"elicitation\\/create","id":1,"params":{"mode":"form"}}', '{"id":1,"result":{}}'),
    fc
      .record({ id: fc.anything(), method: fc.constantFrom('initialize', 'session/update', 'session/new', 7) })
      .map((one) => JSON.stringify(one)),
  );
  const bytes = fc.oneof(
    fc.array(piece).map((pieces) => Buffer.from(pieces.join('\n'))),
    fc.uint8Array().map((some) => Buffer.from(some)),
  );
  fc.assert(
    fc.property(bytes, fc.array(fc.nat(40)), fc.constantFrom(8, 1 << 20), (given, cuts, max) => {
      const { fromAgent, fromEditor, editorEnded, close, ...at } = scene(max);
      for (const push of [fromAgent, fromEditor]) {
        let from = 0;
        for (const size of [...cuts, given.length]) {
          push(Buffer.from(given.subarray(from, from + size)));
          from += size;
        }
      }
      editorEnded();
      void close();
      deepStrictEqual([at.editor(), at.agent()], [given.toString(), given.toString()]);
    }),
  );
});

test('[DIA6] people first: the agent has their option, the editor is told, and its own reply does not pass', async () => {
  for (const [reply, told] of [
    [{ result: selected('no') }, [/answered later than a person/]],
    [{ result: CANCELLED }, []],
    [{ error: { code: -32800, message: 'Request cancelled' } }, []],
  ] as const) {
    const at = scene();
    at.fromAgent(asked);
    await at.decides('approve');
    at.fromEditor(Buffer.concat([line({ id: 7, ...reply }), line({ id: 7, result: CANCELLED })]));
    deepStrictEqual(
      [at.editor(), at.agent()],
      [
        `${asked.toString()}${line({ method: '$/cancel_request', params: { requestId: 7 } }).toString()}`,
        line({ id: 7, result: selected('yes') }).toString() + line({ id: 7, result: CANCELLED }).toString(),
      ],
    );
    deepStrictEqual([at.said.length, at.reasons()], [told.length, [undefined]]);
    for (const [index, words] of told.entries()) match(at.said[index] ?? '', words);
  }
});

test('[DIA6] what the editor answers, cancels or closes first is taken back, and a person later changes nothing', async () => {
  const cases: Record<string, [from: 'fromEditor' | 'fromAgent', message: object, reason: string | undefined]> = {
    answer: ['fromEditor', { id: 7, result: selected('no') }, 'Answered in the editor.'],
    error: ['fromEditor', { id: 7, error: { code: -32601, message: 'x' } }, 'Answered in the editor.'],
    cancel: ['fromEditor', { method: 'session/cancel', params: { sessionId: 's' } }, 'Cancelled in the editor.'],
    close: ['fromEditor', { id: 9, method: 'session/close', params: { sessionId: 's' } }, 'Cancelled in the editor.'],
    agent: ['fromAgent', { method: '$/cancel_request', params: { requestId: 7 } }, 'The agent took its question back.'],
    'the same id again': ['fromAgent', { ...PERMISSION, params }, 'The agent used its id for another question.'],
    'no UTF-8': [
      'fromEditor',
      { id: 7, result: { ...selected('no'), _meta: { a: '\u00ff' } } },
      'Answered in the editor.',
    ],
    'another id': ['fromEditor', { id: '7', result: selected('no') }, undefined],
    'another session': ['fromEditor', { method: 'session/cancel', params: { sessionId: 't' } }, undefined],
    'another request': ['fromEditor', { method: '$/cancel_request', params: { requestId: 7 } }, undefined],
  };
  for (const [name, [from, message, reason]] of Object.entries(cases)) {
    const at = scene();
    at.fromAgent(asked);
    const sent = name === 'no UTF-8' ? Buffer.from(line(message).toString(), 'latin1') : line(message);
    at[from](sent);
    deepStrictEqual([name, at.reasons()], [name, [reason]]);
    await at.decides('approve');
    const passed = from === 'fromEditor' ? sent.toString() : '';
    const answer = reason === undefined ? line({ id: 7, result: selected('yes') }).toString() : '';
    deepStrictEqual([name, at.agent()], [name, passed + answer]);
  }
});

test('[DIA6] [race] of two answers in one moment the agent gets the one that reached this process first', async () => {
  const at = scene();
  at.fromAgent(asked);
  const decided = at.decides('approve');
  at.fromEditor(line({ id: 7, result: selected('no') }));
  await decided;
  deepStrictEqual(
    [at.agent(), at.reasons()],
    [line({ id: 7, result: selected('no') }).toString(), ['Answered in the editor.']],
  );
});

test('[DIA6] the end of the agent takes back what waits, and nobody is asked what cannot be told for certain', async () => {
  const at = scene();
  const refused = [
    line({ ...PERMISSION, id: 2 ** 53, params }),
    line({ ...PERMISSION, id: null, params }),
    line({ ...PERMISSION, params: { ...params, options: [] } }),
    Buffer.from(asked.toString().replace('"ls"', '"ls","title":"rm"').replace('7', '8')),
    Buffer.from(`[${asked.toString().trim()}]\n`),
    Buffer.from(asked.toString().replace('"ls"', '"\u00ff"').replace('7', '9'), 'latin1'),
  ];
  for (const one of refused) at.fromAgent(one);
  await at.settled();
  deepStrictEqual([at.questions, at.said.length], [[], 1]);
  at.fromAgent(asked);
  await at.close();
  deepStrictEqual([at.reasons(), at.agent()], [['Its agent has ended.'], '']);
});

test('a line of our own waits for the end of another that is too long to be looked into', () => {
  const written: string[] = [];
  const lines = createLines((bytes) => void written.push(bytes.toString()), { max: 4, passes: () => false });
  lines.push(Buffer.from('ab\nlong enough'));
  lines.insert({ own: 1 });
  lines.push(Buffer.from(' to pass\nno\n'));
  lines.insert({ own: 2 });
  deepStrictEqual(written, ['long enough', ' to pass\n', '{"own":1}\n', '{"own":2}\n']);
});
