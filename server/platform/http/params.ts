import { z } from 'zod';

/** A text of an address, an id or a cursor: Postgres takes no U+0000, so no control character comes as far as a query. */
const Word = z
  .string()
  .max(100)
  .regex(/^\P{Cc}*$/u, 'holds a control character');

/** The `:id` of a route. */
export const Id = z.object({ id: Word });

/** A page of a list: where it begins, and at most 100 entries. */
export const paging = (usualLimit: number) =>
  z.object({ cursor: Word.optional(), limit: z.coerce.number().int().min(1).max(100).default(usualLimit) });
