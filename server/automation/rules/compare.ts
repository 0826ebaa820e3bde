import { canonical, isRaw, type Json } from '#shared/json.ts';
import { fitting } from '#shared/policies/pattern.ts';
import type { Comparison } from '#shared/policies/rule.ts';
import { folded, foldedPattern, membersFolded, shown } from './folded.ts';
import { parsePointer } from './may-fit.ts';
import { memoize, memoizeText } from '../../platform/memoize.ts';

/**
 * What is asked of a value has three answers: yes where it `holds`, cannot tell where it does not hold and is `unclear`,
 * else no. Each is computed only where it counts.
 */
export type Test<Value = unknown> = { holds: (value: Value) => boolean; unclear: (value: Value) => boolean };

/** What these arguments must be at this place; an absent one is certainly not it. */
export function comparing(pointer: string, comparison: Comparison): Test<Json> {
  const path = parsePointer(pointer);
  const tests = toTests(comparison);
  return {
    holds: (args) => {
      const found = lookUp(args, path);
      return found.is === 'there' && tests.every(({ holds }) => holds(found.value));
    },
    unclear: (args) => {
      const found = lookUp(args, path);
      if (found.is !== 'there') return found.is === 'unclear';
      return tests.every(({ holds, unclear }) => holds(found.value) || unclear(found.value));
    },
  };
}

type Found = { is: 'there'; value: unknown } | { is: 'absent' | 'unclear' };

/**
 * What stands at a place. That is unclear where some program could read a member there that is not one: of a text that
 * holds JSON, of the one item of a list, or under a name in another spelling, which may come before the one that is meant.
 */
export function lookUp(args: unknown, path: string[]): Found {
  let value = args;
  for (const step of path) {
    if (value === null || value === undefined) return { is: 'absent' };
    if (typeof value !== 'object' || isRaw(value)) return { is: 'unclear' };
    if (Array.isArray(value) && !/^(0|[1-9]\d*)$/.test(step)) return { is: 'unclear' };
    const alike = Array.isArray(value) ? [] : (membersFolded(value).get(folded(step)) ?? []);
    if (alike.some((name) => name !== step)) return { is: 'unclear' };
    if (!Object.hasOwn(value, step)) return { is: 'absent' };
    value = (value as Record<string, unknown>)[step];
  }
  return { is: 'there', value };
}

function toTests({ equals, oneOf, matches, under, min, max, apart }: Comparison): Test[] {
  return [
    equals !== undefined && (apart ? besideDescription(among([equals])) : among([equals])),
    oneOf && among(oneOf),
    matches !== undefined && ofText(liking([matches])),
    under !== undefined && ofText(lyingUnder(under)),
    (min ?? max) !== undefined && ranging(min, max),
  ].filter((one): one is Test => typeof one === 'object');
}

/** A text that fits one of these patterns, as it is; or only in another spelling. */
export function liking(patterns: string[]): Test<string> {
  const fits = patterns.map(fitting);
  const alike = patterns.map((pattern) => fitting(foldedPattern(pattern)));
  return {
    holds: (text) => fits.some((fit) => fit(text)),
    unclear: (text) => alike.some((fit) => fit(folded(text))),
  };
}

// Programs take a text out of a list, or make one of a number.
function ofText({ holds, unclear }: Test<string>): Test {
  return {
    holds: (value) => typeof value === 'string' && holds(value),
    unclear: (value) => typeof value !== 'string' || unclear(value),
  };
}

const canonicalOnce = memoize(canonical);
const decimalOnce = memoize((value) => parseDecimal(JSON.stringify(value)));

function among(values: Json[]): Test {
  const texts = new Set<unknown>(values.filter((value) => typeof value === 'string'));
  const others = new Set(values.filter((value) => typeof value !== 'string').map(canonical));
  return {
    holds: (value) => {
      if (typeof value === 'string') return texts.has(value);
      return others.has(typeof value === 'object' && value !== null ? canonicalOnce(value) : canonical(value));
    },
    unclear: (value) => values.some((one) => isAlike(one, value)),
  };
}

