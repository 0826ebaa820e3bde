import type { DatabaseSync } from 'node:sqlite';

/**
 * What an older node meets in a newer schema: a column that it does not know and cannot leave out, one that is gone or
 * another, and whatever new refuses its rows. One sentence each; new tables and columns with a default are none.
 */
export function inTheWay(before: DatabaseSync, after: DatabaseSync): string[] {
  return tablesOf(before).flatMap((table) => {
    const [was, is] = [columnsOf(before, table), columnsOf(after, table)];
    const changed = [...was].filter(([name, column]) => JSON.stringify(is.get(name)) !== JSON.stringify(column));
    const needed = [...is].filter(
      ([name, { notnull, dflt_value }]) => !was.has(name) && notnull && dflt_value === null,
    );
    const known = new Set(limitsOf(before, table));
    return [
      ...changed.map(([name]) => `${table}.${name} is gone or another`),
      ...needed.map(([name]) => `${table}.${name} cannot be left out`),
      ...limitsOf(after, table).filter((limit) => !known.has(limit)),
    ];
  });
}

type Column = { type: string; notnull: number; dflt_value: string | null; pk: number };

function tablesOf(database: DatabaseSync): string[] {
  const query = `select name from sqlite_schema where type = 'table' and name not like 'sqlite_%' order by name`;
  return database
    .prepare(query)
    .all()
    .map(({ name }) => String(name));
}

function columnsOf(database: DatabaseSync, table: string): Map<string, Column> {
  const rows = database.prepare('select name, type, "notnull", dflt_value, pk from pragma_table_info(?)').all(table);
  return new Map(rows.map(({ name, ...column }) => [String(name), column as Column]));
}

function limitsOf(database: DatabaseSync, table: string): string[] {
  const all = (query: string) =>
    database
      .prepare(query)
      .all(table)
      .map((row) => Object.values(row).join(' '));
  return [
    ...all(`select 'unique index ' || l.name, group_concat(i.name), l.partial from pragma_index_list(?) l
            join pragma_index_info(l.name) i where l."unique" = 1 and l.origin = 'c' group by l.name`),
    ...all(`select 'reference of ${table} to', "table", "from", "to" from pragma_foreign_key_list(?)`),
    ...all(`select 'trigger', name from sqlite_schema where type = 'trigger' and tbl_name = ?`),
    ...all(`select 'check of', name from sqlite_schema where type = 'table' and name = ? and sql like '%check%(%'`),
  ];
}
