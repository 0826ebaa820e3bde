import type { Action } from '../inquiry.ts';
import { COMMANDS, isRunner } from './doing.ts';
import { patchedBy } from './patch.ts';
import { type Args, argsOf, membersOf, scalar, toolOf } from './tool.ts';

/** A tool that is called so, or an argument that says what is done. */
const DESTROYS =
  /^(?:(?:delete|destroy|purge|wipe|erase|terminate|truncate|remove|uninstall)(?!d$).*|drop|unlink|rm|rmdir)$/;
const ACTS = ['action', 'operation', 'op', 'method', 'type', 'command'];
const LINES = [...COMMANDS, 'sql', 'statement', 'code'];

// Stands for what lies too deep to be looked at; no text of an ask has it.
const DEEPER = '\0';
// Of a longer text only both ends are looked through: hundreds of calls may stand in one list.
const LOOKED_AT_MAX = 16_384;
// Up to the end of one command, and not so far that a long line takes long.
const on = '[^;&|\\n]{0,300}?';
const words = '(?:\\S+\\s){0,8}?';
/** What destroys in a line of a shell, a program or SQL, quotes and escapes taken out: the one list. */
export const LIST = [
  // files
  `(?:^|[^\\w.-])(?:rm|rmdir|unlink|shred|srm|rd|del|erase|mkfs[.\\w]*|wipefs|remove-item|clear-disk|format-volume)\\s`,
  `\\s--(?:delete|purge|destroy|hard|no-preserve-root|mirror)\\b|\\s-delete\\b|\\bdd\\s${on}\\bof=|\\btruncate\\s+-s|>\\s*/dev/[shnv]d`,
  `\\brmtree\\b|\\b(?:rm|rmdir|unlink)(?:sync)?\\(|\\bos\\.(?:remove|unlink|rmdir|removedirs)\\b|\\bfile\\.delete\\b|\\bfileutils\\.rm`,
  // versions
  `\\bpush\\s${on}(?<=\\s)(?:-\\w*[fd]\\w*(?=\\s|$)|--force|--prune|[+:]\\S)`,
  `\\bgit\\s${words}(?:clean\\s${on}(?<=\\s)(?:-\\w*f|--force)|(?:branch|tag|update-ref)\\s${on}(?<=\\s)-\\w*d|(?:checkout|restore)\\s${on}(?<=\\s)(?:--|\\.|-f)(?=\\s|$)|stash\\s+(?:drop|clear)|filter-(?:branch|repo)|reflog\\s+(?:expire|delete)|worktree\\s+remove)`,
  // what runs somewhere
  `\\b(?:terraform|tofu|terragrunt|pulumi|cdk|vagrant|sst|heroku|fly|flyctl)\\b${on}[\\s:-]destroy\\b`,
  `\\b(?:kubectl|oc|helm|aws|gcloud|gsutil|az|doctl|gh|glab|fly|flyctl|heroku|vercel|supabase|docker|docker-compose|podman)\\b${on}[\\s:](?:delete|remove|uninstall|terminate|purge|prune|drain|rb|rmi|deregister)\\b`,
  `\\bcompose\\s${words}down\\s${on}(?<=\\s)(?:-v|--volumes)\\b|\\b(?:npm|cargo|gem)\\s+(?:unpublish|yank)\\b|\\bcrontab\\s+-r\\b|\\b(?:userdel|groupdel|deluser)\\s`,
  // data
  `\\bdrop\\s+(?:table|database|schema|view|materialized|index|role|user|column|type|function|trigger|sequence|owned|extension|keyspace|collection|constraint|policy|tablespace)\\b`,
  `\\bdelete\\s+from\\b|\\btruncate\\s+(?:table\\s+)?[\\w."]+|\\balter\\s${on}\\bdrop\\b|\\bupdate\\s+[\\w."]+\\s+set\\b(?![^;]{0,2000}\\bwhere\\b)`,
  `\\bdropdb\\b|\\bflush(?:all|db)\\b|\\.(?:drop(?:database|collection|index|indexes)?|deletemany|deleteone)\\(`,
].map((pattern) => new RegExp(pattern, 'i'));

/**
 * Whether a call destroys something, as its tool, what it runs, its patch or its diff says. What it cannot read (a script,
 * an encoded line, the middle of more than 16 KiB) is not marked. It never throws.
 */
export function isDestructive(call: Called): boolean {
  return look(call).destroys;
}

/** What `isDestructive` looks at: a tool's name, its arguments and its diff. */
export type Called = Pick<Action, 'name' | 'args' | 'diff'>;

/** Whether a call destroys something, the lines that it runs as they were read, and whether these are all of them. */
export function look({ name, args, diff }: Called): { destroys: boolean; lines: string; isWhole: boolean } {
  const tool = toolOf(name);
  const given = argsOf(args, undefined);
  const members = membersOf(given);
  const said =
    tool.own.some((word) => DESTROYS.test(word)) ||
    ACTS.some((act) => DESTROYS.test((scalar(members[act]) ?? '').trim().toLowerCase())) ||
    (patchedBy(tool, members)?.takes.length ?? 0) > 0 ||
    diff?.some(({ oldText, newText }) => newText === '' && oldText !== '');
  if (said) return { destroys: true, lines: '', isWhole: true };
  const run = isRunner(tool) ? withoutDescription(given, members) : linesIn(given);
  const text = textsIn(run).join('\n');
  const lines = bared(endsOnly(text));
  const isWhole = text.length <= LOOKED_AT_MAX && !text.includes(DEEPER);
  return { destroys: LIST.some((pattern) => pattern.test(lines)), lines, isWhole };
}

// What a tool of any other kind is given to run, wherever it stands among its arguments.
function linesIn(value: unknown, depth = 0): unknown[] {
  if (typeof value !== 'object' || value === null) return [];
  if (depth > 6) return [DEEPER];
  return Object.entries(value).flatMap(([name, one]) => (LINES.includes(name) ? [one] : linesIn(one, depth + 1)));
}

// Words about a command are not run.
function withoutDescription(given: unknown, { description: _said, ...members }: Args): unknown {
  return typeof given === 'object' && given !== null && !Array.isArray(given) ? members : given;
}

// Words of one command stand side by side; each other text is a line of its own.
function textsIn(value: unknown, depth = 0): string[] {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null) return [];
  if (depth > 6) return [DEEPER];
  const inner = Object.values(value);
  return inner.every((one) => typeof one === 'string')
    ? [inner.join(' '), ...inner]
    : inner.flatMap((one) => textsIn(one, depth + 1));
}

/** A text, or both ends of one that is longer than 16 KiB. */
export function endsOnly(text: string): string {
  const half = LOOKED_AT_MAX / 2;
  return text.length <= LOOKED_AT_MAX ? text : `${text.slice(0, half)}\n${text.slice(-half)}`;
}

/** A text as a shell or a database would read it. */
export function bared(text: string): string {
  return text
    .replace(/\$\{?IFS\}?|\\\r?\n|\/\*[^*]{0,200}\*\//gi, ' ')
    .replace(/['"\\`]/g, '')
    .replace(/[^\S\n]+/g, ' ');
}
