import { deepStrictEqual, notDeepStrictEqual, ok } from 'node:assert/strict';
import { test } from 'node:test';
import type { Ask, Inquiry } from '#shared/inquiry.ts';
import type { Rule, Then } from '#shared/policies/rule.ts';
import { ruledBy } from '../automation/rules/by-rule.ts';
import { readForSource } from '../inquiries/read.ts';
import { openPlace } from '../inquiries/testing/place.ts';
import { putPolicies, readPolicies } from '../automation/rules/change.ts';
import { prepare } from '../automation/rules/rules.ts';
import { DIALECTS } from './all/dialects.ts';
import { readEnds, type Dialect } from './dialect.ts';
import { openScene, type Scene } from './testing/scene.ts';
import { type Fixture, FIXTURES, write } from './testing/fixtures.ts';

const PERSON = { kind: 'person', handle: 'owner', device: { id: 'dev', name: 'Phone' }, via: 'live' } as const;

type Asking = Extract<Fixture, { asks: Ask[] }>;

/** The first body of a dialect that asks about calls that a rule may approve, and the first that asks anything else. */
function bodiesOf(dialect: Dialect): Asking[] {
  const all = FIXTURES.filter((one): one is Asking => one.dialect === dialect && 'asks' in one && !one.query);
  const calls = all
    .filter(({ asks }) => asks.every(({ actions }) => actions))
    .find(({ body }) => settles(dialect, body, 'approve'));
  // Elicitation asks about no calls.
  ok(calls !== undefined || dialect.name === 'elicitation', `${dialect.name} has a call that a rule may approve`);
  const other = all.find(({ asks }) => asks.every(({ questions, prompt }) => questions ?? prompt));
  return [calls, other].filter((one) => one !== undefined);
}

/** True where a rule with this end settles all that the body asks; what it does not fit is left to people. */
function settles(dialect: Dialect, body: unknown, then: Then): boolean {
  const read = dialect.read(body, {});
  const [prepared] = prepare([{ name: 'The rule', when: { dialect: dialect.name }, then }], 'UTC').rules;
  return 'asks' in read && read.asks.every(({ ask }) => ruledBy(prepared!, ask)?.does === 'settle');
}

function thensOf([ask]: Ask[]): Record<string, Then> {
  const [first] = ask?.questions ?? [];
  const option = first?.type === 'choice' ? first.options[0]?.value : undefined;
  const refuses = { 'you-decide': 'you-decide', unanswered: 'unanswered', rejects: { reject: 'Not now.' } } as const;
  if (ask?.actions) return { ...refuses, approves: 'approve' };
  return { ...refuses, random: 'random', suggests: 'suggested', answers: { answer: option ?? 'Blue' } };
}

/** Puts the one rule, and posts the body: the reply, and what was asked as its source reads it. */
async function settled(s: Scene, dialect: Dialect, body: unknown, rule: Rule): Promise<[unknown, Inquiry[]]> {
  const which = { of: 'hub', personId: s.p.phone.personId } as const;
  const { version } = await readPolicies(s.p.database, which);
  await putPolicies(s.p.database, which, { version, rules: [rule] }, s.p.phone.deviceId);
  const reply = await s.call('POST', `/v1/ask/${dialect.name}`, JSON.stringify(body));
  const ids = (reply.headers.get('beckon-inquiry') ?? '').split(',');
  const inquiries = await Promise.all(ids.map((id) => readForSource(s.p.inquiries, id, s.source.id)));
  return [reply.body, inquiries];
}

function written(...asked: Parameters<typeof write>): unknown {
  const { reply = 'ask.unanswered' } = write(...asked);
  return JSON.parse(JSON.stringify(reply)) as unknown;
}

