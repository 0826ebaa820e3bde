import { CompiledQuery, type Kysely, PostgresAdapter, type Transaction } from 'kysely';
import type { Schema } from './schema.ts';

export type Value = string | number | null;
type Keys = readonly string[];

/**
 * SQL that both engines understand: `?1` is the first value, `{now}` the server's clock and null where there is none,
 * `{unlocked}` locks the rows that nobody holds and passes over the others, `in {keys ?1}` holds for each of a list of
 * texts, `from {each ?1}` has a row with its `key` for each; the plan depends on whether it is one, not on their number.
 */
export type Sql = { text: string; postgres: string; writes: boolean; locks: boolean };

/** A statement with its values; `R` is a row of what it returns. */
export type Statement<R = unknown> = { sql: Sql; values: readonly Value[]; row?: R };

/** Statements that need nothing of each other's rows: on Postgres one round trip. After the `last` the work is committed. */
export type Step = { statements: readonly Statement[]; last: boolean };

/** Statements by name, in the order in which they run: one, several, or none where a part of the work does not apply. */
export type Plan = Statement | undefined | readonly Plan[] | { readonly [name: string]: Plan };

/** The rows of each statement, under the names of the plan; none of what does not apply. */
export type RowsOf<P> =
  P extends Statement<infer R> ? R[] : P extends undefined ? never[] : { -readonly [Name in keyof P]: RowsOf<P[Name]> };

/** Work in a transaction that yields its steps and gets their rows. It may run twice, so it changes rows and nothing else. */
export type Steps<T> = Generator<Step, T, unknown[][]>;

const SERVER_NOW = '(select floor(extract(epoch from clock_timestamp()) * 1000)::bigint)';

/** Prepares a statement once; called with its values. */
export function statement<R = never>(text: string) {
  const alone = text
    .replaceAll(/in \{keys (\?\d+)\}/g, '= $1')
    .replaceAll(/\{each (.*?)\}/g, '(select cast($1 as text) as key) one');
  const [one, many] = [toSql(alone), toSql(text)];
  return (...values: (Value | Keys)[]): Statement<R> => {
    const lists = values.filter(isList);
    if (lists.length === 0 || lists.some(({ length }) => length !== 1))
      return { sql: many, values: values.map((value) => (isList(value) ? keys(value) : value)) };
    return { sql: one, values: values.flat() };
  };
}

function toSql(text: string): Sql {
  const each = text.replaceAll(/\{each (.*?)\}/g, 'json_each($1)');
  // As an array, or Postgres may look through a whole table for a few of its rows.
  const postgres = each.replaceAll(/in \{keys (.*?)\}/g, '= any(array(select key from json_each($1)))');
  return {
    text: withWords(each.replaceAll(/\{keys (.*?)\}/g, '(select key from json_each($1))'), 'null', ''),
    postgres: withWords(postgres.replaceAll(/\?(\d+)/g, '$$$1'), SERVER_NOW, 'for update skip locked'),
    writes: !text.startsWith('select'),
    locks: / for (no key )?update$|pg_advisory_xact_lock/.test(text),
  };
}

const withWords = (text: string, now: string, unlocked: string) =>
  text.replaceAll('{now}', now).replaceAll('{unlocked}', unlocked);
const isList = (value: Value | Keys): value is Keys => Array.isArray(value);

/** A step; returns the rows by name. A statement that only locks is left out on SQLite, which runs one transaction at a time. */
export function* batch<const P extends Record<string, Plan>>(plan: P): Steps<RowsOf<P>> {
  return named(plan, (yield { statements: statementsIn(plan), last: false }).values()) as RowsOf<P>;
}

/** The last step, with which the transaction is committed: work that goes on after it can change nothing more. */
export function* commitWith<const P extends Record<string, Plan>>(plan: P): Steps<RowsOf<P>> {
  return named(plan, (yield { statements: statementsIn(plan), last: true }).values()) as RowsOf<P>;
}

function statementsIn(plan: Plan): Statement[] {
  if (plan === undefined) return [];
  return isStatement(plan) ? [plan] : Object.values(plan).flatMap(statementsIn);
}

function named(plan: Plan, rows: Iterator<unknown[]>): unknown {
  if (plan === undefined) return [];
  if (isStatement(plan)) return rows.next().value;
  if (Array.isArray(plan)) return plan.map((one: Plan) => named(one, rows));
  return Object.fromEntries(Object.entries(plan).map(([name, one]) => [name, named(one, rows)]));
}

function isStatement(plan: NonNullable<Plan>): plan is Statement {
  return 'sql' in plan;
}

/** Texts as one value, of which SQL takes the keys. */
export function keys(texts: readonly string[]): string {
  return JSON.stringify(Object.fromEntries(texts.map((text) => [text, 0])));
}

/** Runs steps as a part of another transaction, which decides when to commit. */
export async function within<T>(trx: Transaction<Schema>, steps: Steps<T>): Promise<T> {
  let next = steps.next([]);
  while (!next.done) {
    const rows: unknown[][] = [];
    for (const one of next.value.statements) rows.push(await readRows(trx, one));
    next = steps.next(rows);
  }
  return next.value;
}

/** The rows of one statement, by itself or as a part of a transaction. */
export async function readRows<R>(reader: Kysely<Schema>, { sql, values }: Statement<R>): Promise<R[]> {
  const onPostgres = reader.getExecutor().adapter instanceof PostgresAdapter;
  if (sql.locks && !onPostgres) return [];
  const query = CompiledQuery.raw(onPostgres ? sql.postgres : sql.text, [...values]);
  return (await reader.executeQuery<R>(query)).rows;
}
