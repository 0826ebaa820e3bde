import { deepStrictEqual } from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Policies, Then } from '#shared/policies/rule.ts';
import { createApp } from '../../../app.ts';
import { connectV1, connectV2 } from './clients.ts';
import { openScene, type Scene } from './scene.ts';

const NOTE = 'Decided by the rule “The rule”; nobody was asked.';
const YOURSELF = 'Decide this yourself: a rule hands it back to you, and nobody was asked. That approves nothing.';
const NOBODY =
  'Nobody answered in time. Nobody decided: this is neither a yes nor a no. Do not ask the same again now.';
const NONE = `${NOTE}\nThere is no answer. Do not ask the same again, and do not make one up: go on without it, or stop and say what is missing.\nReason: Not now.`;

const CALL = { actions: [{ name: 'Bash', args: { command: 'ls' }, allowed: ['approve', 'reject'] }] };
const TEXT = { prompt: 'Name?' };
const question = (...options: string[]) => ({
  questions: [
    {
      id: 'q',
      type: 'choice',
      prompt: 'Which?',
      options: options.map((label) => ({ value: label.toLowerCase(), label })),
    },
  ],
});
const decided = (decision: object) => ({ answer: { decisions: [decision] } });

/** A rule, what is asked, and what the tool returns, as it is seen and as data. */
const CASES: [then: Then, asked: Record<string, unknown>, outcome: string, text: string, more?: object][] = [
  ['approve', CALL, 'answered', `Approved: Run \`ls\`.\n${NOTE}`, decided({ type: 'approve' })],
  [
    { reject: 'Not now.' },
    CALL,
    'answered',
    `Rejected: Run \`ls\`. Not now.\n${NOTE}`,
    decided({ type: 'reject', message: 'Not now.' }),
  ],
  [{ reject: 'Not now.' }, TEXT, 'declined', NONE, { message: 'Not now.' }],
  [{ answer: 'Ada' }, TEXT, 'answered', `Ada\n${NOTE}`, { answer: { text: 'Ada' } }],
  [{ answer: 'Blue' }, question('Red', 'Blue'), 'answered', `Blue\n${NOTE}`, { answer: { values: { q: 'blue' } } }],
  ['suggested', { ...TEXT, suggested: { text: 'Eve' } }, 'answered', `Eve\n${NOTE}`, { answer: { text: 'Eve' } }],
  ['you-decide', CALL, 'declined', YOURSELF],
  ['you-decide', question('Red', 'Blue'), 'declined', YOURSELF],
  ['unanswered', TEXT, 'expired', NOBODY],
  ['unanswered', CALL, 'expired', NOBODY],
  [
    'random',
    question('Red'),
    'answered',
    'Red\nA rule chose this at random; nobody decided.',
    { answer: { values: { q: 'red' } } },
  ],
];

describe('what a rule settles over MCP', { timeout: 60_000 }, () => {
  let scene: Scene;
  let source: string;
  before(async () => {
    // Nothing here waits: what no rule settled would not end before the test does.
    scene = await openScene(createApp, { roundMs: 60_000, pendingMs: 60_000 });
    const { items } = await scene.call<{ items: { id: string; name: string }[] }>(
      'GET',
      '/v1/sources',
      scene.keys.device,
    );
    source = items.find(({ name }) => name === 'Agent')?.id ?? '';
  });
  after(() => scene.stop());

  const put = async (then: Then) => {
    const { version } = await scene.call<Policies>('GET', '/v1/policies', scene.keys.device);
    const rules = [{ name: 'The rule', when: { source }, then }];
    await scene.call('PUT', '/v1/policies', scene.keys.device, { version, rules });
  };

  for (const [client, connect] of [
    ['an older client', connectV1],
    ['a modern client', (...[t, url, key]: Parameters<typeof connectV1>) => connectV2(t, url, key, 'modern')],
  ] as const)
    test(`[POL5] ${client} gets it at once as any resolution, told as a rule's, and again by get_answer`, async (t) => {
      const connected = await connect(t, scene.mcp(), scene.keys.source);
      const use = async (name: string, args: Record<string, unknown>) => {
        const { content, structuredContent, isError } = await connected.client.callTool({ name, arguments: args });
        const { inquiryId, by, at, ...data } = structuredContent as Record<string, unknown>;
        const { kind, label } = by as { kind: string; label: string };
        return { inquiryId, at: String(at), said: { content, isError: isError ?? false, by: [kind, label], ...data } };
      };
      for (const [then, asked, outcome, words, more] of CASES) {
        await put(then);
        const sent = await use('send_inquiry', asked);
        // A call waited for it, so it holds for a day.
        const validUntil = new Date(Date.parse(sent.at) + 86_400_000).toISOString();
        const lets = then === 'approve';
        const text = lets ? `${words}\nIt may be run until ${validUntil}, and not after that.` : words;
        const expected = {
          content: [{ type: 'text', text }],
          isError: false,
          by: ['policy', 'The rule'],
          status: 'resolved',
          outcome,
          text,
          ...(lets ? { validUntil } : {}),
          ...more,
        };
        deepStrictEqual(sent.said, expected);
        deepStrictEqual((await use('get_answer', { inquiryId: sent.inquiryId })).said, expected);
      }
    });
});
