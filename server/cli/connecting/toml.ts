import { isDeepStrictEqual } from 'node:util';
import { parse as parseToml, stringify, TomlError } from 'smol-toml';
import { CannotChange } from './cannot-change.ts';

const BEGIN = '# Made by "beckon connect"; "beckon connect codex --remove" takes it out again.';
const END = '# The end of what "beckon connect" made.';

type Path = (string | number)[];
type Table = Record<string, unknown>;

/** Appends a block between two lines that say whose it is. Throws where the text, or what would come of it, is no TOML. */
export function appendBlock(text: string, block: string): string {
  readToml(text);
  const changed = `${text}${text === '' ? '' : '\n'}${BEGIN}\n${block}\n${END}\n`;
  readToml(changed, () => 'it has a server or a hook of its own there; take that out first');
  return changed;
}

/**
 * Takes out what `connect` wrote, and the line break before it. Codex writes tables of its own between the two lines, and
 * editors sort and reformat: what is left says all that the text said besides, in its own words where they can stay.
 */
export function takeBlock(text: string): string {
  const settings = readToml(text);
  const ours = findOurs(settings);
  const left = without(settings, ours);
  const isLeft = (candidate: string): boolean =>
    isDeepStrictEqual(withoutEmpty(readToml(candidate)), withoutEmpty(left));
  const cuts = [cutBlock(text), cutStatements(text, ours)];
  return cuts.find((cut) => cut !== undefined && isLeft(cut)) ?? stringify(left, { numbersAsFloat: true });
}

/** The places of the server and the hooks that `connect` wrote, and of groups that hold no other hook. */
function findOurs({ mcp_servers: servers, hooks }: Table): Path[] {
  const { url, http_headers } = tableOf(tableOf(servers)['beckon']);
  const isOurServer =
    /\/mcp\?(deadline|wait)=/.test(String(url)) &&
    String(tableOf(http_headers)['Authorization']).startsWith('Bearer bk');
  const groups = listOf(tableOf(hooks)['PermissionRequest']).flatMap((group, at): Path[] => {
    const path = ['hooks', 'PermissionRequest', at];
    const own = listOf(tableOf(group)['hooks']);
    const ours = own.flatMap((hook, place) => (isOurHook(hook) ? [[...path, 'hooks', place]] : []));
    return own.length > 0 && ours.length === own.length ? [path] : ours;
  });
  return [...(isOurServer ? [['mcp_servers', 'beckon']] : []), ...groups];
}

const isOurHook = (hook: unknown): boolean => String(tableOf(hook)['command']).includes('/v1/ask/codex-hook?');

function tableOf(value: unknown): Table {
  return typeof value === 'object' && value !== null ? (value as Table) : {};
}

function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}

/** The settings without what stands at these places, and without tables and lists that hold nothing after that. */
function without(value: unknown, paths: Path[], at: Path = []): Table {
  const steps = (paths.some((path) => startsWith(path, at)) ? Object.entries(tableOf(value)) : []).map(
    ([name, inner]) => [Array.isArray(value) ? Number(name) : name, inner] as const,
  );
  if (steps.length === 0) return value as Table;
  const left = steps.flatMap(([name, inner]) => {
    const path = [...at, name];
    if (paths.some((one) => isDeepStrictEqual(one, path))) return [];
    const rest: unknown = without(inner, paths, path);
    return rest !== inner && isEmpty(rest) ? [] : [[name, rest] as const];
  });
  return (Array.isArray(value) ? left.map(([, rest]) => rest) : Object.fromEntries(left)) as Table;
}

const isEmpty = (value: unknown): boolean =>
  Array.isArray(value) ? value.length === 0 : isTable(value) && Object.keys(value).length === 0;
const isTable = (value: unknown): value is Table =>
  typeof value === 'object' && value !== null && !(value instanceof Date) && !Array.isArray(value);

function withoutEmpty(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutEmpty);
  if (!isTable(value)) return value;
  const members = Object.entries(value).map(([name, inner]) => [name, withoutEmpty(inner)] as const);
  return Object.fromEntries(members.filter(([, inner]) => !isEmpty(inner)));
}

/** The text without the block, where nobody wrote a comment into it. */
function cutBlock(text: string): string | undefined {
  const from = text.indexOf(BEGIN);
  const to = text.indexOf(END, from);
  if (from < 0 || to < 0 || /^\s*#/m.test(text.slice(from + BEGIN.length, to))) return undefined;
  return text.slice(0, from).replace(/\n$/, '') + text.slice(to + END.length).replace(/^\r?\n/, '');
}

/** The text without the lines that say what stands at these places, those of the block's ends, and blank ones before. */
function cutStatements(text: string, paths: Path[]): string {
  const lines = text.split(/(?<=\n)/);
  const gone = new Set(lines.flatMap((line, at) => ([BEGIN, END].includes(line.trim()) ? [at] : [])));
  for (const { path, from, to } of readStatements(lines))
    if (paths.some((one) => startsWith(path, one))) for (let at = from; at < to; at++) gone.add(at);
  for (let at = lines.length - 1; at > 0; at--) if (gone.has(at) && lines[at - 1]?.trim() === '') gone.add(at - 1);
  return lines.filter((_, at) => !gone.has(at)).join('');
}

/** Each heading and each member, with the lines that it takes up and the place that it is about. */
function readStatements(lines: string[]): { path: Path; from: number; to: number }[] {
  const statements: { path: Path; from: number; to: number }[] = [];
  const counts = new Map<string, number>();
  let table: Path = [];
  for (let from = 0, to = 1; from < lines.length; from = to++) {
    const first = lines[from]?.trim() ?? '';
    if (first === '' || first.startsWith('#')) continue;
    let said = tryParse(lines.slice(from, to).join(''));
    while (said === undefined && to < lines.length) said = tryParse(lines.slice(from, ++to).join(''));
    const names = namesIn(said);
    if (first.startsWith('[')) table = placeOf(names, first.startsWith('[['), counts);
    statements.push({ path: first.startsWith('[') ? table : [...table, ...names], from, to });
  }
  return statements;
}

/** The names that lead to a value, where each table on the way holds one member. */
function namesIn(value: unknown): string[] {
  const names = isTable(value) ? Object.keys(value) : [];
  const [name] = names;
  return name === undefined || names.length > 1 ? [] : [name, ...namesIn((value as Table)[name])];
}

/** Where a heading's table lies: a heading of a list begins its next item, and others are of its last one. */
function placeOf(names: string[], isItem: boolean, counts: Map<string, number>): Path {
  const path: Path = [];
  for (const [at, name] of names.entries()) {
    path.push(name);
    const list = JSON.stringify(path);
    if (isItem && at === names.length - 1) counts.set(list, (counts.get(list) ?? -1) + 1);
    const item = counts.get(list);
    if (item !== undefined) path.push(item);
  }
  return path;
}

const startsWith = (path: Path, head: Path): boolean => isDeepStrictEqual(path.slice(0, head.length), head);

function tryParse(text: string): Table | undefined {
  try {
    return readToml(text);
  } catch {
    return undefined;
  }
}

/** Whole numbers stay apart from those with a fraction, so that writing them anew changes neither. */
export function readToml(text: string, why = ({ line }: TomlError): string => `line ${line} is no TOML`): Table {
  try {
    return parseToml(text, { integersAsBigInt: true });
  } catch (error) {
    throw error instanceof TomlError ? new CannotChange(why(error)) : error;
  }
}
