import { randomInt } from 'node:crypto';
import type { AnswerContent, Decision, Resolution } from '#shared/answer.ts';
import { answerFaults, expandResponse, kindOf, ownChoices, type SchemaFaults } from '#shared/fit.ts';
import { mayDestroy } from '#shared/call-name/may-destroy.ts';
import type { Action, Ask, Asked } from '#shared/inquiry.ts';
import type { Then } from '#shared/policies/rule.ts';
import { saysYes } from '#shared/says-yes.ts';
import type { Database } from '../../platform/database.ts';
import { withSchemaFaults } from '../../platform/json-schema/check.ts';
import { statement } from '../../platform/steps.ts';
import type { Known } from './lists.ts';
import type { InWords } from './may-fit.ts';
import { search, type Prepared } from './rules.ts';
import { isYolo } from '../yolo/store.ts';
import { wantsPeople } from '../../inquiries/assured.ts';
import { makeTitle } from '../../inquiries/check.ts';
import { readRun } from '../../inquiries/open.ts';
import type { AskedTogether } from '../../inquiries/settling.ts';
import { secretIds } from '../../inquiries/seal.ts';

/** What a rule makes of one inquiry. */
export type Ruled =
  | {
      does: 'settle';
      rule: Prepared;
      outcome: Omit<Resolution, 'at' | 'text' | 'note'>;
      /** Where its words are not those of the answer alone. */
      how?: 'you-decide' | 'random' | undefined;
    }
  | { does: 'decide'; rule: Prepared; deciderId: string }
  | { does: 'ask'; quietly: boolean; instead?: string[] | undefined };
/** What the rules make of the inquiries of one call, in order, by the versions of lists that `stamp` names. */
export type Ruling = {
  stamp: string;
  of: (Ruled | undefined)[];
  /** The run whose inquiries were counted. */
  counted?: string | undefined;
  /** Whether the same rules fit at this instant, after so many inquiries of that run. */
  holds: (now: number, asked?: number) => boolean;
};

/** How many inquiries a run of this source has asked. */
export const countRun = statement<{ count: number }>(
  'select count(*) as count from inquiries where source_id = ?1 and run = ?2',
);
/** Lets no other transaction count this run before this one is committed. */
export const lockRun = statement(
  "select pg_advisory_xact_lock(hashtextextended(cast(?1 as text) || ' ' || cast(?2 as text), 0))",
);

/** Looks up what the rules make of these inquiries, before anything is written and without a word to anybody. */
export async function ruleOn(
  { rows, clock }: Database,
  { stamp, lists }: Known,
  { sourceId, dialect, gate, asks }: AskedTogether,
): Promise<Ruling> {
  const [first] = asks;
  if (lists.length === 0 || !first || first.rules === 'none') return { stamp, of: [], holds: () => true };
  const run = readRun(first);
  const look = (now: number, before?: number) => {
    let counts = false;
    const found = asks.map((ask, at) => {
      const asked = () => {
        counts ||= run !== undefined;
        return before === undefined || readRun(ask) !== run ? undefined : before + at;
      };
      return search(lists, { sourceId, dialect, gate, asked, now, ...toAsking(ask) });
    });
    return { found, counts };
  };
  const now = clock.now();
  const { counts, ...uncounted } = look(now);
  const [[row] = []] = counts && run !== undefined ? await rows(countRun(sourceId, run)) : [];
  const { found } = row ? look(now, row.count) : uncounted;
  const of = await withSchemaFaults(sourceId, (schemaFaults) =>
    asks.map((ask, at) => {
      const rule = found[at];
      return typeof rule === 'object' ? ruledBy(rule, ask, { schemaFaults }) : undefined;
    }),
  );
  const holds: Ruling['holds'] = (later, before) => {
    const again = look(later, before);
    return (counts || !again.counts) && again.found.every((one, at) => one === found[at]);
  };
  return { stamp, of, counted: counts ? run : undefined, holds };
}

/** What rules look at that the inquiry itself says. */
export function toAsking(ask: Ask) {
  const { context, group, actions = [] } = ask;
  const calls = actions.map(({ name, args }) => ({ name, args }));
  const { agent, subagent } = context ?? {};
  let read: InWords[] | undefined;
  const questions = () => (read ??= questionsIn(ask));
  return { kind: kindOf(ask), calls, questions, agent, subagent, group, run: readRun(ask) };
}

