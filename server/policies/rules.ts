import { hash } from 'node:crypto';
import type { Json } from '#shared/json.ts';
import { canonical, isRaw } from '#shared/json.ts';
import type { Kind } from '#shared/fit.ts';
import { fitting } from '#shared/policies/pattern.ts';
import type { Comparison, Rule, When } from '#shared/policies/rule.ts';
import { fitsShell, readEntry } from './shell/entry.ts';

/** What a tool says of itself, as far as rules look at it. */
export type Annotations = { readOnlyHint?: boolean | undefined; destructiveHint?: boolean | undefined };

/** What rules look at of one inquiry. */
export type Asking = {
  sourceId: string;
  kind: Kind;
  /** The calls it asks about, in order; none where it asks something else. */
  calls: { name: string; args: Json }[];
  agent?: string | undefined;
  dialect?: string | undefined;
  group?: string | undefined;
  /** The run that asks, else its thread. */
  run?: string | undefined;
  /** The gate of this hub that holds the call, and what its tool says of itself. */
  gate?: { name: string; annotations?: Annotations | undefined } | undefined;
  /** How many inquiries its run has asked before; undefined: it names no run. */
  asked?: number | undefined;
  now: number;
};

type Call = Asking['calls'][number];
type Fits = (asking: Asking, call: Call | undefined) => boolean;

/** A rule that is ready to be tried. */
export type Prepared = { id: string; rule: Rule; fits: Fits };
/** A list that is ready to be searched; `asked`: some rule counts what a run has asked. */
export type List = { rules: Prepared[]; asked: boolean };

/** The id of a rule is its wording: the same words in any list are the same rule. */
export function ruleIdOf(rule: Rule): string {
  return `rul_${hash('sha256', canonical(rule)).slice(0, 26)}`;
}

/** Makes a list ready, once for each of its versions; `timeZone` is that of its person. */
export function prepare(rules: Rule[], timeZone: string): List {
  const local = localIn(timeZone);
  const prepared = rules.map((rule) => {
    const holds = holding(rule.when, local);
    const end = rule.until === undefined ? Infinity : Date.parse(rule.until);
    const fits: Fits = (asking, call) => asking.now < end && holds(asking, call);
    return { id: ruleIdOf(rule), rule, fits };
  });
  return { rules: prepared, asked: rules.some(({ when }) => when.asked !== undefined) };
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
  for (const { rules } of lists) {
    const found = rules.find((one) => one.fits(asking, call));
    if (found) return found;
  }
  return undefined;
}

/** Tells for what each of these conditions holds; `local` is what the clock shows where their list is read. */
export function holding(when: When, local: ReturnType<typeof localIn>): Fits {
  const { source, agent, dialect, gate, tool, args, shell, annotation, group, run, kind, asked, time, days } = when;
  const named = (names: string | string[], of: (asking: Asking) => string | undefined): Fits => {
    const known = new Set([names].flat());
    return (asking) => known.has(of(asking) ?? '');
  };
  const like = (
    patterns: string | string[],
    of: (asking: Asking, call: Call | undefined) => string | undefined,
  ): Fits => {
    const known = [patterns].flat().map(fitting);
    return (asking, call) => {
      const text = of(asking, call);
      return text !== undefined && known.some((fit) => fit(text));
    };
  };
  const conditions = [
    // What is quickly told comes first.
    source && named(source, ({ sourceId }) => sourceId),
    gate && named(gate, (asking) => asking.gate?.name),
    dialect && named(dialect, (asking) => asking.dialect),
    run && named(run, (asking) => asking.run),
    kind && named(kind, (asking) => asking.kind),
    tool && like(tool, (_asking, call) => call?.name),
    annotation && ((asking: Asking) => annotated(asking, annotation)),
    agent && like(agent, (asking) => asking.agent),
    group && like(group, (asking) => asking.group),
    asked && (({ asked: count }: Asking) => count !== undefined && within(count, asked)),
    time && (({ now }: Asking) => isBetween(local(now).time, time)),
    days && (({ now }: Asking) => (days as string[]).includes(local(now).day)),
    shell && commanding(shell, Object.keys(args ?? {})),
    ...Object.entries(args ?? {}).map(([pointer, comparison]) => comparing(pointer, comparison)),
  ].filter((condition): condition is Fits => condition !== undefined);
  return (asking, call) => conditions.every((fit) => fit(asking, call));
}

