import type { Language } from '../texts/language.ts';
import { COMMANDS, shownValue } from './doing.ts';
import { code, type NamePart, say } from './parts.ts';
import { isSecretName, namesSecret } from './secret.ts';
import { type Args, membersOf, scalar, textAt, type Tool } from './tool.ts';
import { WORDS } from './words.ts';

const AMOUNTS = ['amount', 'total', 'price'];
const CURRENCIES = ['currency', 'currency_code', 'unit'];
const RECEIVERS =
  'to recipient recipients destination channel channel_name who email username user assignee customer customer_name customer_id account_id user_id recipient_id phone channel_id chat_id'.split(
    ' ',
  );
/** What tells most of a call, first; `code` is what a machine reads. */
const TELLING: [member: string, as: 'code' | 'words'][] = [
  ...as('code', 'file_path', 'path', 'file', 'filename', 'directory', 'dir', 'url', 'uri', 'command', 'cmd'),
  ...as('words', 'title', 'subject', 'name', 'label'),
  ...as('code', 'sql', 'branch', 'ref', 'table', 'database', 'service', 'environment', 'env', 'namespace'),
  ...as('words', 'query', 'q', 'search', 'pattern', 'question', 'message', 'text', 'prompt', 'content', 'body'),
  ...as('code', 'id', 'key', 'number', 'version'),
  ...as('words', 'description', 'reason', 'input'),
];
const ENDINGS = new Map(TELLING.map(([member]) => [member, endingIn(member)]));
/** No more members are looked through for one that is only called alike. */
const ALIKE_MOST = 100;
const VALUE_MAX = 160;
const RECEIVERS_MAX = 3;

/** The verb in a tool's place where it does nothing but that, and its arguments say how much or to whom. */
export function verbOf({ own }: Tool, given: unknown): 'refund' | 'post' | undefined {
  const args = unwrapped(membersOf(given));
  const name = own.join(' ');
  if (/^(?:create |issue )?refunds?(?: create| payment| charge)?$/.test(name))
    return AMOUNTS.some((one) => numeral(args[one]) !== undefined) ? 'refund' : undefined;
  if (!/^(?:slack |chat )?post(?: message)?$/.test(name)) return undefined;
  return RECEIVERS.some((one) => shownOf(args[one]) !== undefined) ? 'post' : undefined;
}

/** What stands behind a tool's name: the arguments that tell most, as they were written and never a secret; `secret`: all of them are one; `posts`: what is said belongs to it. */
export function tellingOf(args: unknown, language: Language, secret: boolean, posts = false): NamePart[] {
  const words = WORDS[language];
  const alone = Array.isArray(args) ? undefined : scalar(args);
  if (alone !== undefined && alone !== '')
    return secret ? [say(words.comma + words.args(1))] : [say(' '), quoted(alone)];
  if (Array.isArray(args) && args.length > 0) return [say(words.comma + words.entries(args.length))];
  const given = unwrapped(membersOf(args));
  const count = Object.keys(given).length;
  if (count === 0) {
    const empty = typeof args === 'object' && args !== null ? Object.keys(args).length : 0;
    return [say(words.comma + (empty === 0 ? words.noArguments : words.args(empty)))];
  }
  const commands = COMMANDS.filter((name) => Object.hasOwn(given, name));
  if (secret || namesSecret(given) || commands.length > 1) return [say(words.comma + words.args(count))];
  const shown = Object.fromEntries(Object.entries(given).filter(([name]) => !isSecretName(name)));
  const text = posts ? textAt(shown, ['text', 'message', 'body', 'content']) : undefined;
  const said = text === undefined ? [] : [say(' '), quoted(text)];
  const parts = addressed(shown, language)?.concat(said) ?? inRepository(shown) ?? mostTelling(shown);
  if (parts === undefined) {
    const list = listIn(shown);
    return [say(words.comma + (list === undefined ? words.args(count) : words.entries(list)))];
  }
  const list = listIn(shown);
  return [say(' '), ...parts, ...(list === undefined ? [] : [say(words.comma + words.entries(list))])];
}

// A single object around the arguments says nothing by itself.
function unwrapped(args: Args, depth = 0): Args {
  const [only, more] = Object.values(args);
  if (depth > 3 || more !== undefined || typeof only !== 'object' || Array.isArray(only)) return args;
  if (isSecretName(Object.keys(args)[0] ?? '')) return args;
  const inner = membersOf(only);
  return Object.keys(inner).length > 0 ? unwrapped(inner, depth + 1) : args;
}

