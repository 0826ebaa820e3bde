import type { Kysely } from 'kysely';
import { fault } from '#shared/faults.ts';
import { JsonError, parseExact } from '#shared/json.ts';
import { AppError, type Fault } from '#shared/problem.ts';
import type { Database, Transaction } from './database.ts';
import type { Schema } from './schema.ts';

/** Stores a value of the hub itself under this name, in place of the one that stands. */
export async function store(trx: Transaction, name: string, value: string): Promise<void> {
  await trx
    .insertInto('settings')
    .values({ name, value })
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ value }))
    .execute();
}

/** Stores a value of the hub itself unless one stands under this name; returns the one that every node then reads. */
export function storeOnce(database: Pick<Database, 'transaction'>, name: string, value: string): Promise<string> {
  return database.transaction(async (trx) => {
    await trx
      .insertInto('settings')
      .values({ name, value })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
    const row = await trx.selectFrom('settings').select('value').where('name', '=', name).executeTakeFirstOrThrow();
    return row.value;
  });
}

const RETAIN_DAYS = 'retain_days';

/**
 * Remembers for how many days this database keeps its history, for all nodes. Throws where a node would keep it for fewer
 * and erase what is older, unless its operator wants that.
 */
export function retainHistory(database: Pick<Database, 'transaction'>, days: number, shrink: boolean): Promise<void> {
  return database.transaction(async (trx) => {
    const row = await trx.selectFrom('settings').select('value').where('name', '=', RETAIN_DAYS).executeTakeFirst();
    const before = Number(row?.value ?? 0);
    if (days < before && !shrink)
      throw new AppError(
        500,
        'history.shrinks',
        `RETAIN_DAYS is ${days}, and this history was kept for ${before} days: what is older would be erased for good. Set it to ${before} again, or start once with "beckon serve --shrink-history".`,
      );
    if (days !== before) await store(trx, RETAIN_DAYS, String(days));
  });
}

/** Holds the lock of this name until the transaction ends: what it then reads, no other holder changes. */
export async function lock(trx: Transaction, name: string): Promise<void> {
  await store(trx, `lock.${name}`, '');
}

/** The faults of the places at which an id stands that no row has. */
export async function unknownIds(
  read: Kysely<Schema>,
  what: 'decider' | 'source',
  named: [path: string, id: string | undefined][],
): Promise<Fault[]> {
  const ids = named.flatMap(([, id]) => id ?? []);
  if (ids.length === 0) return [];
  const rows = await read.selectFrom(`${what}s`).select('id').where('id', 'in', ids).execute();
  const known = new Set<string | undefined>([undefined, ...rows.map(({ id }) => id)]);
  const unknown = named.filter(([, id]) => !known.has(id));
  return unknown.map(([path]) => fault(path, `${what}.unknown`, `is no ${what} of this hub`));
}

/** Reads what is stored of an inquiry; throws 500 `inquiry.damaged` where it is no JSON any more. */
export function readStored<T>(text: string): T {
  return reading(() => JSON.parse(text) as T);
}

/** The same with every number as it was written. */
export function readStoredExact<T>(text: string): T {
  return reading(() => parseExact(text) as T);
}

/** What is stored beside inquiries; undefined where a disk has damaged it. */
export function readWhole<T>(text: string, parse: (text: string) => unknown = JSON.parse): T | undefined {
  try {
    return parse(text) as T;
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof JsonError) return undefined;
    throw error;
  }
}

function reading<T>(parse: () => T): T {
  try {
    return parse();
  } catch (cause) {
    if (!(cause instanceof SyntaxError || cause instanceof JsonError)) throw cause;
    throw damagedInquiry(cause);
  }
}

/** The refusal of what a disk has changed. */
export function damagedInquiry(cause?: unknown): AppError {
  const detail = 'What is stored of this inquiry is damaged: restore a backup; "beckon check" says what else is.';
  return new AppError(500, 'inquiry.damaged', detail, { cause });
}

/** The view of a row, or of what hangs on one; undefined, and a warning that names it, where what is stored of it is damaged. */
export function viewUndamaged<Row extends { id: string }, View>(row: Row, view: (row: Row) => View): View | undefined {
  try {
    return view(row);
  } catch (error) {
    if (!(error instanceof AppError && error.code === 'inquiry.damaged')) throw error;
    process.emitWarning(`${row.id} is left out, for what is stored of it is damaged: run "beckon check".`);
    return undefined;
  }
}
