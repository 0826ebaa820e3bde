import { deepStrictEqual } from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { Decision, Resolution } from '#shared/answer.ts';
import type { Ask } from '#shared/inquiry.ts';
import { canonical, isRaw, parseExact } from '#shared/json.ts';
import { AppError } from '#shared/problem.ts';
import type { Dialect, Query, Read } from './dialect.ts';
import { FIXTURES, write } from './testing/fixtures.ts';
import { langgraph } from './langgraph/langgraph.ts';

type Asks = Extract<Read, { asks: unknown }>;

const values = FIXTURES.flatMap(({ body }) => placesOf(body).map(({ value }) => value));

/** A body of a fixture in which a few places hold something else, or nothing. */
const mutated = fc.constantFrom(...FIXTURES).chain(({ dialect, body, query }) =>
  fc
    .array(
      fc.record({
        place: fc.nat(),
        value: fc.oneof(fc.constant(undefined), fc.constantFrom(...values), fc.jsonValue({ maxDepth: 2 })),
      }),
      { maxLength: 3 },
    )
    .map((changes) => ({
      dialect,
      query,
      body: changes.reduce((one: unknown, { place, value }) => changed(one, place, value), body),
    })),
);

const by = { kind: 'deadline', label: 'deadline' } as const;
const NOBODY: Resolution = { outcome: 'expired', at: '2026-11-22T12:00:00Z', text: 'Nobody decided.', by };

test('[RES4] [DIA1] whatever body arrives is refused with a problem, or asks, and nobody’s decision is never an approval', () => {
  fc.assert(
    fc.property(mutated, fc.constantFrom('expired', 'withdrawn', 'declined'), ({ dialect, body, query }, outcome) => {
      const read = asksOf(dialect, body, query);
      if (!read) return;
      const reply = replyOf(dialect, read, () => ({ ...NOBODY, outcome }));
      deepStrictEqual(reply === undefined ? [] : approvalsIn(reply), []);
    }),
    { seed: 1, numRuns: 1000 },
  );
});

test('[DIA1] each call passes only by its own approval or edit', () => {
  const choices = fc.array(fc.nat(), { minLength: 30, maxLength: 30 });
  fc.assert(
    fc.property(mutated, choices, ({ dialect, body, query }, chosen) => {
      const read = asksOf(dialect, body, query);
      if (!read || !read.asks.every(({ ask }) => ask.actions)) return;
      let next = 0;
      const passed: string[] = [];
      const reply = replyOf(dialect, read, ({ actions = [] }) => {
        const decisions = actions.map((action): Decision => decisionFor(action, chosen[next++ % chosen.length] ?? 0));
        passed.push(...decisions.map(({ type }) => type).filter((type) => type === 'approve' || type === 'edit'));
        return { ...NOBODY, outcome: 'answered', answer: { decisions } };
      });
      deepStrictEqual(reply === undefined ? [] : approvalsIn(reply), reply === undefined ? [] : passed.map(() => true));
    }),
    { seed: 1, numRuns: 1000 },
  );
});

test('[DIA1] [POL5] words of a rule or a decider bear a note in every framework’s reply', () => {
  const noted = { ...NOBODY, outcome: 'answered', note: 'NOTE' } as const;
  const told = FIXTURES.flatMap(({ dialect, body, query }) => {
    const read = asksOf(dialect, body, query);
    if (!read) return [];
    const reply = replyOf(dialect, read, ({ actions = [], questions = [] }) => ({
      ...noted,
      answer: {
        decisions: actions.map((): Decision => ({ type: 'reject', message: 'WORDS' })),
        // What a program takes as a value stays one: the fields of a form.
        values: Object.fromEntries(questions.map(({ id, type }) => [id, type === 'form' ? {} : 'WORDS'])),
      },
    }));
    const texts = placesOf(reply).flatMap(({ value }) => (typeof value === 'string' ? [value] : []));
    return texts.filter((text) => text.includes('WORDS')).map((text) => [dialect.name, text]);
  });
  deepStrictEqual(
    new Set(told.map(([dialect, text]) => `${dialect}: ${text}`)),
    new Set([
      'ag-ui: WORDS\nNOTE',
      'ai-sdk: WORDS\nNOTE',
      'claude: WORDS (NOTE)',
      'claude: WORDS\nNOTE',
      'claude-hook: WORDS (NOTE)',
      'claude-hook: WORDS\nNOTE',
      'codex-hook: WORDS\nNOTE',
      'gemini-hook: WORDS\nNOTE',
      // The resolution itself, whose note is a member of its own.
      'inquiry: WORDS',
      'langgraph: WORDS\nNOTE',
      'openai: WORDS\nNOTE',
      'pydantic-ai: WORDS\nNOTE',
    ]),
  );
});

