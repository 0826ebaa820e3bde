import { deepStrictEqual } from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { Json } from '#shared/json.ts';
import { canonical } from '#shared/json.ts';
import { Rule, type Comparison, type QuestionOfRule, type When } from '#shared/policies/rule.ts';
import type { Asking } from './may-fit.ts';
import { prepare, search } from './rules.ts';

const SOURCES = ['src_00000000000000000000000001', 'src_00000000000000000000000002'];
const NAMES = ['a', 'ab', 'abc', 'b', 'A', ' a', 'a\tb', 'a  b', '\uff42'];
const PATTERNS = ['a', 'ab', '*', 'a*', '*b', 'a*c', '*b*', 'B'];
const PATHS = [
  '/x',
  '/x/y',
  '/xy',
  '/x/../z',
  '/x//y',
  '/x/~',
  'x/y',
  '/x/.y',
  '/x/*',
  '/x/\u2025',
  '/y/.*/x',
  '/y/$a',
  '/y/*',
];
const ZONES = ['UTC', 'Asia/Tokyo', 'America/St_Johns', 'Europe/Berlin'];
const DAYS = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const;
const KINDS = ['text', 'questions', 'document', 'actions', 'link'] as const;
/** Lines, with the commands in them; none where a line does more than run commands. */
const LINES: Record<string, string[] | undefined> = {
  ls: ['ls'],
  'ls -a': ['ls -a'],
  'ls && git status': ['ls', 'git status'],
  'git status | ls': ['git status', 'ls'],
  'git log main': ['git log main'],
  'git log --all': ['git log --all'],
  'ls $(rm a)': undefined,
  'ls > a': undefined,
  'env ls': ['env ls'],
  '/bin/ls': ['/bin/ls'],
};
const OPTIONS = [
  [{ value: 'a', label: 'A' }],
  [{ value: 'a', label: 'a' }],
  [{ value: 'a', label: 'A', description: 'a' }],
  [
    { value: 'a', label: 'A' },
    { value: 'b', label: 'B' },
  ],
];
const QUESTIONS: QuestionOfRule[] = [
  ...NAMES.filter((name) => name !== ' a').map((prompt) => ({ prompt })),
  ...OPTIONS.map((options) => ({ prompt: 'a', options })),
];
const ENTRIES = ['ls', 'git status', 'git log *'];
const THENS = ['approve', 'you-decide', 'unanswered', 'ask', { reject: 'No.' }, { answer: 'a' }] as const;

const some = <T>(values: readonly T[]) => fc.constantFrom(...values);
const several = <T>(values: readonly T[]) =>
  fc.oneof(some(values), fc.uniqueArray(some(values), { minLength: 1, maxLength: 3 }));
const json: fc.Arbitrary<Json> = fc.oneof(
  some<Json>([1, 2, '1', 'ab', 'AB', true, null, [1], { b: 1 }]),
  some<Json>(PATHS),
);
const clock = fc
  .tuple(fc.nat(23), some([0, 15, 30, 45]))
  .map(([hour, minute]) => `${String(hour).padStart(2, '0')}:${String(minute).padStart(2, '0')}`);
const range = fc
  .record({ min: fc.nat(4), max: fc.nat(4) }, { requiredKeys: [] })
  .filter(({ min, max }) => min !== undefined || max !== undefined);