/** The questions of an ask as rules compare them; none where it asks in another form. */
export function questionsIn(ask: Ask): InWords[] {
  const { title, prompt, questions = [undefined], context } = ask;
  if (!['text', 'questions'].includes(kindOf(ask))) return [];
  // What is stored has a title that was made of its words, and what is just asked has none yet.
  const beside = [title === makeTitle(ask) ? undefined : title, prompt];
  const alone = questions.length === 1 && (context?.links ?? []).length === 0;
  return questions.map((one) => ({
    question: {
      prompt: [...beside, one?.header, one?.prompt].filter(Boolean).join('\n\n'),
      ...(one && 'options' in one ? { options: one.options } : {}),
    },
    whole: alone && (one === undefined || one.type === 'text' || one.type === 'choice'),
  }));
}

/**
 * What a rule that fits makes of an inquiry; undefined where that does not fit what is asked, and people decide. No rule
 * answers a secret, none approves what is marked with caution, and YOLO settles nothing that is (POL4), nor what destroys
 * something unless its start said so (POL6).
 */
export function ruledBy(
  rule: Prepared,
  ask: Ask,
  {
    chance = randomInt,
    schemaFaults,
  }: { chance?: (below: number) => number; schemaFaults?: SchemaFaults | undefined } = {},
): Ruled | undefined {
  const { id: ruleId } = rule;
  const { name: label, then } = rule.rule;
  if (then === 'ask') return { does: 'ask', quietly: false };
  if (then === 'ask-quietly') return { does: 'ask', quietly: true };
  if (typeof then === 'object' && 'ask' in then) return { does: 'ask', quietly: false, instead: then.ask };
  if (secretIds(ask).length > 0) return undefined;
  const signed = wantsPeople(ask);
  if (isYolo(ruleId) && (signed || ask.actions?.some(({ caution }) => caution))) return undefined;
  if (rule.sparesDestructive && ask.actions?.some(mayDestroy)) return undefined;
  if (typeof then === 'object' && 'decider' in then) return { does: 'decide', rule, deciderId: then.decider };
  const made = toOutcome(then, ask, chance);
  if (
    !made ||
    (signed && saysYes({ outcome: made.outcome, content: made.answer })) ||
    (made.answer && answerFaults(ask, made.answer, { schemaFaults }).length > 0 && made.outcome === 'answered')
  )
    return undefined;
  const how = then === 'you-decide' || then === 'random' ? then : undefined;
  return { does: 'settle', rule, outcome: { ...made, by: { kind: 'policy', label, ruleId } }, how };
}

type Made = Omit<Resolution, 'at' | 'text' | 'by'>;

function toOutcome(then: Then, ask: Ask, chance: (below: number) => number): Made | undefined {
  if (typeof then === 'object') {
    if ('reject' in then) return rejected(ask, then.reject);
    return 'answer' in then ? answered(toAnswer(ask, then.answer)) : undefined;
  }
  switch (then) {
    case 'approve':
      return answered(approved(ask.actions ?? []));
    case 'suggested':
      return ask.actions || ask.link ? undefined : answered(ask.suggested);
    case 'random':
      return answered(chosen(ask, chance));
    case 'you-decide':
      return { outcome: 'declined' };
    case 'unanswered':
      return {
        outcome: 'expired',
        ...(ask.onExpire === 'suggested' && ask.suggested ? { answer: ask.suggested } : {}),
      };
    default:
      return undefined;
  }
}

function answered(answer: AnswerContent | undefined): Made | undefined {
  return answer && { outcome: 'answered', answer };
}

function toAnswer(asked: Asked, words: string): AnswerContent | undefined {
  const content = expandResponse(asked, words);
  return 'code' in content ? undefined : (content as AnswerContent);
}

function approved(actions: Action[]): AnswerContent | undefined {
  if (actions.length === 0 || actions.some(({ caution }) => caution)) return undefined;
  return decided(actions, (optionId) => ({ type: 'approve', ...optionId }));
}

function rejected({ actions }: Asked, message: string): Made {
  const decisions = actions && decided(actions, (optionId) => ({ type: 'reject', message, ...optionId }));
  return answered(decisions) ?? { outcome: 'declined', message };
}

// What the sender would remember, or stop for, is for people to choose.
function decided(actions: Action[], make: (optionId: object) => Decision): AnswerContent | undefined {
  const decisions: Decision[] = [];
  for (const action of actions) {
    const { type } = make({});
    const option = ownChoices(action, type).find(({ remember, stop }) => !remember && !stop);
    if (action.options ? !option : !action.allowed.includes(type)) return undefined;
    decisions.push(make(option ? { optionId: option.id } : {}));
  }
  return { decisions };
}

function chosen({ questions = [] }: Asked, chance: (below: number) => number): AnswerContent | undefined {
  if (questions.length === 0) return undefined;
  const values: Record<string, string> = {};
  for (const question of questions) {
    if (question.type !== 'choice') return undefined;
    values[question.id] = question.options[chance(question.options.length)]?.value ?? '';
  }
  return { values };
}