test('more than 20 calls of one interrupt are several inquiries, and one reply in their order', () => {
  const names = Array.from({ length: 45 }, (_, at) => `tool_${at}`);
  const value = {
    action_requests: names.map((name) => ({ name, args: {} })),
    review_configs: names.map((name) => ({ action_name: name, allowed_decisions: ['approve', 'reject'] })),
  };
  const read = asksOf(langgraph, [{ id: 'i', value }])!;
  const reply = replyOf(langgraph, read, ({ actions = [] }) => {
    const decisions = actions.map(({ name }): Decision => ({ type: 'reject', message: name }));
    return { ...NOBODY, outcome: 'answered', answer: { decisions } };
  });
  const places = [0, 20, 40].map((at) => ['/actions/0', `/0/value/action_requests/${at}`]);
  const decisions = names.map((message) => ({ type: 'reject', message }));
  deepStrictEqual([read.asks.map((part) => part.places[0]), reply], [places, { resume: { i: { decisions } } }]);
});

function asksOf(dialect: Dialect, body: unknown, query: Query = {}): Asks | undefined {
  try {
    const read = dialect.read(body, query);
    return 'asks' in read ? { ...read, keep: parseExact(canonical(read.keep)) } : undefined;
  } catch (error) {
    if (error instanceof AppError && error.status === 422) return undefined;
    throw error;
  }
}

function replyOf(dialect: Dialect, { asks, keep }: Asks, resolve: (ask: Ask) => Resolution): unknown {
  return write(
    dialect,
    keep,
    asks.map(({ ask }) => ({ ...ask, resolution: resolve(ask) })),
  ).reply;
}

function decisionFor({ allowed, options }: NonNullable<Ask['actions']>[number], chosen: number): Decision {
  const type = allowed[chosen % allowed.length];
  if (type === 'edit') return { type, args: { edited: true } };
  if (type === 'respond') return { type, message: 'Answered.' };
  const option = options?.filter((one) => one.type === type)[chosen % 2];
  return { type: type ?? 'reject', ...(option ? { optionId: option.id } : {}) };
}

const BESIDE = new Set(['always', 'providerExecuted']);

/** Whatever lets a tool run, in any of the frameworks' words; of edits written in two ways one counts. */
function approvalsIn(reply: unknown): true[] {
  if (reply === true) return [true];
  if (typeof reply !== 'object' || reply === null || isRaw(reply)) return [];
  if (Array.isArray(reply)) return reply.flatMap(approvalsIn);
  const { type, kind, approve, approved, behavior, permissionDecision, decision, action } = reply as Record<
    string,
    unknown
  >;
  const passes =
    ['approve', 'edit', 'accept'].includes(String(type)) ||
    kind === 'tool-approved' ||
    approve === true ||
    approved === true ||
    behavior === 'allow' ||
    permissionDecision === 'allow' ||
    decision === 'allow' ||
    action === 'accept';
  // What stands in an approval is its arguments.
  return passes
    ? [true]
    : Object.entries(reply).flatMap(([name, inner]) => (BESIDE.has(name) ? [] : approvalsIn(inner)));
}

function placesOf(value: unknown, path: string[] = []): { path: string[]; value: unknown }[] {
  if (typeof value !== 'object' || value === null || isRaw(value)) return [{ path, value }];
  return [{ path, value }, ...Object.entries(value).flatMap(([name, inner]) => placesOf(inner, [...path, name]))];
}

function changed(body: unknown, place: number, value: unknown): unknown {
  const places = placesOf(body);
  const path = places[place % places.length]?.path ?? [];
  return withChange(body, path, value);
}

function withChange(body: unknown, [step, ...rest]: string[], value: unknown): unknown {
  if (step === undefined) return value ?? null;
  if (Array.isArray(body)) {
    const list = [...(body as unknown[])];
    const at = Number(step);
    if (rest.length === 0 && value === undefined) list.splice(at, 1);
    else list[at] = withChange(list[at], rest, value);
    return list;
  }
  const { [step]: inner, ...others } = body as Record<string, unknown>;
  if (rest.length === 0 && value === undefined) return others;
  return { ...others, [step]: withChange(inner, rest, value) };
}
