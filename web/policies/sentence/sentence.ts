import { labelsOf } from '#shared/call-name/labels.ts';
import { cutMiddle } from '#shared/call-name/parts.ts';
import { folded } from '#shared/policies/alike.ts';
import { grants } from '#shared/policies/grants.ts';
import type { Comparison, QuestionOfRule, Rule, Then, When } from '#shared/policies/rule.ts';
import { visible } from '#shared/visible.ts';
import type { Language } from '../../ui/language.ts';
import { en } from './en.ts';
import { zh } from './zh.ts';

/** Who the sources and the decider of a rule are, when it is read, and where its times of day are told, if that is known. */
export type Reading = {
  language: Language;
  now: number;
  nameOf: (id: string) => string;
  timeZone?: string | undefined;
  /** Whoever's rule it is chose no zone. */
  ofHub?: boolean | undefined;
};

// A pair that isolates direction: `visible` names both wherever somebody else wrote them, so nobody can forge one.
const [OPEN, CLOSE] = ['\u2068', '\u2069'];
// Words that end a sentence end this one too.
const DOUBLE_STOP = /([.!?…。！？]\u2069)[.。]$/;

/** One piece of a sentence: words of the page, or what a machine reads. */
export type Piece = { text: string; exact: boolean };

/**
 * A rule as one sentence that names each of its conditions and what it does; what a machine reads stands between two
 * marks that `splitPieces` finds.
 */
export function saySentence({ when, then, until }: Pick<Rule, 'when' | 'then' | 'until'>, reading: Reading): string {
  const w = { en, zh }[reading.language];
  const { source, tool, kind, ...others } = when;
  const only = tool === undefined && isAsked(when) ? when.question : undefined;
  const who = source === undefined ? w.anySource : w.or([source].flat().map((id) => visible(reading.nameOf(id))));
  const kinds = kind && w.or([kind].flat().map((one) => w.kinds[one]));
  const tools = tool && patterns(w, tool);
  const does = only
    ? w.asks(sayQuestion(w, only))
    : kinds
      ? w.asks(kinds)
      : tools
        ? w.calls(tools)
        : w.asks(w.anything);
  const told = kinds && tools ? [w.tool(tools)] : [];
  const beside = {
    strict: grants(then),
    overnight: when.time !== undefined && when.time.from > when.time.to,
    zone: reading.timeZone === undefined ? '' : w.zone(visible(reading.timeZone), reading.ofHub === true),
  };
  const rest = only ? { ...others, question: undefined } : others;
  for (const name of ORDER) told.push(...tell(w, name, rest, beside));
  const end = until === undefined ? '' : w.until(Date.parse(until), reading.now);
  const whole = w.whole(w.subject(who, does), told, sayThen(w, then, reading.nameOf, when.question), end);
  return whole.replace(DOUBLE_STOP, '$1');
}

/** The pieces of a sentence, in order. */
export function splitPieces(sentence: string): Piece[] {
  return sentence
    .split(new RegExp(`${OPEN}([^${CLOSE}]*)${CLOSE}`))
    .map((text, at) => ({ text, exact: at % 2 === 1 }))
    .filter(({ text }) => text !== '');
}

type Words = typeof en;
type Others = Omit<When, 'source' | 'tool' | 'kind'>;
/** What a condition is told by besides itself: whether its rule approves, and what its times of day mean. */
type Beside = { strict: boolean; overnight: boolean; zone: string };
type Teller<Value> = (w: Words, value: Value, beside: Beside) => string[];

// Each condition of the schema has its words here: without them the types do not fit.
const TELLERS: { [Name in keyof Others]-?: Teller<NonNullable<Others[Name]>> } = {
  agent: (w, names) => [w.agent(patterns(w, names))],
  dialect: (w, names) => [w.dialect(patterns(w, names))],
  gate: (w, names) => [w.gate(patterns(w, names))],
  args: (w, args, { strict }) => {
    const told = Object.entries(args).flatMap(([pointer, comparison]) => sayComparisons(w, pointer, comparison));
    return strict ? told : [...told.slice(0, -1), w.orUntold(told.at(-1) ?? '')];
  },
  shell: (w, commands, { strict }) => {
    const told = w.or(
      folded(commands).map((one) =>
        typeof one === 'string'
          ? sayCommand(strict ? w.further : w.followed, one)
          : code(one.before + one.varies + one.after),
      ),
    );
    return [strict ? w.shell(told) : w.anyShell(told)];
  },
  annotation: (w, one) => [w.annotation[one]],
  run: (w, names) => [w.run(patterns(w, names))],
  group: (w, names) => [w.group(patterns(w, names))],
  question: (w, question) => [w.itAsks(w.asks(sayQuestion(w, question)))],
  asked: (w, { min, max }) => ranging(min, max, [w.askedLeast, w.askedMost, w.askedBetween]),
  time: (w, { from, to }, { zone }) => [w.time(from, to) + zone],
  days: (w, days, { overnight, zone }) => {
    const names = w.or(days.map((day) => w.day[day]));
    return [(overnight ? w.nights(names) : w.days(names)) + zone];
  },
};
const ORDER = Object.keys(TELLERS) as (keyof Others)[];

