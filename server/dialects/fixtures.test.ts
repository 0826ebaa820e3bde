import { deepStrictEqual, ok, strictEqual } from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { test } from 'node:test';
import type { AnswerContent, Resolution } from '#shared/answer.ts';
import { parseOrRefuse } from '#shared/faults.ts';
import { answerFaults } from '#shared/fit.ts';
import { Ask } from '#shared/inquiry.ts';
import { canonical, parseExact } from '#shared/json.ts';
import { AppError } from '#shared/problem.ts';
import { chooseLanguage } from '#shared/texts/language.ts';
import { writeOutcome } from '#shared/texts/outcomes.ts';
import { askFaults } from '../inquiries/check.ts';
import { withSchemaFaults } from '../platform/json-schema/check.ts';
import { DIALECTS } from './all/dialects.ts';
import type { Dialect, Part, Query, Read } from './dialect.ts';

/** How each inquiry ended; its text is the hub's own where its source has none. */
type End = { outcome: Resolution['outcome']; answer?: AnswerContent; message?: string; text?: string };

/** A body, what people are asked, and what each end gives; or what is wrong with it, at its places; or what else it reads. */
type Fixture = { title: string; body: unknown; query?: Query } & (
  | { asks: Ask[]; outcomes: { resolutions: End[]; reply?: unknown; unanswered?: Resolution['outcome'] }[] }
  | { refused: Record<string, string> }
  | { reads: Read }
);

const files = globSync('*/fixtures/*.json', { cwd: import.meta.dirname }).toSorted();
ok(files.length > 0);

for (const file of files) {
  const fixture = parseExact(readFileSync(join(import.meta.dirname, file), 'utf8')) as Fixture;
  const name = basename(dirname(dirname(file)));

  test(`[RES4] [DIA3] [DIA4] ${file}: ${fixture.title}`, async () => {
    const dialect = DIALECTS.find((one) => one.name === name);
    ok(dialect);
    if ('refused' in fixture) return deepStrictEqual(refusalOf(dialect, fixture), fixture.refused);
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
        resolution: resolutionOf(ask, resolutions[at] as End, fixture.query),
      }));
      for (const inquiry of inquiries) await fits(inquiry);
      same(written(dialect, keep, inquiries), unanswered === undefined ? { reply } : { unanswered });
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

function resolutionOf(ask: Ask, end: End, query: Query | undefined): Resolution {
  const by = { kind: 'person', handle: 'owner', device: { id: 'dev', name: 'Phone' }, via: 'live' } as const;
  const [resolution, at] = [{ ...end, by }, '2026-11-22T12:00:00Z'];
  const language = chooseLanguage(query?.language, undefined);
  return { ...writeOutcome({ asked: { ...ask, title: '' }, resolution, language, deadlineAt: at }), ...resolution, at };
}

function written(dialect: Dialect, keep: unknown, inquiries: (Ask & { resolution: Resolution })[]): unknown {
  try {
    return { reply: dialect.write(keep, inquiries) };
  } catch (error) {
    if (error instanceof AppError && error.code === 'ask.unanswered') return { unanswered: error.extra?.['outcome'] };
    throw error;
  }
}

function refusalOf(dialect: Dialect, { body, query }: Fixture): unknown {
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
