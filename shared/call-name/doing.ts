import { code, cutMiddle, type NamePart, say } from './parts.ts';
import { withoutSecrets } from './secret.ts';
import { type SqlVerb, sqlOf } from './sql.ts';
import { type Args, scalar, textAt, type Tool } from './tool.ts';

/** What a call does where its tool is of a known kind; `exact`: the parts say all of the arguments, as they are. */
export type Doing = { verb: 'run' | 'read' | 'fetch' | 'write' | SqlVerb; of: NamePart[]; exact: boolean };

const VALUE_MAX = 600;
const LINES_MAX = 4;
const SHELL_WORDS = ['bash', 'sh', 'zsh', 'shell', 'exec', 'execute', 'terminal', 'command', 'cmd', 'powershell'];
export const COMMANDS = ['command', 'cmd', 'script', 'commands'];
const CODE_WORDS = ['python', 'repl', 'javascript', 'js', 'eval', 'interpreter', 'jupyter', 'run', 'exec', 'execute'];
const SQL_WORDS = ['sql', 'query', 'postgres', 'postgresql', 'mysql', 'sqlite', 'bigquery', 'snowflake', 'duckdb'];
const SQL_MEMBERS = ['sql', 'query', 'statement'];
const RUN_MEMBERS = [...COMMANDS, ...SQL_MEMBERS, 'code'];
/** A tool with any other word in its own name may do more with a line than run it. */
const RUNS = new Set([
  ...SHELL_WORDS,
  ...CODE_WORDS,
  ...SQL_WORDS,
  ...'commands script code node notebook cell local tool in read only'.split(' '),
]);
const PATHS = ['file_path', 'filePath', 'path', 'absolute_path', 'relative_path', 'relative_workspace_path'];
const MORE_PATHS = ['target_file', 'notebook_path', 'filename', 'file_name', 'file', 'uri'];
const PLACES = [...PATHS, ...MORE_PATHS, 'url'];
const WRITES = ['write', 'edit', 'multiedit', 'replace', 'create', 'update', 'insert', 'save', 'append', 'patch'];
const FILE_WORDS = ['file', 'files', 'notebook', 'edit', 'write', 'multiedit', 'replace', 'patch'];
/** A tool with any other word in its own name may do more than read, fetch or write. */
const QUIET = new Set([
  ...'read view cat open get file files contents text web webfetch fetch url to in or str base based'.split(' '),
  ...'tool many multiple multi notebook editor apply applypatch'.split(' '),
  ...WRITES,
]);
const EDITOR_COMMANDS = ['view', 'create', 'str_replace', 'insert', 'undo_edit'];
/** Where the text of a patch stands. */
export const PATCHES = ['patch', 'input', 'diff', 'command'];
const FETCH_MEMBERS = ['url', 'uri', 'prompt', 'max_length', 'method'];

/**
 * What a call of a coding agent's, a shell's or a reader's tool does; undefined for any other tool, 'unclear' where several
 * arguments could each be what it does.
 */
export function doingOf(tool: Tool, args: Args): Doing | 'unclear' | undefined {
  const run = running(tool, args);
  if (run || !isQuiet(tool)) return run;
  if (rival(args, PLACES) || (tool.own.some((word) => word.endsWith('patch')) && rival(args, PATCHES)))
    return 'unclear';
  return editing(tool, args) ?? reading(tool, args) ?? fetching(tool, args);
}

/** True for a tool that by its own name does nothing but read, fetch, write or patch. */
export function isQuiet({ own }: Tool): boolean {
  return own.length > 0 && own.every((word) => QUIET.has(word));
}

/** True for a tool that runs what it is given. */
export function isRunner({ own }: Tool): boolean {
  return own.some((word) => SHELL_WORDS.includes(word) || CODE_WORDS.includes(word) || SQL_WORDS.includes(word));
}

/** A value that a machine reads, on one line and without secrets; and whether that is still all of it. */
export function shownValue(text: string, max = VALUE_MAX): { text: string; exact: boolean } {
  const shown = cutMiddle(
    withoutSecrets(text.trim())
      .replace(/\s+/g, (run) => (/[\r\n]/.test(run) ? ' ↵ ' : run))
      .replace(/\t/g, ' '),
    max,
  );
  return { text: shown, exact: shown === text };
}

