import { hash } from 'node:crypto';
import type { Json } from '#shared/json.ts';
import { canonical, isRaw } from '#shared/json.ts';
import { fitting } from '#shared/policies/pattern.ts';
import { approves } from '#shared/policies/approves.ts';
import type { Comparison, Rule, When } from '#shared/policies/rule.ts';
import { compare, decimalOf } from './decimal.ts';
import { mayFit, stepsOf, TEXTS, valueAt, type Asking, type Call, type TextOf } from './may-fit.ts';
import { fitsShell, mayFitShell, readEntry } from './shell/entry.ts';

type Fits = (asking: Asking, call: Call | undefined) => boolean;

/** A rule that is ready to be tried. */
export type Prepared = { id: string; rule: Rule; fits: Fits };
/** A list that is ready to be searched: all others than those at the places that `mayFit` tells need no look. */
export type List = { rules: Prepared[]; mayFit: ReturnType<typeof mayFit> };

/** The id of a rule is its wording: the same words in any list are the same rule. */
export function ruleIdOf(rule: Rule): string {
  return `rul_${hash('sha256', canonical(rule)).slice(0, 26)}`;
}

/**
 * Makes a list ready, once for each of its versions; `timeZone` is that of its person. Without one nobody knows whether
 * the time of day of a rule has come: it approves nothing, and what it would have kept from being approved is asked.
 */
export function prepare(rules: Rule[], timeZone: string | undefined): List {
  const local = localIn(timeZone ?? 'UTC');
  const prepared = rules.map((rule) => {
    const { time, days, ...others } = rule.when;
    const untimed = timeZone === undefined && (time ?? days) !== undefined;
    const holds = holding(untimed ? others : rule.when, local, approves(rule.then));
    const end = rule.until === undefined ? Infinity : Date.parse(rule.until);
    const never = untimed && rule.then === 'approve';
    const fits: Fits = (asking, call) => !never && asking.now < end && holds(asking, call);
    return { id: ruleIdOf(rule), rule: untimed ? { ...rule, then: 'ask' as const } : rule, fits };
  });
  return { rules: prepared, mayFit: mayFit(rules.map(({ when, then }) => ({ when, approves: approves(then) }))) };
}

/**
 * The first rule of these lists that fits what is asked; undefined where none does. Each call of an inquiry is looked
 * up by itself, and "differ" says that they have not all the same rule: then only people can decide about all of it.
 */
export function search(lists: readonly List[], asking: Asking): Prepared | 'differ' | undefined {
  const calls = asking.calls.length > 0 ? asking.calls : [undefined];
  const [first, ...others] = calls.map((call) => firstOf(lists, asking, call));
  return others.every((found) => found === first) ? first : 'differ';
}

function firstOf(lists: readonly List[], asking: Asking, call: Call | undefined): Prepared | undefined {
  for (const { rules, mayFit } of lists) {
    const place = mayFit(asking, call).find((at) => rules[at]?.fits(asking, call));
    if (place !== undefined) return rules[place];
  }
  return undefined;
}

/**
 * Tells for what each of these conditions holds; `local` is what the clock shows where their list is read. `strict`:
 * their rule approves, so that a line of which not all was understood does not fit; else it fits.
 */
export function holding(when: When, local: ReturnType<typeof localIn>, strict: boolean): Fits {
  const { source, agent, dialect, gate, tool, args, shell, annotation, group, run, kind, asked, time, days } = when;
  const named = (names: string | string[], of: TextOf): Fits => {
    const known = new Set([names].flat());
    return (asking, call) => known.has(of(asking, call) ?? '');
  };
  const like = (patterns: string | string[], of: TextOf): Fits => {
    const known = [patterns].flat().map(fitting);
    return (asking, call) => {
      const text = of(asking, call);
      return text !== undefined && known.some((fit) => fit(text));
    };
  };
  const conditions = [
    // What is quickly told comes first.
    source && named(source, TEXTS.source),
    gate && named(gate, TEXTS.gate),
    dialect && named(dialect, TEXTS.dialect),
    run && named(run, TEXTS.run),
    kind && named(kind, TEXTS.kind),
    tool && like(tool, TEXTS.tool),
    annotation && ((asking: Asking) => annotated(asking, annotation)),
    agent && like(agent, TEXTS.agent),
    group && like(group, TEXTS.group),
    (time ?? days) && (({ now }: Asking) => isAt(local(now), when)),
    shell && (strict ? commanding(shell, Object.keys(args ?? {})) : fencing(shell)),
    ...Object.entries(args ?? {}).map(([pointer, comparison]) => comparing(pointer, comparison)),
    asked && ((asking: Asking) => within(asking.asked?.(), asked)),
  ].filter((condition): condition is Fits => condition !== undefined);
  return (asking, call) => conditions.every((fit) => fit(asking, call));
}

function annotated({ gate }: Asking, annotation: NonNullable<When['annotation']>): boolean {
  const { readOnlyHint, destructiveHint } = gate?.annotations ?? {};
  if (annotation === 'read-only') return readOnlyHint === true;
  if (annotation === 'destructive') return readOnlyHint !== true && destructiveHint === true;
  return readOnlyHint === true || destructiveHint === false;
}

/** Arguments of a call with a command that change nothing of what it does, each with what it has to be. */
export const HARMLESS: Record<string, (value: unknown) => boolean> = {
  command: isText,
  description: isText,
  timeout: (value) => typeof value === 'number' || isRaw(value),
  run_in_background: (value) => typeof value === 'boolean',
};

