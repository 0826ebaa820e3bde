import type { Action } from '../inquiry.ts';
import type { Language } from '../texts/language.ts';
import { countsOf, type Counts } from './diff.ts';
import { doingOf, shownValue } from './doing.ts';
import { code, cutMiddle, type NamePart, plainName, say } from './parts.ts';
import { patchedBy } from './patch.ts';
import { isSecretTool } from './secret.ts';
import { tellingOf, verbOf } from './telling.ts';
import { argsOf, membersOf, type Tool, toolOf } from './tool.ts';
import { isBlank } from '../visible.ts';
import { WORDS } from './words.ts';

export type Call = Pick<Action, 'name' | 'args' | 'diff'>;
type Titled = {
  title: string;
  prompt?: string | undefined;
  actions?: Call[] | undefined;
  argsText?: string[] | undefined;
};
/** A call's name; `exact`: it says all of the arguments as they are, so that nothing is left to show. */
export type CallName = { parts: NamePart[]; exact: boolean };

/** What one call will do, said with its own words: never a secret, nothing that does not stand in the call. It never throws. */
export function callName(call: Call, language: Language, argsText?: string): CallName {
  const words = WORDS[language];
  const tool = toolOf(call.name);
  const given = argsOf(call.args, argsText);
  const args = membersOf(given);
  const on = tool.server === '' ? [] : [say(words.server(shownValue(tool.server, 60).text))];
  const doing = doingOf(tool, args);
  const diffs = call.diff?.length ?? 0;
  const runs = typeof doing === 'object' && doing.verb === 'run';
  const patched = doing === 'unclear' ? undefined : patching(tool, args, language);
  const written = runs ? undefined : (writing(call, language) ?? patched);
  if (written) return { parts: [...written, ...on], exact: false };
  const name = code(shownValue(tool.shown, 200).text);
  if (doing === 'unclear')
    return { parts: [name, say(words.comma + words.args(Object.keys(args).length))], exact: false };
  if (doing) {
    const exact = doing.exact && diffs === 0 && isWhole(given, args);
    return { parts: [say(`${words[doing.verb]} `), ...doing.of, ...on], exact };
  }
  const secret = isSecretTool(call.name);
  const verb = secret ? undefined : verbOf(tool, given);
  const telling = tellingOf(given, language, secret, verb === 'post');
  return {
    parts: verb ? [say(words[verb]), ...telling, ...on] : [name, ...telling],
    exact: Object.keys(args).length === 0 && telling.length === 1 && isEmpty(given),
  };
}

/** What several calls are, by how many of what; one call by its own name. */
export function callsName(calls: Call[], language: Language, argsText?: string[]): NamePart[] {
  const [only, more] = calls;
  if (only && !more) return callName(only, language, argsText?.[0]).parts;
  return [say(WORDS[language].calls(calls.length, toolCounts(calls, language)))];
}

/** How many calls of which tools, or of which servers where there are several. */
export function toolCounts(calls: Call[], language: Language): string {
  const tools = calls.map(({ name }) => toolOf(name));
  const servers = counted(tools.map(({ shown, server }) => (server ? titled(server) : shown)));
  const counts = servers.length > 1 ? servers : counted(tools.map(({ shown }) => shown));
  const list = counts.slice(0, KINDS_MAX).map(([name, count]) => `${shownValue(name, 60).text} ${count}`);
  return [...list, ...(counts.length > KINDS_MAX ? ['…'] : [])].join(WORDS[language].comma);
}

/** True where an inquiry about calls has no title but what the hub made of the calls' names, or one that nobody can see. */
export function isUntitled({ title, actions = [] }: Titled): boolean {
  if (actions.length > 0 && isBlank(title)) return true;
  const names = [...new Set(actions.map(({ name }) => name))];
  const own = title.endsWith('…') ? title.slice(0, -1) : title;
  const made = [names[0] ?? '', names.join(', ')].map((name) => name.replace(/^[\s#>*-]+/, '').trim());
  return (
    actions.length > 0 &&
    made.some((name) => name === title || (own !== title && own.length > 100 && name.startsWith(own)))
  );
}

/** What an inquiry is called: its sender's title, else the name of what it asks to do. */
export function titleParts(inquiry: Titled, language: Language): NamePart[] {
  const { title, prompt = '', actions = [], argsText } = inquiry;
  if (isUntitled(inquiry)) return callsName(actions, language, argsText);
  return [say(isBlank(title) ? prompt.trim().slice(0, TITLE_MAX) : title)];
}

/** What its calls do, where the title is its sender's own and says nothing of them that could be relied on. */
export function calledParts(inquiry: Titled, language: Language): NamePart[] | undefined {
  const { actions = [], argsText } = inquiry;
  return actions.length > 0 && !isUntitled(inquiry) ? callsName(actions, language, argsText) : undefined;
}

/** Both as text on one line: the title, of calls as a quotation before what they do. */
export function titleText(inquiry: Titled, language: Language, max = TITLE_MAX): string {
  const title = titleParts(inquiry, language);
  const called = calledParts(inquiry, language);
  if (!called) return plainName(title, max);
  // So much of it that both ends of the call are read.
  const said = cutMiddle(inquiry.title, max / 2).replace(/[“”]/g, '"');
  return plainName([say(`“${said}”${WORDS[language].colon}`), ...called], max);
}

const TITLE_MAX = 140;
const KINDS_MAX = 4;

function writing({ diff }: Call, language: Language): NamePart[] | undefined {
  if (!diff || diff.length === 0) return undefined;
  return fileParts([...new Set(diff.map(({ path }) => path))], countsOf(diff), language);
}

function patching(tool: Tool, args: Record<string, unknown>, language: Language): NamePart[] | undefined {
  const patched = patchedBy(tool, args);
  if (!patched) return undefined;
  const paths = [...new Set(patched.paths)];
  const [taken, ...more] = patched.takes;
  if (taken === undefined) return paths.length > 0 ? fileParts(paths, patched, language) : undefined;
  const others = more.length + paths.length;
  const rest = others === 0 ? [] : [say(`${WORDS[language].comma}+${others}`)];
  return [code(shownValue(tool.shown, 200).text), say(' '), code(shownValue(taken).text), ...rest];
}

function fileParts(paths: string[], counts: Counts | undefined, language: Language): NamePart[] {
  const words = WORDS[language];
  const [path = ''] = paths;
  return [
    say(`${words.write} `),
    paths.length === 1 ? code(shownValue(path).text) : say(words.files(paths.length)),
    ...(counts ? [say(` +${counts.added} −${counts.cut}`)] : []),
  ];
}

function counted(names: string[]): [name: string, count: number][] {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return [...counts].toSorted(([, a], [, b]) => b - a);
}

function titled(server: string): string {
  return server.slice(0, 1).toUpperCase() + server.slice(1);
}

function isWhole(given: unknown, members: object): boolean {
  return typeof given === 'object' && given !== null && Object.keys(given).length === Object.keys(members).length;
}

function isEmpty(args: unknown): boolean {
  return (
    args === null ||
    args === undefined ||
    args === '' ||
    (typeof args === 'object' && Object.keys(args as object).length === 0)
  );
}
