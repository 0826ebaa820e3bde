import { deepStrictEqual, match, throws } from 'node:assert/strict';
import { test } from 'node:test';
import type { Tool } from '@modelcontextprotocol/client';
import type { Decision, Resolution } from '#shared/answer.ts';
import { decide, type Verdict } from '../../automation/rules/decide.ts';
import type { Message } from '../messages.ts';
import { buildAsk, readDecision, isNextRound, toolResult, withEdit, withUsableSchema } from './call.ts';

const ALL = ['approve', 'edit', 'reject', 'respond'] as const;
const tool = (more: object = {}): Tool => ({ name: 't', inputSchema: { type: 'object' }, ...more }) as Tool;

test('a schema of an older draft is used without its name, one that is no schema not at all', async () => {
  const schemas = [
    { $schema: 'http://json-schema.org/draft-07/schema#', type: 'object' },
    { type: 'no such type' },
    { type: 'object', description: '\u0000' },
  ].map((inputSchema) => {
    const verdict = decide({ rules: [], otherwise: 'annotations' }, 't', tool({ inputSchema }));
    return verdict.does === 'ask' ? verdict.toolSchema : undefined;
  });
  const leftOut: string[] = [];
  const usable = schemas.map(async (toolSchema) => {
    const verdict = { ...ASKED, toolSchema: toolSchema as object as Record<string, unknown> | undefined };
    return (await withUsableSchema('src', verdict, (reason) => leftOut.push(reason))).toolSchema;
  });
  deepStrictEqual(await Promise.all(usable), [{ type: 'object' }, undefined, undefined]);
  match(leftOut.join(), /^is not a usable JSON Schema: [^,]*type must be equal to one of the allowed values/);
});

const CALL = { name: 'pay', argsText: '{"amount": 9007199254740993, "note":"\\u00e9"}' };
const ASKED: Extract<Verdict, { does: 'ask' }> = { does: 'ask', allowed: [...ALL], caution: true };

test('the question about a call is one action whose arguments keep every digit', () => {
  const ask = buildAsk(
    { name: 'bank', deadline: 60, to: ['owner'], approvals: { count: 2 } },
    { call: CALL, verdict: ASKED, agent: 'Agent\n7', language: 'zh', group: 'g' },
  );
  deepStrictEqual(
    JSON.stringify(ask),
    '{"to":["owner"],"title":"bank: pay","actions":[{"name":"pay","args":{"amount":9007199254740993,"note":"é"},' +
      '"allowed":["approve","edit","reject","respond"],"caution":true}],"validFor":60,"approvals":{"count":2},"group":"g",' +
      '"context":{"agent":"Agent 7","language":"zh"},"deadline":60}',
  );
});

test('what no device could show is refused before anybody is asked', () => {
  const about = (argsText: string) => () =>
    buildAsk({ name: 'bank', deadline: 60 }, { call: { name: 'pay', argsText }, verdict: ASKED });
  throws(about('{"a":"\\ud800"}'), { name: 'Error', kind: 'unsafe' });
  // Deeper with the question around it than by itself.
  throws(about(`{"a":${'['.repeat(61)}${']'.repeat(61)}}`), { kind: 'malformed' });
  throws(about(JSON.stringify({ a: 'x'.repeat(262_144) })), { status: 413 });
});

const resolved = (decision: Decision) => ({
  resolution: { outcome: 'answered', answer: { decisions: [decision] }, by: { kind: 'person' } } as Resolution,
});

test('[RES4] only "approve" and "edit" let a call pass', async () => {
  const over = (outcome: Resolution['outcome']) => ({ resolution: { outcome, text: 'Why.' } as Resolution });
  const nobody = { type: 'reply', text: 'Why.\nThe call was not run: nobody approved it.', isError: true };
  deepStrictEqual(
    await Promise.all([
      readDecision(resolved({ type: 'approve' }), { owner: 'src' }),
      readDecision(resolved({ type: 'edit', argsText: '{"a": 1.0}' }), { owner: 'src' }),
      readDecision(resolved({ type: 'edit', args: { a: 1 } }), { owner: 'src' }),
      readDecision(resolved({ type: 'reject', message: 'Too much.' }), { owner: 'src' }),
      readDecision(resolved({ type: 'reject' }), { owner: 'src' }),
      readDecision(resolved({ type: 'respond', message: 'Paid by hand.' }), { owner: 'src' }),
      readDecision(over('declined'), { owner: 'src' }),
      readDecision(over('expired'), { owner: 'src' }),
      readDecision(over('withdrawn'), { owner: 'src' }),
      readDecision({}, { owner: 'src' }),
    ]),
    [
      { type: 'forward' },
      { type: 'forward', argsText: '{"a": 1.0}' },
      { type: 'forward', argsText: '{"a":1}' },
      {
        type: 'reply',
        text: 'A person rejected this call; it was not run. Their words: Too much.',
        isError: true,
      },
      { type: 'reply', text: 'A person rejected this call; it was not run.', isError: true },
      { type: 'reply', text: 'Paid by hand.', isError: false },
      nobody,
      nobody,
      nobody,
      { type: 'reply', text: 'The call was not run: nobody approved it.', isError: true },
    ],
  );
});