const COMPARISONS = {
  equals: json,
  oneOf: fc.array(json, { minLength: 1, maxLength: 3 }),
  matches: some(PATTERNS),
  under: some(['/x', '/x/y']),
  min: fc.nat(3),
  max: fc.nat(3),
};
const comparison = fc.record(COMPARISONS, { requiredKeys: [] }).filter((one) => Object.keys(one).length > 0);
const POINTERS = ['/p', '/q', '/q/b', '/q/0'];
const CONDITIONS = {
  source: several(SOURCES),
  agent: several(PATTERNS),
  dialect: several(NAMES),
  gate: several(NAMES),
  tool: several(PATTERNS),
  args: fc.dictionary(some(POINTERS), comparison, { minKeys: 1, maxKeys: 2 }),
  shell: fc.uniqueArray(some(ENTRIES), { minLength: 1 }),
  annotation: some(['read-only', 'destructive', 'not destructive'] as const),
  group: several(PATTERNS),
  run: several(NAMES),
  kind: several(KINDS),
  question: some(QUESTIONS),
  asked: range,
  time: fc.record({ from: clock, to: clock }).filter(({ from, to }) => from !== to),
  days: fc.uniqueArray(some(DAYS), { minLength: 1 }),
};
const when = fc.record(CONDITIONS, { requiredKeys: [] });
// Of fifteen conditions at once none would ever fit.
const few = fc
  .tuple(when, fc.infiniteStream(fc.nat(99)))
  .map(([all, drawn]) => Object.fromEntries(Object.entries(all).filter(() => Number(drawn.next().value) < 11)) as When);
const START = Date.parse('2026-03-28T20:00:00Z');
const instant = fc.nat(4 * 48).map((quarters) => START + quarters * 900_000);
const rule = fc.record(
  { when: few, then: some(THENS), until: instant.map((at) => new Date(at).toISOString()) },
  { requiredKeys: ['when', 'then'] },
);
const args = fc.oneof(
  fc.dictionary(some(['p', 'q']), json),
  some(Object.keys(LINES)).map((command) => ({ command })),
  fc.record({ command: some(Object.keys(LINES)), p: json, timeout: fc.nat(9) }, { requiredKeys: ['command'] }),
);
const asking = fc.record(
  {
    sourceId: some(SOURCES),
    kind: some(KINDS),
    calls: fc.array(fc.record({ name: some(NAMES), args: args as fc.Arbitrary<Json> }), { maxLength: 2 }),
    now: instant,
    agent: some(NAMES),
    subagent: some(NAMES),
    dialect: some(NAMES),
    group: some(NAMES),
    run: some(NAMES),
    gate: fc.record(
      {
        name: some(NAMES),
        annotations: fc.record({ readOnlyHint: fc.boolean(), destructiveHint: fc.boolean() }, { requiredKeys: [] }),
      },
      { requiredKeys: ['name'] },
    ),
    questions: fc
      .array(fc.record({ question: some(QUESTIONS), whole: fc.boolean() }), { maxLength: 2 })
      .map((questions) => () => questions),
    asked: fc.nat(4).map((count) => () => count),
  },
  { requiredKeys: ['sourceId', 'kind', 'calls', 'now'] },
) as fc.Arbitrary<Asking>;

type Answer = 'yes' | 'no' | 'unclear';
const isSure = (holds: boolean): Answer => (holds ? 'yes' : 'no');
const isGranting = ({ then }: Pick<Rule, 'then'>) =>
  then === 'approve' || (typeof then === 'object' && 'answer' in then);
const plainly = (text: string) => text.normalize('NFKC').toLowerCase().replace(/\s/g, '');

/** What a rule answers, told as slowly and plainly as it can be. */
function answerOf(rule: Rule, what: Asking, call: Asking['calls'][number] | undefined, zone: string): Answer {
  const { when: w, until } = rule;
  const [day, time] = localOf(what.now, zone);
  const { readOnlyHint: reads = false, destructiveHint: destroys } = what.gate?.annotations ?? {};
  const annotations = {
    'read-only': reads,
    destructive: !reads && destroys === true,
    'not destructive': reads || destroys === false,
  };
  const asked = what.asked?.();
  const answers: Answer[] = [
    isSure(isAbout(rule, what)),
    isSure(w.kind === undefined || [w.kind].flat().includes(what.kind)),
    isSure(until === undefined || what.now < Date.parse(until)),
    w.tool === undefined ? 'yes' : nameAnswer(w.tool, call?.name),
    w.annotation === undefined
      ? 'yes'
      : what.gate && !what.gate.annotations
        ? 'unclear'
        : isSure(annotations[w.annotation]),
    isSure(
      w.asked === undefined || (asked !== undefined && asked >= (w.asked.min ?? 0) && asked <= (w.asked.max ?? 99)),
    ),
    w.question === undefined ? 'yes' : questionAnswer(w.question, what.questions?.() ?? []),
    isSure(w.days === undefined || (w.days as string[]).includes(isNight(w.time, time) ? dayBefore(day) : day)),
    isSure(w.time === undefined || minutesOf(w.time.from, w.time.to).includes(time)),
    ...Object.entries(w.args ?? {}).map(([pointer, wanted]) => compares(wanted, at(call?.args, pointer))),
    isSure(
      w.shell === undefined ||
        (isGranting(rule)
          ? runsOnly(w.shell, call?.args, Object.keys(w.args ?? {}))
          : call !== undefined && mayRun(w.shell, call.args)),
    ),
  ];
  return answers.includes('no') ? 'no' : answers.includes('unclear') ? 'unclear' : 'yes';
}

