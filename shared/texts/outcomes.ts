import type { Resolution } from '../answer.ts';
import type { Asked } from '../inquiry.ts';
import type { Escalated } from '../schemas/escalate.ts';
import { answerText } from '../text.ts';
import type { Language } from './language.ts';

/** The ends that a source may have a text of its own for; the last two follow what was decided. */
export type OutcomeTextName = 'declined' | 'expired' | 'withdrawn' | 'youDecide' | 'byRule' | 'byDecider';

/** What a text may name; written in braces. */
export type Variable = 'title' | 'who' | 'message' | 'deadline';

/** What each text may name. */
export const VARIABLES: Record<OutcomeTextName, readonly Variable[]> = {
  declined: ['title', 'who', 'message', 'deadline'],
  expired: ['title', 'deadline'],
  withdrawn: ['title', 'message'],
  youDecide: ['title', 'who'],
  byRule: ['title', 'who'],
  byDecider: ['title', 'who'],
};

/** The texts of a source without its own. */
export const TEXTS: Record<Language, Record<OutcomeTextName, string>> = {
  en: {
    declined:
      'The person declined to answer this. Do not ask the same again, and do not make up an answer: go on without it, or stop and say what is missing.',
    expired: 'Nobody answered in time. Nobody decided: this is neither a yes nor a no. Do not ask the same again now.',
    withdrawn: 'The question was taken back before anybody answered. Do not ask the same again.',
    youDecide: 'Decide this yourself: a rule hands it back to you, and nobody was asked. That approves nothing.',
    byRule: 'Decided by the rule “{who}”; nobody was asked.',
    byDecider: 'Decided by “{who}” in the person’s place; it is not the person’s own decision.',
  },
  zh: {
    declined: '对方没有作答。请勿再问同样的问题，也不要自己编造答案；可以不依赖它继续，或停下来说明还缺什么。',
    expired: '没有人在时限内答复。没有人作出决定：这既不是同意，也不是拒绝。请勿马上再问同样的问题。',
    withdrawn: '这个问题在有人答复之前已被收回。请勿再问同样的问题。',
    youDecide: '请自行决定：一条规则把它交还给你，没有询问任何人。这不代表批准任何操作。',
    byRule: '由规则“{who}”决定，没有询问任何人。',
    byDecider: '由“{who}”代为决定，不是对方本人的决定。',
  },
};

const WORDS = {
  en: {
    suggested: 'Nobody answered in time. What follows was the asker’s own proposal, not a person’s decision:',
    without:
      'There is no answer. Do not ask the same again, and do not make one up: go on without it, or stop and say what is missing.',
    ended:
      'Not decided: the approval ended at {at}, before it was used. Nothing was run. Ask again if it is still needed.',
    asked: (first: string, more: string) => `Asked: ${first}; ${more}.`,
    askedToo: (who: string, at: string) => `${who} too at ${at}`,
    hands: (count: number, wanted: number, who: string) =>
      `${count} of ${wanted} approved: ${who}. That approves nothing.`,
    random: 'A rule chose this at random; nobody decided.',
    said: 'Their words:',
    reason: 'Reason:',
  },
  zh: {
    suggested: '没有人在时限内答复。以下只是提问方自己的建议，不是人的决定：',
    without: '没有答案。请勿再问同样的问题，也不要自己编造答案；可以不依赖它继续，或停下来说明还缺什么。',
    ended: '没有决定：批准已在 {at} 结束，在此之前没有使用。什么都没有执行。如果仍然需要，请重新询问。',
    asked: (first: string, more: string) => `询问过：${first}；${more}。`,
    askedToo: (who: string, at: string) => `${at} 也问了 ${who}`,
    hands: (count: number, wanted: number, who: string) => `${wanted} 人中有 ${count} 人批准：${who}。这不代表批准。`,
    random: '这是一条规则随机选出的；没有人作出决定。',
    said: '对方的话：',
    reason: '原因：',
  },
} as const;

/** What whoever acts is told in place of an approval that ended before it was read. */
export function approvalEnded(at: string, language: Language): string {
  return WORDS[language].ended.replace('{at}', at);
}