// A description that is no text could be read as anything, and stays.
const withoutDescription = memoize((value) =>
  typeof (value as { description?: unknown }).description === 'string' && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).filter(([name]) => name !== 'description'))
    : value,
);

/** The same of a value whatever its description says. */
function besideDescription({ holds, unclear }: Test): Test {
  const rest = (value: unknown) => (typeof value === 'object' && value !== null ? withoutDescription(value) : value);
  return { holds: (value) => holds(rest(value)), unclear: (value) => unclear(rest(value)) };
}

/** Whether some program could take one value for the other: of another type, or the same in another spelling. */
function isAlike(one: unknown, other: unknown): boolean {
  const type = typeOf(one);
  if (type !== typeOf(other)) return true;
  if (type === 'string') return folded(one as string) === folded(other as string);
  if (type === 'number') return compare(toDecimal(one), toDecimal(other)) === 0;
  if (type === 'array') {
    const [items, others] = [one as unknown[], other as unknown[]];
    return items.length === others.length && items.every((item, at) => isAlike(item, others[at]));
  }
  if (type !== 'object') return one === other;
  const [members, others] = [membersFolded(one as object), membersFolded(other as object)];
  return (
    members.size === others.size &&
    [...members].every(([name, own]) =>
      others.get(name)?.some((found) => own.some((at) => isAlike(memberOf(one, at), memberOf(other, found)))),
    )
  );
}

function memberOf(object: unknown, name: string): unknown {
  return (object as Record<string, unknown>)[name];
}

function typeOf(value: unknown): string {
  if (isRaw(value)) return 'number';
  return value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value;
}

function toDecimal(value: unknown) {
  return typeof value === 'number' ? parseDecimal(String(value)) : decimalOnce(value as object);
}

function ranging(min: number | undefined, max: number | undefined): Test {
  const [least, most] = [min, max].map((bound) => (bound === undefined ? undefined : parseDecimal(String(bound))));
  return {
    holds: (value) => {
      if (typeOf(value) !== 'number') return false;
      const number = toDecimal(value);
      return (!least || compare(number, least) >= 0) && (!most || compare(number, most) <= 0);
    },
    unclear: (value) => typeOf(value) !== 'number',
  };
}

