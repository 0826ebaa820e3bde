import { ok } from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { AnswerContent, Resolution } from '#shared/answer.ts';
import type { Ask } from '#shared/inquiry.ts';
import { parseExact } from '#shared/json.ts';
import { AppError } from '#shared/problem.ts';
import { DIALECTS } from '../all/dialects.ts';
import type { Answered, Dialect, Query, Read } from '../dialect.ts';

/** How each inquiry ended; its text is the hub's own where its source has none. */
export type Ended = { outcome: Resolution['outcome']; answer?: AnswerContent; message?: string; text?: string };

/** A body, what people are asked, and what each end gives; or what is wrong with it, at its places; or what else it reads. */
export type Fixture = { file: string; dialect: Dialect; title: string; body: unknown; query?: Query } & (
  | { asks: Ask[]; outcomes: { resolutions: Ended[]; reply?: unknown; unanswered?: Resolution['outcome'] }[] }
  | { refused: Record<string, string> }
  | { reads: Read }
);

const folder = join(import.meta.dirname, '..');
export const FIXTURES = globSync('*/fixtures/*.json', { cwd: folder })
  .toSorted()
  .map((file): Fixture => {
    const dialect = DIALECTS.find(({ name }) => name === basename(dirname(dirname(file))));
    ok(dialect, file);
    return { ...(parseExact(readFileSync(join(folder, file), 'utf8')) as Fixture), file, dialect };
  });

/** The reply, or how an ask ended for which its framework has no word. */
export function write(dialect: Dialect, keep: unknown, inquiries: Answered[]) {
  try {
    return { reply: dialect.write(keep, inquiries) };
  } catch (error) {
    if (error instanceof AppError && error.code === 'ask.unanswered') return { unanswered: error.extra?.['outcome'] };
    throw error;
  }
}
