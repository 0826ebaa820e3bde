import { randomInt } from 'node:crypto';
import type { AnswerContent, Decision, Resolution } from '#shared/answer.ts';
import { answerFaults, contentOfResponse, kindOf, ownChoices } from '#shared/fit.ts';
import type { Action, Ask, Asked, Inquiry } from '#shared/inquiry.ts';
import type { Then } from '#shared/policies/rule.ts';
import type { Database } from '../../platform/database.ts';
import { statement } from '../../platform/steps.ts';
import type { Known } from '../../policies/lists.ts';
import { search, type Asking, type Prepared } from '../../policies/rules.ts';
import { isYolo } from '../../policies/yolo.ts';
import { secretIds } from './seal.ts';

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
export type Ruling = { stamp: string; of: (Ruled | undefined)[] };

type Question = {
  sourceId: string;
  dialect?: string | undefined;
  /** Where a gate holds a call. */
  gate?: Asking['gate'];
  asks: Ask[];
};

/** Of so many newest inquiries of a source those of one run are counted. */
const COUNTED = 1000;
const ofRun = statement<{ transport: string }>(
  `select transport from (select transport from inquiries where source_id = ?1 order by id desc limit ${COUNTED}) as newest
  where transport like ?2 escape '!'`,
);

/** Looks up what the rules make of these inquiries, before anything is written and without a word to anybody. */
export async function ruleOn(
  database: Database,
  { stamp, lists }: Known,
  { sourceId, dialect, gate, asks }: Question,
): Promise<Ruling> {
  if (lists.length === 0 || asks[0]?.rules === 'none') return { stamp, of: [] };
  const now = database.clock.now();
  const counts = lists.some(({ asked }) => asked);
  const of: Ruling['of'] = [];
  for (const [at, ask] of asks.entries()) {
    const { context, group, actions = [] } = ask;
    const before = counts ? await countOfRun(database, sourceId, context) : undefined;
    const found = search(lists, {
      sourceId,
      kind: kindOf(ask),
      calls: actions.map(({ name, args }) => ({ name, args })),
      agent: context?.agent,
      dialect,
      group,
      run: context?.runId ?? context?.threadId,
      gate,
      asked: before === undefined ? undefined : before + at,
      now,
    });
    of.push(typeof found === 'object' ? ruledBy(found, ask) : undefined);
  }
  return { stamp, of };
}

/**
 * What a rule that fits makes of an inquiry; undefined where that does not fit what is asked, and people decide. No rule
 * answers a secret, none approves what is marked with caution, and YOLO settles nothing that is (POL4).
 */
export function ruledBy(rule: Prepared, ask: Ask, chance: (below: number) => number = randomInt): Ruled | undefined {
  const { id: ruleId } = rule;
  const { name: label, then } = rule.rule;
  if (then === 'ask') return { does: 'ask', quietly: false };
  if (then === 'ask-quietly') return { does: 'ask', quietly: true };
  if (typeof then === 'object' && 'ask' in then) return { does: 'ask', quietly: false, instead: then.ask };
  if (secretIds(ask).length > 0) return undefined;
  if (isYolo(ruleId) && ask.actions?.some(({ caution }) => caution)) return undefined;
  if (typeof then === 'object' && 'decider' in then) return { does: 'decide', rule, deciderId: then.decider };
  const made = outcomeOf(then, ask, chance);
  if (!made || (made.answer && answerFaults(ask, made.answer).length > 0 && made.outcome === 'answered'))
    return undefined;
  const how = then === 'you-decide' || then === 'random' ? then : undefined;
  return { does: 'settle', rule, outcome: { ...made, by: { kind: 'policy', label, ruleId } }, how };
}

type Made = Omit<Resolution, 'at' | 'text' | 'by'>;

function outcomeOf(then: Then, ask: Ask, chance: (below: number) => number): Made | undefined {
  if (typeof then === 'object') {
    if ('reject' in then) return rejected(ask, then.reject);
    return 'answer' in then ? answered(answerOf(ask, then.answer)) : undefined;
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

function answerOf(asked: Asked, words: string): AnswerContent | undefined {
  const content = contentOfResponse(asked, words);
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

async function countOfRun(
  { rows }: Database,
  sourceId: string,
  { runId, threadId }: NonNullable<Ask['context']> = {},
): Promise<number | undefined> {
  const [name, value] = runId === undefined ? (['threadId', threadId] as const) : (['runId', runId] as const);
  if (value === undefined) return undefined;
  const json = `${JSON.stringify(name)}:${JSON.stringify(value)}`;
  const [found] = await rows(ofRun(sourceId, `%${json.replace(/[%_!]/g, '!$&')}%`));
  return found.filter(({ transport }) => (JSON.parse(transport) as Inquiry).context?.[name] === value).length;
}