for (const dialect of DIALECTS)
  test(`[RES4] [POL5] what a rule settles reaches ${dialect.name} in its own words, and approves only where it says so`, async (t) => {
    const { place, close } = await openPlace();
    t.after(close);
    const s = await openScene(t, place, DIALECTS);
    for (const { title, body, asks } of bodiesOf(dialect)) {
      const read = dialect.read(body, {});
      ok('asks' in read);
      const replies: Record<string, unknown> = {};
      for (const [name, then] of Object.entries(thensOf(asks))) {
        const rule: Rule = { name: 'The rule', when: { source: s.source.id, dialect: dialect.name }, then };
        if (!settles(dialect, body, then)) continue;
        const [reply, inquiries] = await settled(s, dialect, body, rule);
        const answered = inquiries.map((one) => ({ ...one, resolution: one.resolution! }));
        deepStrictEqual(new Set(answered.map(({ resolution }) => resolution.by.kind)), new Set(['policy']), title);
        const expected = written(dialect, read.keep, answered);
        const byPerson = answered.map((one) => ({ ...one, resolution: { ...one.resolution, by: PERSON } }));
        // The hub's own form says who decided.
        if (dialect.name !== 'inquiry')
          deepStrictEqual(written(dialect, read.keep, byPerson), expected, 'the framework takes it as from anybody');
        replies[name] = expected === 'ask.unanswered' ? (reply as { code?: string }).code : reply;
        deepStrictEqual(replies[name], expected, `${title}: ${name}`);
        const approved = readEnds(answered).filter(({ type }) => type === 'approve').length;
        deepStrictEqual(approved, name === 'approves' ? readEnds(answered).length : 0, `${title}: ${name}`);
      }
      const { approves, ...others } = replies;
      deepStrictEqual(
        approves !== undefined,
        asks.every(({ actions }) => actions),
        `${title}: what a rule may approve`,
      );
      ok(Object.keys(others).length >= 2, title);
      if (approves !== undefined) for (const other of Object.values(others)) notDeepStrictEqual(other, approves);
    }
  });

test('[POL1] [DIA1] a rule for one agent decides no call of another one in the same ask', async (t) => {
  const { place, close } = await openPlace();
  t.after(close);
  const s = await openScene(t, place, DIALECTS);
  const body = ['P', 'Q', 'P', 'P', undefined].map((name, at) => ({
    callId: `c${at}`,
    name: 'send_email',
    arguments: '{}',
    ...(name === undefined ? {} : { agent: { name } }),
  }));
  const rules: Rule[] = [{ name: 'P may', when: { dialect: 'openai', agent: 'P' }, then: 'approve' }];
  await putPolicies(
    s.p.database,
    { of: 'hub', personId: s.p.phone.personId },
    { version: 0, rules },
    s.p.phone.deviceId,
  );
  const ask = async (address: string, asked: unknown) => {
    const { body: accepted } = await s.call('POST', `/v1/ask/${address}`, JSON.stringify(asked));
    const { inquiries } = accepted as { inquiries: string[] };
    const read = await Promise.all(inquiries.map((id) => readForSource(s.p.inquiries, id, s.source.id)));
    return read.map(({ context, state, actions }) => [context?.agent, state, actions?.length]);
  };
  const named = [
    ['P', 'answered', 1],
    ['Q', 'open', 1],
    ['P', 'answered', 2],
  ];
  deepStrictEqual(await ask('openai?wait=0', body), [...named, [undefined, 'open', 1]]);
  // The address names the agent of the call that names none.
  deepStrictEqual(await ask('openai?wait=0&agent=P', body), [...named, ['P', 'answered', 1]]);
  const own = { actions: [{ name: 'a', args: {}, allowed: ['approve', 'reject'] }] };
  deepStrictEqual(await ask('inquiry?wait=0&agent=P', { ...own, context: { agent: 'Q' } }), [['Q', 'open', 1]]);
});

test('an address names the agent of a program whose calls name none', async (t) => {
  const { place, close } = await openPlace();
  t.after(close);
  const s = await openScene(t, place, DIALECTS);
  const hook = { session_id: 's', cwd: '/src', tool_name: 'Bash', tool_input: { command: 'ls' } };
  const bodies = {
    claude: { toolName: 'Bash', input: { command: 'ls' } },
    'claude-hook': { ...hook, hook_event_name: 'PermissionRequest' },
    'codex-hook': { ...hook, hook_event_name: 'PermissionRequest', turn_id: 't' },
    'gemini-hook': { ...hook, hook_event_name: 'BeforeTool', timestamp: 'now' },
  };
  for (const [name, body] of Object.entries(bodies)) {
    const asked = await s.begin(`/v1/ask/${name}?agent=Builder`, body);
    const [inquiry] = await s.open(1);
    deepStrictEqual(inquiry?.context?.agent, 'Builder', name);
    await s.decide(inquiry, 'approve');
    await asked.body;
  }
});
