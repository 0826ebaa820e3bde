import { z } from 'zod';
import { idPattern, type IdPrefix } from '#shared/ids.ts';
import { toSeconds } from './wait.ts';

/** A text of an address: Postgres takes no U+0000, so no control character comes as far as a query. */
const Word = z
  .string()
  .max(100)
  .regex(/^\P{Cc}*$/u, 'holds a control character');

/** The `:id` of a route. */
export const Id = z.object({ id: Word.describe('The id of what the call is about.') });

const MAX_WAIT_SECONDS = 120;
const TOO_LONG = `is more than ${MAX_WAIT_SECONDS}, the seconds that one call may wait: call again to go on waiting`;

/** `?wait=` of a call that may wait for people: seconds, read as milliseconds. */
export const Waiting = z.object({
  wait: z
    .preprocess(toSeconds, z.number('must be seconds: 60, or 60s').min(0).max(MAX_WAIT_SECONDS, { error: TOO_LONG }))
    .transform((seconds) => seconds * 1000)
    .optional()
    .describe('Seconds to wait for people, at most 120: `60`, or `60s`; 0: reply at once.'),
});

/** The reply of a call that has nothing to tell. */
export const DONE = { 204: z.undefined().describe('Done; there is nothing to tell.') };

/** One page of a list; `nextCursor` absent: the last page. */
export type Page<T> = { items: T[]; nextCursor?: string };

/** A page of a list whose rows stand in their order; read with one more, which tells whether another page follows. */
export async function readPage<Row extends { id: string }, T>(
  rows: { limit(most: number): { execute(): Promise<Row[]> } },
  limit: number,
  view: (rows: Row[]) => T[] | Promise<T[]>,
): Promise<Page<T>> {
  const found = await rows.limit(limit + 1).execute();
  const shown = found.slice(0, limit);
  const last = shown.at(-1);
  return { items: await view(shown), ...(found.length > limit && last ? { nextCursor: last.id } : {}) };
}

/** A page of a list: where it begins, and at most 100 entries. A damaged cursor would match nothing and look like the end. */
export const paging = (of: IdPrefix, usualLimit: number) =>
  z.object({
    cursor: z
      .string()
      .regex(idPattern(of), 'is not a nextCursor of this list; leave it out to begin at the start')
      .optional()
      .describe('The nextCursor of the page before; absent: the first page.'),
    limit: z.coerce.number().int().min(1).max(100).default(usualLimit).describe('How many entries, at most 100.'),
  });