function fits(rule: Rule, what: Asking, call: Asking['calls'][number] | undefined, zone: string): boolean {
  const answer = answerOf(rule, what, call, zone);
  return answer === 'yes' || (answer === 'unclear' && !isGranting(rule));
}

function isAbout({ when: w }: Rule, what: Asking): boolean {
  const one = (names: string | string[] | undefined, text: string | undefined) =>
    names === undefined || (text !== undefined && [names].flat().includes(text));
  const like = (patterns: string | string[] | undefined, text: string | undefined) =>
    patterns === undefined || (text !== undefined && [patterns].flat().some((pattern) => isLike(pattern, text)));
  const exact = one(w.source, what.sourceId) && one(w.dialect, what.dialect) && one(w.run, what.run);
  const ofAgent = like(w.agent, what.agent) || like(w.agent, what.subagent);
  return exact && one(w.gate, what.gate?.name) && ofAgent && like(w.group, what.group);
}

function nameAnswer(patterns: string | string[], name: string | undefined): Answer {
  if (name === undefined) return 'no';
  if ([patterns].flat().some((pattern) => isLike(pattern, name))) return 'yes';
  return [patterns].flat().some((pattern) => isLike(plainly(pattern), plainly(name))) ? 'unclear' : 'no';
}

function questionAnswer(wanted: QuestionOfRule, asked: ReturnType<NonNullable<Asking['questions']>>): Answer {
  if (asked.some(({ question, whole }) => whole && canonical(question) === canonical(wanted))) return 'yes';
  const look = (question: QuestionOfRule) =>
    JSON.stringify(question, (_, text) => (typeof text === 'string' ? plainly(text) : (text as unknown)));
  return asked.some(({ question }) => look(question) === look(wanted)) ? 'unclear' : 'no';
}

/** Whether rules that are about this know the tool of a call under another spelling, and none under its own. */
function isDisguised(rules: Rule[], what: Asking): boolean {
  const about = rules.filter(
    (rule) => isAbout(rule, what) && (rule.until === undefined || what.now < Date.parse(rule.until)),
  );
  return what.calls.some(({ name }) => {
    const answers = about.flatMap(({ when: { tool } }) =>
      nameAnswer(
        [tool ?? []].flat().filter((one) => one !== '*'),
        name,
      ),
    );
    return answers.includes('unclear') && !answers.includes('yes');
  });
}

function isLike(pattern: string, text: string): boolean {
  return new RegExp(`^${pattern.split('*').join('.*')}$`, 's').test(text);
}

function localOf(now: number, timeZone: string): [day: string, time: string] {
  const day = new Intl.DateTimeFormat('en-US', { timeZone, weekday: 'long' }).format(now);
  return [day.slice(0, 3).toLowerCase(), new Date(now).toLocaleString('sv-SE', { timeZone }).slice(11, 16)];
}

/** Each minute from one to before the other, as a clock shows them. */
function minutesOf(from: string, to: string): string[] {
  const shown: string[] = [];
  const [hour = 0, minute = 0] = from.split(':').map(Number);
  for (let at = hour * 60 + minute; shown[0] === undefined || clockAt(at) !== to; at++) shown.push(clockAt(at));
  return shown;
}

