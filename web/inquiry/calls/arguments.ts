import { jsonFault } from '../reply/json.ts';
import { type Exact, writeExact } from './exact.ts';

/** One line of a call's arguments; `entries` instead of a text for what has lines of its own, `string` is a long text as it is. */
export type ArgumentRow = { name: string; depth: number; text?: string; string?: string; entries?: number };

const DEEPEST = 4;

/** The arguments as lines to read, nothing left out: members in order, nested ones below, strings as they are. */
export function argumentRows(args: Exact, depth = 0): ArgumentRow[] {
  const members: [string, Exact][] =
    args.kind === 'object'
      ? args.members
      : args.kind === 'array'
        ? args.items.map((item, at) => [String(at + 1), item])
        : [];
  return members.flatMap(([name, value]): ArgumentRow[] => {
    if (value.kind === 'string')
      return [{ name, depth, text: clear(value.text), ...(isLong(value.text) ? { string: value.text } : {}) }];
    if (value.kind === 'other') return [{ name, depth, text: value.text }];
    const count = value.kind === 'object' ? value.members.length : value.items.length;
    if (count === 0) return [{ name, depth, text: value.kind === 'object' ? '{}' : '[]' }];
    if (depth >= DEEPEST) return [{ name, depth, text: flat(value) }];
    return [{ name, depth, entries: count }, ...argumentRows(value, depth + 1)];
  });
}

/** The arguments as plain lines, a name with its value on each; a name or value that could pass for further lines is quoted. */
export function argumentLines(args: Exact): string {
  const oneLine = (text: string) => (/^[^\p{Cc}\u2028\u2029]*$/u.test(text) ? text : JSON.stringify(text));
  if (args.kind !== 'object') return writeExact(args);
  const rows = argumentRows(args);
  if (rows.length === 0) return '{}';
  return rows
    .map(({ name, depth, text = '' }) => {
      const called = /^[\w.-]+$/.test(name) ? name : JSON.stringify(name);
      return `${'  '.repeat(depth)}${called}: ${oneLine(text)}`.trimEnd();
    })
    .join('\n');
}

// A text that needs more room than one cell of a table.
function isLong(text: string): boolean {
  return text.length > 120 || text.trimEnd().includes('\n');
}

/** A text as it reads among other values: in quotes only where it would be taken for another kind of value. */
export function clear(text: string): string {
  return text === '' || text.trim() !== text || /^(?:-?\d|true$|false$|null$|[{}[\]"])/.test(text)
    ? JSON.stringify(text)
    : text;
}

function flat(value: Exact): string {
  if (value.kind === 'string') return JSON.stringify(value.text);
  if (value.kind === 'other') return value.text;
  if (value.kind === 'array') return `[${value.items.map(flat).join(', ')}]`;
  return `{${value.members.map(([name, one]) => `${JSON.stringify(name)}: ${flat(one)}`).join(', ')}}`;
}

const LINES = 40;
const CHARACTERS = 4000;

/** The part of a long text that is shown at first, and how many lines and characters that leaves; a little over is shown whole. */
export function fold(text: string): { head: string; lines: number; characters: number } {
  const byLines = text.split('\n', LINES).join('\n').length;
  const end = evenEnd(text, Math.min(byLines, CHARACTERS));
  const rest = text.slice(end);
  const lines = rest.split('\n').length - 1;
  if (lines < 10 && rest.length < 1000) return { head: text, lines: 0, characters: 0 };
  return { head: text.slice(0, end), lines, characters: rest.length };
}

// Not between the halves of a character.
function evenEnd(text: string, end: number): number {
  return /[\uD800-\uDBFF]/.test(text.charAt(end - 1)) ? end - 1 : end;
}

const BY_ENDING = {
  bash: 'sh bash zsh dockerfile',
  css: 'css scss less',
  go: 'go',
  ini: 'ini toml conf cfg properties env',
  java: 'java kt scala groovy',
  json: 'json jsonc json5 webmanifest',
  markdown: 'md markdown mdx',
  python: 'py pyi',
  rust: 'rs',
  sql: 'sql',
  typescript: 'ts tsx js jsx mjs cjs mts cts',
  xml: 'html htm xml svg vue xhtml',
  yaml: 'yml yaml',
} as const;

/** A language that code can be highlighted in. */
export type CodeLanguage = keyof typeof BY_ENDING;

const BY_MEMBER: Record<string, CodeLanguage> = {
  sql: 'sql',
  query: 'sql',
  statement: 'sql',
  command: 'bash',
  cmd: 'bash',
  script: 'bash',
  python: 'python',
  javascript: 'typescript',
  html: 'xml',
  css: 'css',
  json: 'json',
  yaml: 'yaml',
  markdown: 'markdown',
};
const PATHS = /^(?:file_?)?(?:path|name)$|^file$|^(?:target|notebook)_(?:path|file)$/i;
/** What members are called that hold the text of a file. */
export const CONTENTS =
  /^(?:(?:new|old)_?(?:string|str|text|content|source)|content|contents|code|text|source|body|file_text)$/i;
const SQL = /^\s*(?:select|insert|update|delete|create|alter|drop|with|truncate|grant)\b/i;

/** The language that the end of a file's name tells. */
export function languageOfPath(path: string): CodeLanguage | undefined {
  const ending = /[^./\\]+$/.exec(path)?.[0].toLowerCase() ?? '';
  return names().find((name) => BY_ENDING[name].split(' ').includes(ending));
}

/** The language of one argument of a call, told by its name, by the path beside it, or by being JSON; undefined for words. */
export function languageOfMember(
  name: string,
  text: string,
  siblings: readonly { name: string; text?: string }[],
): CodeLanguage | undefined {
  if (isJson(text)) return 'json';
  const own = BY_MEMBER[name.toLowerCase()];
  if (own) return own !== 'sql' || SQL.test(text) ? own : undefined;
  if (!CONTENTS.test(name)) return undefined;
  const named = siblings.find((one) => /^(?:language|lang)$/i.test(one.name))?.text?.toLowerCase();
  const spoken =
    named === undefined ? undefined : names().find((one) => one === named || BY_ENDING[one].split(' ').includes(named));
  const path = siblings.find((one) => PATHS.test(one.name))?.text;
  return spoken ?? (path === undefined ? undefined : languageOfPath(path));
}

function names(): CodeLanguage[] {
  return Object.keys(BY_ENDING) as CodeLanguage[];
}

function isJson(text: string): boolean {
  return /^\s*[[{]/.test(text) && jsonFault(text) === undefined;
}
