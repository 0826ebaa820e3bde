import { hash } from 'node:crypto';
import { canonical, isRaw, type Json } from '#shared/json.ts';
import { grants } from '#shared/policies/grants.ts';
import { narrowing, type QuestionOfRule, type Rule, type When } from '#shared/policies/rule.ts';
import { comparing, liking, lookUp, type Test } from './compare.ts';
import { mayFit, parsePointer, TEXTS, valueAt, type Asking, type Call, type TextOf } from './may-fit.ts';
import { fitsShell, mayFitShell, readEntry } from './shell/entry.ts';

type Fits = (asking: Asking, call: Call | undefined) => boolean;

/** How a rule knows a tool: by its name, by another spelling of it, or not at all. */
type Known = 'named' | 'disguised' | undefined;
/** A rule that is ready to be tried; `knows` is how it knows the tool of a call of those whom it is about. */
export type Prepared = {
  id: string;
  rule: Rule;
  fits: Fits;
  /** Where its times of day are counted, if it names any. */
  timeZone?: string;
  knows?: (asking: Asking, call: Call) => Known;
  /** Calls that destroy something, or of which that cannot be told, are left to people. */
  sparesDestructive?: true;
};
/** A list that is ready to be searched: all others than those at the places that `mayFit` tells need no look. */
export type List = { rules: Prepared[]; mayFit: ReturnType<typeof mayFit> };

/** The id of a rule is its wording: the same words in any list are the same rule. */
export function toRuleId(rule: Rule): string {
  return `rul_${hash('sha256', canonical(rule)).slice(0, 26)}`;
}

/** Makes a list ready, once for each of its versions; `timeZone` is that of its person. */
export function prepare(rules: Rule[], timeZone: string): List {
  const local = localIn(timeZone);
  const prepared = rules.map((rule): Prepared => {
    const { time, days } = rule.when;
    const holds = holding(rule.when, local, grants(rule.then));
    const end = rule.off ? -Infinity : rule.until === undefined ? Infinity : Date.parse(rule.until);
    const fits: Fits = (asking, call) => asking.now < end && holds(asking, call);
    const knows = knowing(rule, local);
    return {
      id: toRuleId(rule),
      rule,
      fits,
      ...((time ?? days) === undefined ? {} : { timeZone }),
      ...(knows ? { knows: (asking, call) => (asking.now < end ? knows(asking, call) : undefined) } : {}),
    };
  });
  return { rules: prepared, mayFit: mayFit(rules.map(({ when, then }) => ({ when, grants: grants(then) }))) };
}

function knowing({ when }: Rule, local: ReturnType<typeof localIn>): Prepared['knows'] {
  const { tool, source, agent, dialect, gate, group, run } = when;
  if (tool === undefined || !narrowing(tool)) return undefined;
  const isAbout = holding({ source, agent, dialect, gate, group, run } as When, local, true);
  const { holds, unclear } = liking([tool].flat().filter(narrowing));
  return (asking, call) => {
    const known = holds(call.name) ? 'named' : unclear(call.name) ? 'disguised' : undefined;
    return known && isAbout(asking, call) ? known : undefined;
  };
}

/**
 * The first rule of these lists that fits what is asked; undefined where none does. Each call of an inquiry is looked
 * up by itself. "people": only they can decide about all of it, since its calls have not all the same rule, or a rule
 * would grant what a tool asks that another rule knows under another spelling of its name.
 */
export function search(lists: readonly List[], asking: Asking): Prepared | 'people' | undefined {
  const calls = asking.calls.length > 0 ? asking.calls : [undefined];
  const [first, ...others] = calls.map((call) => findFirst(lists, asking, call));
  if (others.some((found) => found !== first)) return 'people';
  return first && grants(first.rule.then) && asking.calls.some((call) => isDisguised(lists, asking, call))
    ? 'people'
    : first;
}

function isDisguised(lists: readonly List[], asking: Asking, call: Call): boolean {
  const known = new Set(lists.flatMap(({ rules }) => rules.map(({ knows }) => knows?.(asking, call))));
  return known.has('disguised') && !known.has('named');
}

function findFirst(lists: readonly List[], asking: Asking, call: Call | undefined): Prepared | undefined {
  for (const { rules, mayFit } of lists) {
    const place = mayFit(asking, call).find((at) => rules[at]?.fits(asking, call));
    if (place !== undefined) return rules[place];
  }
  return undefined;
}

/**
 * Tells for what each of these conditions holds; `local` is what the clock shows where their list is read. `strict`:
 * their rule approves, answers or hands over, so that nothing fits of which a condition cannot be told; else it fits.
 */
export function holding(when: When, local: ReturnType<typeof localIn>, strict: boolean): Fits {
  const { source, agent, dialect, gate, tool, args, shell, annotation, group, run, kind, question, asked, time, days } =
    when;
  const named = (names: string | string[], of: TextOf): Fits => {
    const known = new Set([names].flat());
    return (asking, call) => known.has(of(asking, call) ?? '');
  };
  const like = (patterns: string | string[], ...of: TextOf[]): Fits => {
    const { holds } = liking([patterns].flat());
    return (asking, call) =>
      of.some((textOf) => [textOf(asking, call)].some((text) => text !== undefined && holds(text)));
  };
  const told =
    <Value>({ holds, unclear }: Test<Value>, of: (call: Call) => Value): Fits =>
    (_asking, call) =>
      call !== undefined && (holds(of(call)) || (!strict && unclear(of(call))));
  const conditions = [
    // What is quickly told comes first.
    source && named(source, TEXTS.source),
    gate && named(gate, TEXTS.gate),
    dialect && named(dialect, TEXTS.dialect),
    run && named(run, TEXTS.run),
    kind && named(kind, TEXTS.kind),
    tool && told(liking([tool].flat()), ({ name }) => name),
    annotation && ((asking: Asking) => annotated(asking, annotation, strict)),
    agent && like(agent, TEXTS.agent, TEXTS.subagent),
    group && like(group, TEXTS.group),
    (time ?? days) && (({ now }: Asking) => isAt(local(now), when)),
    shell && (strict ? commanding(shell, Object.keys(args ?? {})) : fencing(shell)),
    ...Object.entries(args ?? {}).map(([pointer, comparison]) =>
      told(comparing(pointer, comparison), (call) => call.args),
    ),
    question && asksFor(question, strict),
    asked && ((asking: Asking) => within(asking.asked?.(), asked)),
  ].filter((condition): condition is Fits => condition !== undefined);
  return (asking, call) => conditions.every((fit) => fit(asking, call));
}

/** Word for word and alone where that is `strict`; else one of several will do, and another spelling of it. */
function asksFor(question: QuestionOfRule, strict: boolean): Fits {
  const { holds, unclear } = comparing('', { equals: question as Json });
  return ({ questions }) =>
    (questions?.() ?? []).some(({ question: asked, whole }) =>
      strict ? whole && holds(asked as Json) : holds(asked as Json) || unclear(asked as Json),
    );
}

// A gate that could not ask its server for the tool knows nothing of what that says of itself.
function annotated({ gate }: Asking, annotation: NonNullable<When['annotation']>, strict: boolean): boolean {
  if (gate && !gate.annotations) return !strict;
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
  const named = new Set(pointers.map(parsePointer).flatMap(([step, ...more]) => (more.length > 0 ? [] : (step ?? []))));
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
    const found = call ? lookUp(call.args, ['command']) : { is: 'absent' as const };
    if (found.is !== 'there') return found.is === 'unclear';
    return read.length < entries.length || !isText(found.value) || mayFitShell(found.value, read);
  };
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