function tell(w: Words, name: keyof Others, others: Others, beside: Beside): string[] {
  const value = others[name];
  return value === undefined ? [] : (TELLERS[name] as Teller<unknown>)(w, value, beside);
}

/** Whether these kinds are what a question is asked as, so that it says all that they do. */
function isAsked({ kind = [], question }: When): boolean {
  return [kind].flat().every((one) => one === 'questions' || (one === 'text' && !question?.options));
}

function sayQuestion(w: Words, { prompt, options }: QuestionOfRule): string {
  const labels = options && labelsOf(options).map((label) => short(label, LABEL_MAX));
  if (!options || !labels) return w.question(short(prompt, PROMPT_MAX));
  const rest = labels.length - LABELS_MAX;
  const told = w.or(rest > 1 ? [...labels.slice(0, LABELS_MAX), w.more(rest)] : labels);
  const isDescribed = options.some(({ description, preview }) => description !== undefined || preview !== undefined);
  return w.question(short(prompt, PROMPT_MAX), isDescribed ? w.described(told) : told);
}

const PROMPT_MAX = 160;
const LABEL_MAX = 40;
const LABELS_MAX = 6;

/** What stands in one line, both of its ends where it is long. */
function short(text: string, max: number): string {
  return code(cutMiddle(text.trim().replaceAll(/\s+/g, ' '), max));
}

/** What a rule answers, by the label that people know where it is an option. */
function sayAnswer(answer: string, { options = [] }: Partial<QuestionOfRule> = {}): string {
  return labelsOf(options)[options.findIndex(({ value }) => value === answer)] ?? answer;
}

function sayThen(w: Words, then: Then, nameOf: Reading['nameOf'], question: When['question']): string {
  if (typeof then === 'string') return w.then[then];
  if ('reject' in then) return then.reject === '' ? w.rejectOnly : w.reject(code(then.reject));
  if ('answer' in then) return w.answer(code(sayAnswer(then.answer, question)));
  return 'ask' in then ? w.askOthers(then.ask.map(code)) : w.decides(visible(nameOf(then.decider)));
}

function sayComparisons(
  w: Words,
  pointer: string,
  { equals, oneOf, matches, under, min, max, apart }: Comparison,
): string[] {
  const what = pointer === '' ? w.allArgs : code(pointer.slice(1));
  return [
    ...(equals === undefined ? [] : [(apart ? w.equalsApart : w.equals)(what, json(equals))]),
    ...(oneOf === undefined ? [] : [w.equals(what, w.or(oneOf.map(json)))]),
    ...(matches === undefined ? [] : [w.matches(what, code(matches))]),
    ...(under === undefined ? [] : [w.under(what, code(under))]),
    ...ranging(min, max, [
      (least) => w.least(what, least),
      (most) => w.most(what, most),
      (from, to) => w.between(what, from, to),
    ]),
  ];
}

type Ranged = [
  least: (min: number) => string,
  most: (max: number) => string,
  between: (min: number, max: number) => string,
];

function ranging(min: number | undefined, max: number | undefined, [least, most, between]: Ranged): string[] {
  if (min !== undefined && max !== undefined) return [between(min, max)];
  if (min !== undefined) return [least(min)];
  return max === undefined ? [] : [most(max)];
}

function sayCommand(further: (command: string) => string, text: string): string {
  return text.endsWith(' *') ? further(code(text.slice(0, -2))) : code(text);
}

function patterns(w: Words, names: string | string[]): string {
  return w.or([names].flat().map(code));
}

function json(value: unknown): string {
  return code(JSON.stringify(value));
}

function code(text: string): string {
  return `${OPEN}${visible(text, true)}${CLOSE}`;
}
