/** What one statement of SQL begins with, as words of a name. */
export type SqlVerb = 'dropTable' | 'deleteFrom' | 'truncateTable' | 'insertInto' | 'selectFrom' | 'update';

const NAME = '[\\w."]+';
const VERBS: [SqlVerb, RegExp][] = [
  ['dropTable', /^drop\s+table\s+/i],
  ['deleteFrom', /^delete\s+from\s+/i],
  ['truncateTable', /^truncate\s+table\s+/i],
  ['insertInto', /^insert\s+into\s+/i],
  // Columns alone change nothing; a function, or a table that it would make, may.
  ['selectFrom', new RegExp(`^select\\s+(?:\\*|${NAME}(?:\\s*,\\s*${NAME})*)\\s+from\\s+`, 'i')],
  ['update', /^update\s+/i],
];

/** The verb of a single plain statement and all that follows it; undefined for any other text, which is shown as it came. */
export function sqlOf(text: string): { verb: SqlVerb; rest: string } | undefined {
  const statement = text.trim().replace(/;$/, '');
  if (/;|--|\/\*/.test(statement)) return undefined;
  const [verb, begins] = VERBS.find(([, start]) => start.test(statement)) ?? [];
  return verb && begins && { verb, rest: statement.replace(begins, '') };
}
