import type { Resolution } from '../answer.ts';
import type { Asked } from '../inquiry.ts';
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
    random: 'A rule chose this at random; nobody decided.',
    said: 'Their words:',
    reason: 'Reason:',
  },
  zh: {
    suggested: '没有人在时限内答复。以下只是提问方自己的建议，不是人的决定：',
    without: '没有答案。请勿再问同样的问题，也不要自己编造答案；可以不依赖它继续，或停下来说明还缺什么。',
    random: '这是一条规则随机选出的；没有人作出决定。',
    said: '对方的话：',
    reason: '原因：',
  },
} as const;

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
};

/**
 * A resolution as plain words, for an agent that only wants a string. Values of secret questions never stand in it. What a
 * rule or a decider decided never reads as if a person had: `note` says who did, and stands in `text` too.
 */
export function writeOutcome({ asked, resolution, how, language, texts = {}, deadlineAt }: Telling): {
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
  if (outcome === 'expired')
    return { text: answer ? `${words.suggested}\n${answerText(asked, answer, language)}` : write('expired') };
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