function annotated({ gate }: Asking, annotation: NonNullable<When['annotation']>): boolean {
  const { readOnlyHint, destructiveHint } = gate?.annotations ?? {};
  if (annotation === 'read-only') return readOnlyHint === true;
  if (annotation === 'destructive') return readOnlyHint !== true && destructiveHint === true;
  return readOnlyHint === true || destructiveHint === false;
}

const HARMLESS = ['command', 'description', 'timeout', 'run_in_background'];

// Another argument could change what the line does: a folder, variables, a sandbox that is left.
function commanding(texts: string[], pointers: string[]): Fits {
  const entries = texts.map(readEntry).filter((entry) => 'words' in entry);
  const named = new Set([...HARMLESS, ...pointers.map((pointer) => stepsOf(pointer)[0])]);
  return (_asking, call) => {
    const line = call && valueAt(call.args, ['command']);
    if (typeof line !== 'string') return false;
    return fitsShell(line, entries) && Object.keys(call?.args ?? {}).every((name) => named.has(name));
  };
}

function stepsOf(pointer: string): string[] {
  return pointer
    .split('/')
    .slice(1)
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
}

function comparing(pointer: string, { equals, oneOf, matches, under, min, max }: Comparison): Fits {
  const path = stepsOf(pointer);
  const tests = [
    equals !== undefined && among([equals]),
    oneOf && among(oneOf),
    matches !== undefined && texting(fitting(matches)),
    under !== undefined && texting((path) => isUnder(path, under)),
    (min ?? max) !== undefined && ((value: unknown) => within(numberOf(value), { min, max })),
  ].filter((one) => one !== false && one !== undefined);
  return (_asking, call) => {
    const value = call && valueAt(call.args, path);
    return value !== undefined && tests.every((fit) => fit(value));
  };
}

function texting(fit: (text: string) => boolean): (value: unknown) => boolean {
  return (value) => typeof value === 'string' && fit(value);
}

function among(values: Json[]): (value: unknown) => boolean {
  const known = new Set(values.map(canonical));
  return (value) => known.has(canonical(value));
}

function valueAt(value: unknown, path: string[]): unknown {
  let found = value;
  for (const step of path) {
    if (typeof found !== 'object' || found === null || isRaw(found) || !Object.hasOwn(found, step)) return undefined;
    if (Array.isArray(found) && !/^(0|[1-9]\d*)$/.test(step)) return undefined;
    found = (found as Record<string, unknown>)[step];
  }
  return found;
}

/** Not what only looks like a path below it: what climbs, is relative, or a program would read in another way. */
function isUnder(path: string, folder: string): boolean {
  if (path !== folder && !path.startsWith(`${folder}/`)) return false;
  return !/\p{Cc}|\\|\/\/|\/~|\/\.{1,2}(\/|$)/u.test(path);
}

/** NaN for what a double would not hold exactly: it is in no range. */
function numberOf(value: unknown): number {
  if (typeof value === 'number') return value;
  if (!isRaw(value)) return NaN;
  const text = JSON.stringify(value);
  const digits = text.replace(/e.*$/i, '').replace(/[-.]/g, '').replace(/^0+/, '');
  return digits.length <= 15 ? Number(text) : NaN;
}

function within(
  count: number,
  { min = -Infinity, max = Infinity }: { min?: number | undefined; max?: number | undefined },
) {
  return count >= min && count <= max;
}

function isBetween(time: string, { from, to }: { from: string; to: string }): boolean {
  return from <= to ? time >= from && time < to : time >= from || time < to;
}

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