function clockAt(minutes: number): string {
  return new Date(minutes * 60_000).toISOString().slice(11, 16);
}

/** What stands there, or why nothing does. */
function at(value: unknown, pointer: string): { value: unknown } | Answer {
  let inside = value;
  for (const step of pointer.split('/').slice(1)) {
    if (inside === null || inside === undefined) return 'no';
    if (typeof inside !== 'object' || (Array.isArray(inside) && step !== '0')) return 'unclear';
    if (!Object.hasOwn(inside, step)) return 'no';
    inside = (inside as Record<string, unknown>)[step];
  }
  return inside === undefined ? 'no' : { value: inside };
}

/** The paths above that are not certainly elsewhere, by folder. */
const UNDER: Record<string, Record<string, Answer>> = {
  '/x': { '/x': 'yes', '/x/y': 'yes', '/x/.y': 'yes', '/x/../z': 'unclear', '/x//y': 'unclear' },
  '/x/y': { '/x/y': 'yes', '/x//y': 'unclear' },
};
for (const known of Object.values(UNDER))
  for (const path of ['/x/*', '/x/\u2025', '/x/~', '/y/.*/x', '/y/$a']) known[path] = 'unclear';

function compares({ equals, oneOf, matches, under, min, max }: Comparison, found: ReturnType<typeof at>): Answer {
  if (typeof found === 'string') return found;
  const { value } = found;
  const type = (one: unknown) => (one === null ? 'null' : Array.isArray(one) ? 'array' : typeof one);
  const same = (other: unknown): Answer => {
    if (canonical(other) === canonical(value)) return 'yes';
    const isText = typeof value === 'string' && typeof other === 'string';
    return type(value) !== type(other) || (isText && plainly(value) === plainly(other)) ? 'unclear' : 'no';
  };
  const text = (tell: (one: string) => Answer) => (typeof value === 'string' ? tell(value) : 'unclear');
  const number = (holds: (one: number) => boolean) => (typeof value === 'number' ? isSure(holds(value)) : 'unclear');
  const any = (oneOf ?? []).map(same);
  const answers = [
    equals === undefined ? 'yes' : same(equals),
    oneOf === undefined || any.includes('yes') ? 'yes' : any.includes('unclear') ? 'unclear' : 'no',
    matches === undefined ? 'yes' : text((one) => nameAnswer(matches, one)),
    under === undefined ? 'yes' : text((one) => UNDER[under]?.[one] ?? (one.startsWith('/') ? 'no' : 'unclear')),
    min === undefined ? 'yes' : number((one) => one >= min),
    max === undefined ? 'yes' : number((one) => one <= max),
  ];
  return answers.includes('no') ? 'no' : answers.includes('unclear') ? 'unclear' : 'yes';
}

function runsOnly(entries: string[], value: unknown, pointers: string[]): boolean {
  const { command, ...others } = (value ?? {}) as Record<string, unknown>;
  const commands = typeof command === 'string' ? LINES[command] : undefined;
  const allowed = (one: string) =>
    entries.some((entry) => entry === one || (entry === 'git log *' && one === 'git log main'));
  const named = ['timeout', ...pointers.flatMap((pointer) => (pointer.lastIndexOf('/') > 0 ? [] : pointer.slice(1)))];
  return commands !== undefined && commands.every(allowed) && Object.keys(others).every((name) => named.includes(name));
}

function mayRun(entries: string[], value: unknown): boolean {
  const { command } = (value ?? {}) as Record<string, unknown>;
  const commands = typeof command === 'string' ? LINES[command] : undefined;
  const named = commands?.map((one) => one.replace('/bin/', ''));
  return (
    command !== undefined &&
    (!named ||
      named.includes('env ls') ||
      named.some((one) => entries.includes(one.startsWith('git log') ? 'git log *' : one)))
  );
}

/** Past midnight, in a time that began the day before. */
function isNight(span: When['time'], time: string): boolean {
  return span !== undefined && span.from > span.to && time < span.to;
}

function dayBefore(day: string): string {
  return DAYS.at(DAYS.indexOf(day as 'mon') - 1) ?? '';
}

