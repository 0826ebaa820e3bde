import { deepStrictEqual, ok, strictEqual } from 'node:assert/strict';
import { test } from 'node:test';
import type { Resolution } from '#shared/answer.ts';
import { parseOrRefuse } from '#shared/faults.ts';
import { answerFaults } from '#shared/fit.ts';
import { Ask } from '#shared/inquiry.ts';
import { canonical, parseExact } from '#shared/json.ts';
import { AppError } from '#shared/problem.ts';
import { chooseLanguage } from '#shared/texts/language.ts';
import { writeOutcome } from '#shared/texts/outcomes.ts';
import { askFaults } from '../inquiries/check.ts';
import { withSchemaFaults } from '../platform/json-schema/check.ts';
import type { Part, Query } from './dialect.ts';
import { FIXTURES, type Ended, write, type Fixture } from './testing/fixtures.ts';

for (const fixture of FIXTURES) {
  const { dialect } = fixture;
  test(`[RES4] [DIA3] [DIA4] ${fixture.file}: ${fixture.title}`, async () => {
    if ('refused' in fixture) return deepStrictEqual(refusalOf(fixture), fixture.refused);
    const read = dialect.read(fixture.body, fixture.query ?? {});
    if ('reads' in fixture) return same(read, fixture.reads);
    ok('asks' in read);
    same(
      read.asks.map(({ ask }) => ask),
      fixture.asks,
    );
    for (const part of read.asks) await isAsk(part, fixture.body);
    const keep = parseExact(JSON.stringify(read.keep));
    for (const { resolutions, reply, unanswered } of fixture.outcomes) {
      strictEqual(resolutions.length, read.asks.length);
      const inquiries = read.asks.map(({ ask }, at) => ({
        ...ask,
        resolution: resolutionOf(ask, resolutions[at] as Ended, fixture.query),
      }));
      for (const inquiry of inquiries) await fits(inquiry);
      same(write(dialect, keep, inquiries), unanswered === undefined ? { reply } : { unanswered });
    }
    return undefined;
  });
}

async function isAsk({ ask, places }: Part, body: unknown): Promise<void> {
  same(parseOrRefuse(Ask, ask), ask);
  deepStrictEqual(await withSchemaFaults('src', (faults) => askFaults(ask, faults)), []);
  for (const [ours, theirs] of places) {
    ok(has(ask, ours), `${ours} in the ask`);
    ok(has(body, theirs), `${theirs} in the body`);
  }
}

async function fits({ resolution, ...ask }: Ask & { resolution: Resolution }): Promise<void> {
  if (resolution.outcome !== 'answered') return;
  const { answer = {} } = resolution;
  deepStrictEqual(await withSchemaFaults('src', (schemaFaults) => answerFaults(ask, answer, { schemaFaults })), []);
}

function resolutionOf(ask: Ask, end: Ended, query: Query | undefined): Resolution {
  const by = { kind: 'person', handle: 'owner', device: { id: 'dev', name: 'Phone' }, via: 'live' } as const;
  const [resolution, at] = [{ ...end, by }, '2026-11-22T12:00:00Z'];
  const language = chooseLanguage(query?.language, undefined);
  return { ...writeOutcome({ asked: { ...ask, title: '' }, resolution, language, deadlineAt: at }), ...resolution, at };
}

function refusalOf({ dialect, body, query }: Fixture): unknown {
  try {
    return dialect.read(body, query ?? {});
  } catch (error) {
    if (!(error instanceof AppError) || error.status !== 422) throw error;
    return Object.fromEntries((error.faults ?? []).map(({ path, message }) => [path, message]));
  }
}

/** Compares as JSON, numbers digit for digit. */
function same(actual: unknown, expected: unknown): void {
  const [first, second] = [actual, expected].map((one) => JSON.stringify(parseExact(canonical(one)), null, 1));
  strictEqual(first, second);
}

function has(value: unknown, pointer: string): boolean {
  let inside = value;
  for (const step of pointer.split('/').slice(1)) {
    if (typeof inside !== 'object' || inside === null || !Object.hasOwn(inside, step)) return false;
    inside = (inside as Record<string, unknown>)[step];
  }
  return true;
}