/** How much, and to whom. */
function addressed(args: Args, language: Language): NamePart[] | undefined {
  const amount = AMOUNTS.map((name) => numeral(args[name])).find((one) => one !== undefined);
  const currency = CURRENCIES.map((name) => args[name]).find(
    (one) => typeof one === 'string' && /^\p{L}{1,5}$/u.test(one),
  );
  const receivers = [
    ...new Set(RECEIVERS.filter((name) => Object.hasOwn(args, name)).map((name) => shownOf(args[name]))),
  ];
  const receiver = receivers.find((one) => one !== undefined);
  const more = receivers.length > (receiver === undefined ? 0 : 1) ? [say(', …')] : [];
  if (amount === undefined && receiver === undefined) return undefined;
  const from = textAt(args, ['source', 'from']);
  const sum = amount === undefined ? [] : [say(currency === undefined ? amount : `${amount} ${currency as string}`)];
  if (receiver === undefined) return [...sum, ...more];
  const { to, comma } = WORDS[language];
  if (from !== undefined && receiver === shownOf(args['destination']))
    return [...sum, ...sum.map(() => say(comma)), quoted(from), say(to), quoted(receiver), ...more];
  return [...sum, say(`${sum.length === 0 ? to.trimStart() : to}${receiver}`), ...more];
}

function shownOf(value: unknown): string | undefined {
  if (Array.isArray(value)) {
    const all = value.map((one) => scalar(one)).filter((one) => one !== undefined);
    if (all.length === 0 || all.length < value.length) return undefined;
    const first = all.slice(0, RECEIVERS_MAX).join(', ');
    return shownValue(all.length > RECEIVERS_MAX ? `${first}, …` : first, VALUE_MAX).text;
  }
  const text = scalar(value);
  return text === undefined || text.trim() === '' || typeof value === 'boolean'
    ? undefined
    : shownValue(text, VALUE_MAX).text;
}

function numeral(value: unknown): string | undefined {
  const text = scalar(value);
  return text !== undefined && /^-?[\d.,eE+-]{1,30}$/.test(text) ? text : undefined;
}

function inRepository(args: Args): NamePart[] | undefined {
  const [owner, repo] = [scalar(args['owner']), scalar(args['repo'])];
  if (!owner || !repo) return undefined;
  const number = ['issue_number', 'pull_number', 'pullNumber', 'number']
    .map((name) => numeral(args[name]))
    .find(Boolean);
  const where = code(shownValue(`${owner}/${repo}${number ? `#${number}` : ''}`, VALUE_MAX).text);
  const title = ['title', 'path', 'branch', 'query'].map((name) => scalar(args[name])).find(Boolean);
  return title ? [where, say(' '), quoted(title)] : [where];
}

function mostTelling(args: Args): NamePart[] | undefined {
  const names = Object.keys(args);
  const alike = names.slice(0, ALIKE_MOST);
  const flats = alike.map(flat);
  for (const [member, as] of TELLING) {
    const name = Object.hasOwn(args, member)
      ? member
      : (alike[flats.indexOf(flat(member))] ?? alike.find((one) => ENDINGS.get(member)?.test(one)));
    const text = name === undefined ? undefined : scalar(args[name]);
    if (text !== undefined && text.trim() !== '' && typeof args[name ?? ''] !== 'boolean')
      return [as === 'code' && !/\s/.test(text.trim()) ? code(shownValue(text, VALUE_MAX).text) : quoted(text)];
  }
  const first = names.find((name) => typeof args[name] === 'string' && (args[name] as string).trim() !== '');
  if (first !== undefined) return [quoted(args[first] as string)];
  const other = names.find((name) => scalar(args[name]) !== undefined);
  return other === undefined ? undefined : [code(shownValue(`${other}: ${scalar(args[other])}`, VALUE_MAX).text)];
}

/** Text in quotation marks; what has no blanks is for a machine. */
function quoted(text: string): NamePart {
  const shown = shownValue(text, VALUE_MAX).text;
  return /^[\w.@:/#+-]+$/.test(shown) ? code(shown) : say(`“${shown}”`);
}

function listIn(args: Args): number | undefined {
  const list = Object.entries(args).find(
    ([name, value]) => Array.isArray(value) && value.length > 0 && !RECEIVERS.includes(name),
  );
  return (list?.[1] as unknown[] | undefined)?.length;
}

function endingIn(member: string): RegExp | undefined {
  if (member.length <= 2) return undefined;
  return new RegExp(`(?:[_-]${member}|[a-z]${member[0]?.toUpperCase()}${member.slice(1)})$`);
}

function flat(name: string): string {
  return name.toLowerCase().replace(/[_-]/g, '');
}

function as(kind: 'code' | 'words', ...members: string[]): [string, 'code' | 'words'][] {
  return members.map((member) => [member, kind]);
}