function running({ own }: Tool, args: Args): Doing | 'unclear' | undefined {
  if (!own.every((word) => RUNS.has(word))) return undefined;
  const [name, value] = commandIn(own, args) ?? codeIn(own, args) ?? [];
  if (name === undefined || value === undefined) return undefined;
  if (rival(args, RUN_MEMBERS)) return 'unclear';
  const sql = own.some((word) => SQL_WORDS.includes(word)) && value.length === 1 ? sqlOf(value[0] ?? '') : undefined;
  // In other letters than it came in, so never exact.
  if (sql) return { verb: sql.verb, of: [code(shownValue(sql.rest).text)], exact: false };
  const lines = value.slice(0, LINES_MAX).map((line) => shownValue(line));
  const plainly = typeof args[name] === 'string' && Object.keys(args).length === 1;
  return {
    verb: 'run',
    of: lines
      .flatMap(({ text }, at) => (at === 0 ? [code(text)] : [say(', '), code(text)]))
      .concat(value.length > LINES_MAX ? [say(', …')] : []),
    exact: plainly && lines.every(({ exact }) => exact),
  };
}

function rival(args: Args, names: string[]): boolean {
  return new Set(names.filter((name) => Object.hasOwn(args, name)).map((name) => args[name])).size > 1;
}

type Found = [name: string, lines: string[]];

function commandIn(own: string[], args: Args): Found | undefined {
  if (!own.some((word) => SHELL_WORDS.includes(word))) return undefined;
  const inner = args['action'];
  const found = COMMANDS.filter((one) => Object.hasOwn(args, one));
  if (found.length === 0 && typeof inner === 'object' && inner !== null) {
    const [name, lines] = commandIn(own, inner as Args) ?? [];
    return name === undefined || !lines ? undefined : ['action', lines];
  }
  const [name] = found;
  if (name === undefined || found.length > 1) return undefined;
  const value = args[name];
  if (typeof value === 'string') return value.trim() === '' ? undefined : [name, [value]];
  if (!Array.isArray(value) || value.length === 0 || !value.every((one) => typeof one === 'string')) return undefined;
  return [name, name === 'commands' ? value : [lineOf(value)]];
}

// The words of one command as a shell would write them; a shell that is only handed a line is left out.
function lineOf(words: string[]): string {
  const [shell = '', flag = '', line] = words;
  if (words.length === 3 && line && /^(?:.*\/)?(?:ba|z|da)?sh$/.test(shell) && /^-l?c$/.test(flag)) return line;
  return words.map((word) => (/^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`)).join(' ');
}

function codeIn(own: string[], args: Args): Found | undefined {
  const sql = own.some((word) => SQL_WORDS.includes(word)) ? textAt(args, SQL_MEMBERS) : undefined;
  if (
    sql &&
    /^\s*(?:--[^\r\n]*[\r\n]\s*)*(?:select|with|insert|update|delete|create|drop|alter|truncate|grant|revoke|explain|show|merge|call|begin|vacuum|set)\b/i.test(
      sql,
    )
  )
    return [SQL_MEMBERS.find((name) => args[name] === sql) ?? 'sql', [sql]];
  const text = own.some((word) => CODE_WORDS.includes(word)) ? textAt(args, ['code']) : undefined;
  return text ? ['code', [text]] : undefined;
}

function editing({ words }: Tool, args: Args): Doing | undefined {
  if (words.join('_').includes('str_replace')) {
    const command = Object.hasOwn(args, 'command') ? (scalar(args['command']) ?? '') : 'str_replace';
    const path = EDITOR_COMMANDS.includes(command) ? pathIn(args) : undefined;
    return path && { verb: command === 'view' ? 'read' : 'write', of: [path], exact: false };
  }
  const last = words.slice(-3);
  if (!last.some((word) => WRITES.includes(word)) || !last.some((word) => FILE_WORDS.includes(word))) return undefined;
  const path = pathIn(args);
  return path && { verb: 'write', of: [path], exact: false };
}

function reading({ words }: Tool, args: Args): Doing | undefined {
  const last = words.slice(-3);
  const reads =
    last.some((word) => ['read', 'view', 'cat', 'open'].includes(word)) || last.join(' ') === 'get file contents';
  const path = reads ? pathIn(args) : undefined;
  return path && { verb: 'read', of: [path], exact: Object.keys(args).length === 1 && path.text === onlyText(args) };
}

function fetching({ words }: Tool, args: Args): Doing | undefined {
  if (!words.includes('fetch') && !words.includes('webfetch')) return undefined;
  const method = Object.hasOwn(args, 'method') ? scalar(args['method'])?.toUpperCase() : 'GET';
  const url = textAt(args, ['url', 'uri']);
  if (!url || !/^https?:\/\//i.test(url) || method !== 'GET') return undefined;
  if (!Object.keys(args).every((name) => FETCH_MEMBERS.includes(name))) return undefined;
  const { text } = shownValue(url);
  return { verb: 'fetch', of: [code(text)], exact: Object.keys(args).length === 1 && text === onlyText(args) };
}

function pathIn(args: Args): NamePart | undefined {
  const path = textAt(args, [...PATHS, ...MORE_PATHS]);
  return path === undefined ? undefined : code(shownValue(path).text);
}

function onlyText(args: Args): unknown {
  return Object.values(args)[0];
}
