import type pg from 'pg';
import type { Sql, Statement, Value } from '../steps.ts';

type Field = { name: string; parse: (text: string) => unknown };
type Parser = (oid: number, format: 'text') => (text: string) => unknown;

/** What is known of the statements of steps on the connections of one pool. */
export type Known = {
  parser: Parser;
  names: Map<Sql, string>;
  /** What each returns: asked for once, since it never changes. */
  fields: Map<Sql, Field[]>;
  /** Which statements a connection keeps parsed. */
  parsed: WeakMap<object, Set<Sql>>;
};

export function knownBy(parser: Parser): Known {
  return { parser, names: new Map(), fields: new Map(), parsed: new WeakMap() };
}

/**
 * Statements as one message with one end: one round trip, and outside of a transaction one of their own, in which each
 * sees what was committed before itself. With a single end nothing can wait for a reply that is not coming: the
 * first error skips the rest.
 */
export class Batch implements pg.Submittable {
  /** Set by `pg` too, which adds its time-out. */
  callback: (error: Error | null, rows?: unknown[][]) => void;
  readonly #statements: readonly Statement[];
  readonly #known: Known;
  readonly #onSend: () => void;
  readonly #rows: unknown[][] = [[]];
  #parsed: Set<Sql> = new Set();
  readonly #parsing = new Set<Sql>();

  constructor(statements: readonly Statement[], known: Known, onSend: () => void, callback: Batch['callback']) {
    this.#statements = statements;
    this.#known = known;
    this.#onSend = onSend;
    this.callback = callback;
  }

  submit(connection: pg.Connection): void {
    this.#onSend();
    const { names, fields, parsed } = this.#known;
    let here = parsed.get(connection);
    if (!here) parsed.set(connection, (here = new Set()));
    this.#parsed = here;
    connection.stream.cork();
    for (const { sql, values } of this.#statements) {
      let name = names.get(sql);
      if (name === undefined) names.set(sql, (name = `step${names.size}`));
      if (!here.has(sql) && !this.#parsing.has(sql)) {
        // One that failed may or may not have been kept; to close what is not there is no error.
        connection.close({ type: 'S', name }, true);
        connection.parse({ name, text: sql.postgres, types: [] }, true);
        this.#parsing.add(sql);
      }
      connection.bind({ statement: name, values: values.map(wire) }, true);
      if (!fields.has(sql)) connection.describe({ type: 'P' }, true);
      connection.execute(null, true);
    }
    connection.sync();
    connection.stream.uncork();
  }

  get #current(): Statement {
    return this.#statements[this.#rows.length - 1]!;
  }

  handleRowDescription({ fields }: { fields: pg.FieldDef[] }): void {
    const described = fields.map(({ name, dataTypeID }) => ({ name, parse: this.#known.parser(dataTypeID, 'text') }));
    this.#known.fields.set(this.#current.sql, described);
  }

  handleDataRow({ fields: texts }: { fields: (string | null)[] }): void {
    const row: Record<string, unknown> = {};
    const fields = this.#known.fields.get(this.#current.sql) ?? [];
    for (let at = 0; at < fields.length; at++) {
      const text = texts[at]!;
      const { name, parse } = fields[at]!;
      row[name] = text === null ? null : parse(text);
    }
    this.#rows.at(-1)?.push(row);
  }

  handleCommandComplete(): void {
    const { sql } = this.#current;
    this.#parsed.add(sql);
    if (!this.#known.fields.has(sql)) this.#known.fields.set(sql, []);
    this.#rows.push([]);
  }

  handleError(error: Error): void {
    this.callback(error);
  }

  handleReadyForQuery(): void {
    this.callback(null, this.#rows.slice(0, -1));
  }
}

const wire = (value: Value): string | null => (value === null ? null : String(value));