test('[POL5] what a rule or a decider decided about a call never reads as a person’s words', async () => {
  const by = (decision: Decision, note = 'NOTE') => {
    const { resolution } = resolved(decision);
    return readDecision({ resolution: { ...resolution, note } }, { owner: 'src' });
  };
  deepStrictEqual(
    await Promise.all([
      by({ type: 'approve' }),
      by({ type: 'reject' }),
      by({ type: 'reject', message: 'Too much.' }),
      by({ type: 'respond', message: 'Paid by hand.' }),
    ]),
    [
      { type: 'forward' },
      { type: 'reply', text: 'This call was not run.\nNOTE', isError: true },
      { type: 'reply', text: 'This call was not run. Reason: Too much.\nNOTE', isError: true },
      { type: 'reply', text: 'Paid by hand.\nNOTE', isError: false },
    ],
  );
});

test('a refusal speaks the language of the call', async () => {
  const rejected = { ...resolved({ type: 'reject', message: '太贵' }), context: { language: 'zh-CN' } };
  deepStrictEqual(await readDecision(rejected, { owner: 'src' }), {
    type: 'reply',
    text: '有人拒绝了这次调用；它没有执行。 对方的话： 太贵',
    isError: true,
  });
});

test('words in the place of structured content are an error, JSON that fits is the content', async () => {
  const counting = tool({ outputSchema: { type: 'object', properties: { n: { type: 'number' } }, required: ['n'] } });
  const said = (message: string) =>
    readDecision(resolved({ type: 'respond', message }), { owner: 'src', tool: counting });
  deepStrictEqual(await Promise.all([said('{"n":1}'), said('{"n":"1"}'), said('one')]), [
    { type: 'reply', text: '{"n":1}', isError: false, structuredContent: { n: 1 } },
    { type: 'reply', text: '{"n":"1"}', isError: true },
    { type: 'reply', text: 'one', isError: true },
  ]);
  deepStrictEqual(
    [
      toolResult({ type: 'reply', text: 'a', isError: true }, true),
      toolResult({ type: 'reply', text: 'a', isError: false }, false),
    ],
    [
      { content: [{ type: 'text', text: 'a' }], isError: true, resultType: 'complete' },
      { content: [{ type: 'text', text: 'a' }] },
    ],
  );
});

test('the result of an edited call says at its end what it ran with, and keeps all else as it was', () => {
  const told = (text: string, language?: string) =>
    withEdit(text, JSON.parse(text) as Message, { argsText: '{"amount": 9007199254740993, "note":"a\\nb"}', language });
  const before = '{"id": 1,"result":{"structuredContent":{"n":2.50},"content":[{"type":"text","text":"paid"}';
  const after = ' {\\"amount\\": 9007199254740993, \\"note\\":\\"a\\\\nb\\"}"}]} }';
  deepStrictEqual(
    [told(`${before}]} }`), told(`${before}]} }`, 'zh-CN')],
    [
      `${before},{"type":"text","text":"A person changed the arguments before this ran:${after}`,
      `${before},{"type":"text","text":"这次调用执行前，有人修改了参数：${after.slice(1)}`,
    ],
  );
  deepStrictEqual(
    told('{"id":1,"result":{"isError":true,"content":[]}}'),
    '{"id":1,"result":{"isError":true,"content":[{"type":"text","text":"A person changed the arguments before this ran:' +
      after.replace(/ }$/, '}'),
  );
  const others = [
    '{"id":1,"error":{"code":1,"message":"no","data":{"content":[]}}}',
    '{"id":1,"result":{"resultType":"input_required"}}',
    '{"id":1,"result":null}',
    '{"id":1,"result":{"content":"text"}}',
    '{"id":1,"result":{"content":[],"content":[]},"result":{"content":[7]}}',
    '{"method":"notifications/message","result":{"content":[]}}',
  ];
  deepStrictEqual(
    others.map((text) => told(text)),
    others,
  );
});

test('a call is a retry by its state or its answers, and a state that is no text makes it a new call', () => {
  const given = [
    undefined,
    {},
    { requestState: 's' },
    { inputResponses: {} },
    { requestState: 7, inputResponses: {} },
    { requestState: null, inputResponses: {} },
    { requestState: {} },
  ];
  deepStrictEqual(given.map(isNextRound), [false, false, true, true, false, false, false]);
});
