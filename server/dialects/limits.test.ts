import { deepStrictEqual, ok, throws } from 'node:assert/strict';
import { test } from 'node:test';
import { AppError } from '#shared/problem.ts';
import { DIALECTS } from './all/dialects.ts';
import { Unshowable } from './take.ts';
import { refuseTooMuch } from './open.ts';

const count = 30_000;
const list = <T>(length: number, of: (at: number) => T): T[] => Array.from({ length }, (_, at) => of(at));
const wide = Object.fromEntries(list(100_000, (at) => [`member_${at}`, true]));
const long = JSON.stringify('x'.repeat(1_000_000));

/** Bodies below 4 MiB, each many times as much work for whoever reads a part of it anew for every request. */
const BODIES: [title: string, dialect: string, body: unknown][] = [
  [
    'one schema and description for many calls',
    'langgraph',
    {
      action_requests: list(count, () => ({ name: 'a', args: {} })),
      review_configs: [{ action_name: 'a', allowed_decisions: ['edit'], args_schema: wide, description: long }],
    },
  ],
  [
    'a review for each call, in another order',
    'langgraph',
    {
      action_requests: list(count, (at) => ({ name: `a${at}`, args: {} })),
      review_configs: list(count, (at) => ({ action_name: `a${count - at - 1}`, allowed_decisions: ['edit'] })),
    },
  ],
  ['many interrupts', 'langgraph', list(2 * count, (at) => ({ id: `i${at}`, value: 'Go?' }))],
  [
    'many interrupts about one call',
    'ag-ui',
    {
      outcome: { type: 'interrupt', interrupts: list(count, (at) => ({ id: `i${at}`, reason: 'r', toolCallId: 'c' })) },
      messages: [{ toolCalls: [{ id: 'c', function: { name: 'a', arguments: long } }] }],
    },
  ],
  [
    'many interrupts about many calls',
    'ag-ui',
    {
      outcome: {
        type: 'interrupt',
        interrupts: list(count / 2, (at) => ({ id: `i${at}`, reason: 'r', toolCallId: `c${at}` })),
      },
      messages: list(count / 2, (at) => ({
        toolCalls: [{ id: `c${at}`, function: { name: 'a', arguments: '{}' } }],
      })),
    },
  ],
  [
    'many requests about many calls',
    'ai-sdk',
    list(count / 2, (at) => [
      { type: 'tool-approval-request', approvalId: `a${at}`, toolCallId: `c${at}` },
      { type: 'tool-call', toolCallId: `c${at}`, toolName: 'a', input: {} },
    ]).flat(),
  ],
  ['many calls', 'pydantic-ai', { calls: list(2 * count, (at) => ({ tool_name: 'a', tool_call_id: `c${at}` })) }],
  [
    'a long list of marks that end a block',
    'pydantic-ai',
    {
      calls: [{ tool_name: 'a', tool_call_id: 'c' }],
      metadata: { c: { text: '` '.repeat(500_000) } },
    },
  ],
];

for (const [title, name, body] of BODIES)
  test(`more than people can read costs ${name} about as much as its length: ${title}`, () => {
    const dialect = DIALECTS.find((one) => one.name === name);
    ok(JSON.stringify(body).length < 4 * 1024 * 1024);
    const before = process.cpuUsage();
    const read = dialect?.read(body, {});
    ok(read && 'asks' in read);
    throws(() => refuseTooMuch(read), Unshowable);
    const { user, system } = process.cpuUsage(before);
    ok(user + system < 1_500_000, `${(user + system) / 1000} ms`);
  });

test('of a hundred faults and more the first hundred are named', () => {
  for (const { name, read } of DIALECTS) {
    const body = list(200_000, () => 7);
    try {
      read(body, {});
    } catch (error) {
      ok(error instanceof AppError, name);
      deepStrictEqual([name, Math.min(100, error.faults?.length ?? 0)], [name, error.faults?.length]);
    }
  }
});

test('[DIA3] arguments that a model wrote as text with a member twice are shown to nobody', () => {
  const [pydantic] = DIALECTS.filter(({ name }) => name === 'pydantic-ai');
  const refused = (args: string) => {
    const read = pydantic!.read({ approvals: [{ tool_name: 'a', tool_call_id: 'c', args }] }, {});
    try {
      refuseTooMuch(read as Extract<typeof read, { asks: unknown }>);
      return false;
    } catch (error) {
      return error instanceof Unshowable;
    }
  };
  deepStrictEqual(
    ['{"a":1,"a":2}', '{"a":1,"\\u0061":2}', '{"b":[{"a":1,"a":1}]}', '{"a":1}', '{"a":1,', 'a: 1, a: 2'].map(refused),
    [true, true, true, false, false, false],
  );
});