/** The variables that a text names and may not. */
export function unknownVariables(name: OutcomeTextName, text: string): string[] {
  const named = [...text.matchAll(VARIABLE)].map(([, variable = '']) => variable);
  return [...new Set(named)].filter((variable) => !VARIABLES[name].some((one) => one === variable));
}

const VARIABLE = /\{([\p{L}_][\p{L}\p{N}_]*)\}/gu;

/** A text with its variables filled in, once: what a value holds is never looked at again. */
export function filled(text: string, values: Partial<Record<Variable, string>>): string {
  const known = new Map<string, string>(Object.entries(values));
  return text.replace(VARIABLE, (all, name: string) => known.get(name) ?? all);
}

type Telling = {
  asked: Asked & { title: string };
  resolution: Omit<Resolution, 'text' | 'note' | 'at'>;
  /** What a rule did where its outcome does not say it. */
  how?: 'you-decide' | 'random' | undefined;
  language: Language;
  texts?: Partial<Record<OutcomeTextName, string | undefined>> | undefined;
  deadlineAt: string;
  /** Who was asked first, and who was asked later, because nobody had answered. */
  askedOf?: { first: string[]; escalated: Escalated | undefined } | undefined;
  /** Who had approved it, where several have to. */
  hands?: { wanted: number; people: string[] } | undefined;
};

/**
 * A resolution as plain words, for an agent that only wants a string. Values of secret questions never stand in it. What a
 * rule or a decider decided never reads as if a person had: `note` says who did, and stands in `text` too.
 */
export function writeOutcome({ asked, resolution, how, language, texts = {}, deadlineAt, askedOf, hands }: Telling): {
  text: string;
  note?: string;
} {
  const words = WORDS[language];
  const { outcome, answer, message = '', by } = resolution;
  const who = by.kind === 'person' ? by.handle : by.label;
  const write = (name: OutcomeTextName): string =>
    filled(texts[name] ?? TEXTS[language][name], { title: asked.title, who, message, deadline: deadlineAt });
  const withMessage = (name: 'declined' | 'withdrawn', label: string): string =>
    message === '' || texts[name]?.includes('{message}') ? write(name) : `${write(name)}\n${label} ${message}`;
  if (how === 'you-decide') return { text: write('youDecide') };
  if (outcome === 'expired') {
    const [nobody, ...more] = answer ? [words.suggested, answerText(asked, answer, language)] : [write('expired')];
    return { text: [nobody, ...sayAsked(askedOf, language), ...sayHands(hands, language), ...more].join('\n') };
  }
  if (outcome === 'withdrawn') return { text: withMessage('withdrawn', words.reason) };
  const name = by.kind === 'policy' ? 'byRule' : by.kind === 'decider' ? 'byDecider' : undefined;
  if (name === undefined)
    return {
      text: outcome === 'declined' ? withMessage('declined', words.said) : answerText(asked, answer ?? {}, language),
    };
  const note = how === 'random' ? words.random : write(name);
  if (outcome === 'answered') return { text: `${answerText(asked, answer ?? {}, language)}\n${note}`, note };
  return { text: [note, words.without, ...(message === '' ? [] : [`${words.reason} ${message}`])].join('\n'), note };
}

function sayHands(hands: Telling['hands'], language: Language): string[] {
  const { wanted, people = [] } = hands ?? {};
  if (wanted === undefined || people.length === 0) return [];
  return [WORDS[language].hands(people.length, wanted, people.join(language === 'zh' ? '、' : ', '))];
}

/** Who was asked when, where somebody was asked later than the others. */
function sayAsked(askedOf: Telling['askedOf'], language: Language): string[] {
  if (!askedOf?.escalated) return [];
  const words = WORDS[language];
  const names = (handles: string[]) => handles.join(language === 'zh' ? '、' : ', ');
  const later = askedOf.escalated.map(({ at, to }) => words.askedToo(names(to), at));
  return [words.asked(names(askedOf.first), later.join(language === 'zh' ? '；' : '; '))];
}