/** A longer path is no system's. */
const LONGEST_PATH = 4096;
// What a program may read in its own way: another separator, an escape, a folder of somebody's, a second path behind a
// blank, what a shell expands, or acts on.
const READ_OTHERWISE =
  /^\/\/|\p{Cc}|\\|%(?:[\da-f]{2}|u[\da-f]{4}|[^%/]+%)|\/~|\s(?:[/~]|\.{1,2}(?:\/|$))|[\s/]\.{1,2}\s|[$`{;|&<>]|[?*+@!]\(/iu;
/** What a shell, or a tool that looks for files, puts the name of a file in the place of. */
const EXPANDED = /[*?[]/;
const LETTER = /[\p{L}\p{N}]/u;

/**
 * A path below a folder, or the folder. It holds for what is one as it is written. Unclear is what is one only when it is
 * taken apart, and what lies wherever its reader stands; where links of the file system lead is not known at all.
 */
function lyingUnder(folder: string): Test<string> {
  const parts = normalised(splitPath(folded(folder)));
  const mayLead = (path: string) => {
    const found = takenApart(path);
    if (found === 'unclear') return true;
    const other = parts.findIndex((part, at) => part !== found[at]);
    return other < 0 || EXPANDED.test(found[other] ?? '');
  };
  return {
    holds: (path) => isBelow(path, folder) && isPlain(path),
    // A shell may read a path up to its first blank.
    unclear: (path) => isBelow(path, folder) || mayLead(path) || mayLead(/^\S*/.exec(path)?.[0] ?? ''),
  };
}

function isBelow(path: string, folder: string): boolean {
  return path === folder || path.startsWith(`${folder}/`);
}

const isPlain = memoizeText((path) => !isReadOtherwise(path) && splitPath(folded(path)).every(leadsDown));

/** The parts of where a path leads; unclear where its readers may find others. */
const takenApart = memoizeText((path): string[] | 'unclear' => {
  const whole = folded(path);
  if (!whole.startsWith('/') || isReadOtherwise(path) || !isAlikeShaped(path, whole)) return 'unclear';
  const own = splitPath(whole);
  if (own.some((part) => part !== '..' && mayLeadBack(part))) return 'unclear';
  return own.includes('..') && !own.every(isCounted) ? 'unclear' : normalised(own);
});

function isReadOtherwise(path: string): boolean {
  return path.length > LONGEST_PATH || READ_OTHERWISE.test(path) || READ_OTHERWISE.test(shown(path));
}

/** The parts of an absolute path; a "/" at its end adds none. */
function splitPath(path: string): string[] {
  return (path.length > 1 && path.endsWith('/') ? path.slice(0, -1) : path).split('/').slice(1);
}

function leadsDown(part: string): boolean {
  return part !== '' && part !== '.' && !mayLeadBack(part) && !EXPANDED.test(part);
}

/** Whether it could stand for "..": dots with nothing but signs beside them, where "[.a]" may be a dot. */
function mayLeadBack(part: string): boolean {
  // What follows "#" may be a comment.
  const bare = part.replace(/#.*/s, '').replaceAll(/\[[^[\]]*\]/g, (set) => (set.includes('.') ? '.' : '?'));
  return part !== '.' && bare.includes('.') && !LETTER.test(bare) && !/^(?:\.{3,}|\[[^[\]]*\])$/.test(part);
}

/** Whether every reader takes it for one part, which a ".." behind it leads out of, or for none. */
function isCounted(part: string): boolean {
  return part === '.' || part === '..' || (LETTER.test(part) && !EXPANDED.test(part) && !part.includes('#'));
}

/** Whether a path has its separators and the parts that lead nowhere or back in the same places, however it is read. */
function isAlikeShaped(path: string, whole: string): boolean {
  const shapeOf = (text: string) => text.replaceAll(/[^/]+/g, (part) => (/^\.{1,2}$/.test(part) ? part : 'x'));
  return shapeOf(path) === shapeOf(whole);
}

/** A part without what a shell leaves out, the dots that Windows does, and the fragment of an address. */
function unquoted(part: string): string {
  return part.replaceAll(/['"()]|#.*/gs, '').replace(/(?<!\.)\.+$/, '');
}

/** The parts of an absolute path, without those that lead nowhere or back. */
function normalised(path: string[]): string[] {
  const parts: string[] = [];
  for (const part of path) {
    if (part === '..') parts.pop();
    else if (unquoted(part) !== '') parts.push(unquoted(part));
  }
  return parts;
}

/** A number as it was written: 0.`digits` times ten to the power of `point`. */
export type Decimal = { sign: -1 | 0 | 1; digits: string; point: number };

/** Reads the number that a JSON text or a double stands for, with all of its digits. */
export function parseDecimal(text: string): Decimal {
  const { minus, whole = '', fraction = '', exponent = '0' } = NUMBER.exec(text)?.groups ?? {};
  const all = whole + fraction;
  const first = all.search(/[1-9]/);
  if (first < 0) return { sign: 0, digits: '', point: 0 };
  let end = all.length;
  while (all[end - 1] === '0') end--;
  return { sign: minus ? -1 : 1, digits: all.slice(first, end), point: whole.length - first + Number(exponent) };
}

const NUMBER = /^(?<minus>-?)(?<whole>\d+)(?:\.(?<fraction>\d+))?(?:e(?<exponent>[-+]?\d+))?$/i;

/** Below 0 where `a` is the smaller number, above 0 where it is the greater one. */
export function compare(a: Decimal, b: Decimal): number {
  if (a.sign !== b.sign) return a.sign - b.sign;
  if (a.point !== b.point) return a.point < b.point ? -a.sign : a.sign;
  return a.digits === b.digits ? 0 : a.digits < b.digits ? -a.sign : a.sign;
}