test('[POL1] whatever rules and whatever is asked, the first that fits counts, as a plain reading finds it', () => {
  const lists = fc.array(fc.tuple(fc.array(rule, { maxLength: 4 }), some(ZONES)), { maxLength: 3 });
  let found = 0;
  fc.assert(
    fc.property(lists, asking, (given, what) => {
      const rules = given.map(([list]) => list.map((one, place) => ({ name: `r${place}`, ...one }) as Rule));
      const ready = given.map(([, zone], place) => prepare(rules[place]!, zone));
      const all = given.flatMap(([, zone], place) => rules[place]!.map((one) => ({ one, zone })));
      const calls = what.calls.length > 0 ? what.calls : [undefined];
      const firsts = calls.map((call) => all.find(({ one, zone }) => fits(one, what, call, zone))?.one);
      const [first] = firsts;
      const isHeld = first && isGranting(first) && isDisguised(rules.flat(), what);
      const expected = isHeld || firsts.some((one) => one !== first) ? 'people' : first;
      const actual = search(ready, what);
      if (expected !== undefined) found++;
      deepStrictEqual(typeof actual === 'object' ? actual.rule : actual, expected);
    }),
    { numRuns: 1500 },
  );
  // A fuzz in which nothing fits says nothing.
  deepStrictEqual(found > 300, true);
});

test('[POL1] no rule that fits is left out untried, whatever it is told by', () => {
  const anyOf = (members: Record<string, fc.Arbitrary<unknown>>) =>
    fc.oneof(...Object.entries(members).map(([name, value]) => value.map((one) => ({ [name]: one }))));
  const argument = fc.tuple(some(POINTERS), anyOf(COMPARISONS)).map(([pointer, one]) => ({ args: { [pointer]: one } }));
  const two = fc
    .array(fc.oneof(argument, anyOf(CONDITIONS)), { minLength: 1, maxLength: 2 })
    .map((conditions) => Object.assign({}, ...conditions) as When);
  const rules = fc.array(fc.record({ when: two, then: some(THENS) }), { minLength: 1, maxLength: 6 });
  let fitting = 0;
  fc.assert(
    fc.property(rules, asking, (given, what) => {
      const list = prepare(
        given.map((one, place) => ({ name: `r${place}`, ...one }) as Rule),
        'UTC',
      );
      for (const call of [undefined, ...what.calls]) {
        const all = [...list.rules.keys()].filter((place) => list.rules[place]?.fits(what, call));
        const tried = list.mayFit(what, call);
        fitting += all.length;
        deepStrictEqual(
          tried.filter((place) => list.rules[place]?.fits(what, call)),
          all,
        );
      }
    }),
    { numRuns: 3000 },
  );
  deepStrictEqual(fitting > 1000, true);
});

test('[POL1] rules that begin alike are told apart by their endings, and each that fits is tried', () => {
  const patterns = ['git*push', '*push', 'git*pull', '*', 'git push', '*sh', 'git*'];
  const list = prepare(
    patterns.map((tool, place): Rule => ({ name: `r${place}`, when: { tool }, then: 'approve' })),
    'UTC',
  );
  const fitting = (name: string) => {
    const call = { name, args: {} };
    const what = { sourceId: 'src', kind: 'actions' as const, calls: [call], now: 0 };
    return list.mayFit(what, call).filter((place) => list.rules[place]?.fits(what, call));
  };
  deepStrictEqual(
    [fitting('git push'), fitting('git pull'), fitting('rush')],
    [
      [0, 1, 3, 4, 5, 6],
      [2, 3, 6],
      [3, 5],
    ],
  );
});

test('what the fuzz makes are rules as they may be stored', () => {
  const kept = fc.sample(rule, 300).map((one) => Rule.safeParse({ name: 'r', ...one }));
  const faults = kept
    .flatMap(({ error }) => error?.issues ?? [])
    .filter(({ message }) => !/^(?:approves everything|needs tool beside it)/.test(message));
  deepStrictEqual(faults, []);
});