function isText(value: unknown): value is string {
  return typeof value === 'string';
}

// Another argument could change what the line does: a folder, variables, a sandbox that is left.
function commanding(texts: string[], pointers: string[]): Fits {
  const entries = texts.map((text) => readEntry(text)).filter((entry) => 'words' in entry);
  // A pointer to a part says nothing of the rest.
  const named = new Set(pointers.map(stepsOf).flatMap(([step, ...more]) => (more.length > 0 ? [] : (step ?? []))));
  const isHarmless = ([name, value]: [string, unknown]) =>
    named.has(name) || (Object.hasOwn(HARMLESS, name) && HARMLESS[name]?.(value));
  return (_asking, call) => {
    const line = call && valueAt(call.args, ['command']);
    return isText(line) && fitsShell(line, entries) && Object.entries(call?.args ?? {}).every(isHarmless);
  };
}

/** What keeps commands from a later rule: it holds where it cannot be known that none of them is called. */
function fencing(texts: string[]): Fits {
  const entries = texts.map((text) => readEntry(text, 'fence'));
  const read = entries.filter((entry) => 'words' in entry);
  return (_asking, call) => {
    if (!call) return false;
    const line = valueAt(call.args, ['command']);
    return read.length < entries.length || !isText(line) || mayFitShell(line, read);
  };
}

function comparing(pointer: string, { equals, oneOf, matches, under, min, max }: Comparison): Fits {
  const path = stepsOf(pointer);
  const tests = [
    equals !== undefined && among([equals]),
    oneOf && among(oneOf),
    matches !== undefined && texting(fitting(matches)),
    under !== undefined && texting((path) => isUnder(path, under)),
    (min ?? max) !== undefined && ranging(min, max),
  ].filter((one) => one !== false && one !== undefined);
  return (_asking, call) => {
    const value = call && valueAt(call.args, path);
    return value !== undefined && tests.every((fit) => fit(value));
  };
}

function texting(fit: (text: string) => boolean): (value: unknown) => boolean {
  return (value) => isText(value) && fit(value);
}

/** Computes once what a thousand rules look at. */
function once<T>(compute: (value: object) => T): (value: object) => T {
  const known = new WeakMap<object, { found: T }>();
  return (value) => {
    const before = known.get(value);
    if (before) return before.found;
    const found = compute(value);
    known.set(value, { found });
    return found;
  };
}
const canonicalOnce = once(canonical);
const decimalOnce = once((value) => decimalOf(JSON.stringify(value)));

function among(values: Json[]): (value: unknown) => boolean {
  const texts = new Set<unknown>(values.filter(isText));
  const others = new Set(values.filter((value) => !isText(value)).map(canonical));
  return (value) => {
    if (isText(value)) return texts.has(value);
    return others.has(typeof value === 'object' && value !== null ? canonicalOnce(value) : canonical(value));
  };
}

function ranging(min: number | undefined, max: number | undefined): (value: unknown) => boolean {
  const [least, most] = [min, max].map((bound) => (bound === undefined ? undefined : decimalOf(String(bound))));
  return (value) => {
    if (typeof value !== 'number' && !isRaw(value)) return false;
    const number = typeof value === 'number' ? decimalOf(String(value)) : decimalOnce(value as object);
    return (!least || compare(number, least) >= 0) && (!most || compare(number, most) <= 0);
  };
}

/** Not what only looks like a path below it: what climbs, is relative, or a program would read in another way. */
function isUnder(path: string, folder: string): boolean {
  if (path !== folder && !path.startsWith(`${folder}/`)) return false;
  return !/\p{Cc}|\\|\/\/|\/~|\/\.{1,2}(\/|$)/u.test(path);
}

function within(count: number | undefined, { min = -Infinity, max = Infinity }: NonNullable<When['asked']>): boolean {
  return count !== undefined && count >= min && count <= max;
}

/** A time past midnight belongs to the day on which it began. */
function isAt({ time, day }: Local, { time: span, days }: Pick<When, 'time' | 'days'>): boolean {
  const { from, to } = span ?? { from: '00:00', to: '24:00' };
  const sinceYesterday = from > to && time < to;
  if (!sinceYesterday && (time < from || (from < to && time >= to))) return false;
  const began = WEEK.at(WEEK.indexOf(day) - (sinceYesterday ? 1 : 0));
  return days === undefined || (days as string[]).includes(began ?? '');
}

const WEEK = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'];

type Local = { time: string; day: string };

/** What the clock shows in a time zone. */
export function localIn(timeZone: string): (now: number) => Local {
  let format: Intl.DateTimeFormat | undefined;
  // A thousand rules ask for one instant.
  let latest: (Local & { now: number }) | undefined;
  return (now) => {
    if (latest?.now === now) return latest;
    format ??= new Intl.DateTimeFormat('en-GB', {
      timeZone,
      weekday: 'short',
      hour: '2-digit',
      minute: '2-digit',
      hourCycle: 'h23',
    });
    const parts = Object.fromEntries(format.formatToParts(now).map(({ type, value }) => [type, value]));
    latest = { now, time: `${parts['hour']}:${parts['minute']}`, day: (parts['weekday'] ?? '').toLowerCase() };
    return latest;
  };
}
