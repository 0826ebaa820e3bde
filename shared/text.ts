import type { AnswerContent, Decision, Resolution } from './answer.ts';
import { kindOf } from './fit.ts';
import type { Action, Asked, Question } from './inquiry.ts';
import type { OutcomeTexts } from './wire.ts';

export type Language = 'en' | 'zh';

/** The language an inquiry's texts are written in: the run's, else its source's, else English. */
export function languageOf(tag: string | undefined, sourceLocale: string | null | undefined): Language {
  const chosen = tag ?? sourceLocale ?? 'en';
  return /^zh\b/i.test(chosen) ? 'zh' : 'en';
}

const DEFAULTS = {
  en: {
    declined:
      'The person declined to answer this. Do not ask the same again; go on without it, or stop and say what is missing.',
    expired: 'Nobody answered in time. Nobody decided: this is neither a yes nor a no. Do not ask the same again now.',
    suggested: 'Nobody answered in time. What follows was the asker’s own proposal, not a person’s decision:',
    withdrawn: 'The question was taken back before anybody answered. Do not ask the same again.',
    declinedByRule:
      'A rule declined this; nobody was asked. Do not ask the same again; go on without it, or stop and say what is missing.',
    youDecide: 'Decide this yourself: a rule hands it back to you, and nobody was asked. That approves nothing.',
    random: 'A rule chose this at random; nobody decided.',
    said: 'Their words:',
    reason: 'Reason:',
    approved: 'Approved',
    edited: 'Approved with these arguments instead:',
    rejected: 'Rejected',
    responded: 'Not run; the person answered in its place:',
    secret: '(given, not shown here)',
    skipped: '(skipped)',
    done: 'Done.',
  },
  zh: {
    declined: '对方没有作答。请勿再问同样的问题；可以不依赖它继续，或停下来说明还缺什么。',
    expired: '没有人在时限内答复。没有人作出决定：这既不是同意，也不是拒绝。请勿马上再问同样的问题。',
    suggested: '没有人在时限内答复。以下只是提问方自己的建议，不是人的决定：',
    withdrawn: '这个问题在有人答复之前已被收回。请勿再问同样的问题。',
    declinedByRule:
      '一条规则拒绝了这个问题，没有询问任何人。请勿再问同样的问题；可以不依赖它继续，或停下来说明还缺什么。',
    youDecide: '请自行决定：一条规则把它交还给你，没有询问任何人。这不代表批准任何操作。',
    random: '这是一条规则随机选出的；没有人作出决定。',
    said: '对方的话：',
    reason: '原因：',
    approved: '批准',
    edited: '批准，但改用这些参数：',
    rejected: '拒绝',
    responded: '没有执行；对方直接答复：',
    secret: '（已提供，此处不显示）',
    skipped: '（跳过）',
    done: '完成。',
  },
} as const;

/** A resolution as plain words, for an agent that only wants a string. Values of secret questions never stand in it. */
export function textOf(
  asked: Asked,
  resolution: Omit<Resolution, 'text' | 'at' | 'by'>,
  language: Language,
  texts: OutcomeTexts = {},
): string {
  const words = DEFAULTS[language];
  const { outcome, answer, message } = resolution;
  switch (outcome) {
    case 'answered':
      return answerText(asked, answer ?? {}, language);
    case 'expired':
      if (answer) return `${words.suggested}\n${answerText(asked, answer, language)}`;
      return texts.expired ?? words.expired;
    case 'declined':
      return withWords(texts.declined ?? words.declined, words.said, message);
    case 'withdrawn':
      return withWords(texts.withdrawn ?? words.withdrawn, words.reason, message);
  }
}

/** As `textOf`, of what a rule made of it: it never reads as if a person had decided. */
export function textOfRule(
  asked: Asked,
  resolution: Omit<Resolution, 'text' | 'at' | 'by'>,
  how: 'you-decide' | 'random' | undefined,
  language: Language,
  texts: OutcomeTexts = {},
): string {
  const words = DEFAULTS[language];
  if (how === 'you-decide') return words.youDecide;
  if (resolution.outcome === 'declined') return withWords(words.declinedByRule, words.reason, resolution.message);
  const text = textOf(asked, resolution, language, texts);
  return how === 'random' ? `${text}\n${words.random}` : text;
}

/** The content of an answer as plain words. */
export function answerText(asked: Asked, answer: AnswerContent, language: Language): string {
  switch (kindOf(asked)) {
    case 'text':
      return answer.text ?? '';
    case 'document':
      return answer.markdown ?? '';
    case 'link':
      return answer.text ?? DEFAULTS[language].done;
    case 'questions':
      return questionsText(asked.questions ?? [], answer, language);
    case 'actions':
      return actionsText(asked.actions ?? [], answer.decisions ?? [], language);
  }
}

function withWords(text: string, label: string, message: string | undefined): string {
  return message ? `${text}\n${label} ${message}` : text;
}

function questionsText(questions: Question[], answer: AnswerContent, language: Language): string {
  const only = questions.length === 1 ? questions[0] : undefined;
  if (only) return valueText(only, answer, language);
  return questions
    .map((question) => `${question.header ?? question.prompt}: ${valueText(question, answer, language)}`)
    .join('\n');
}

function valueText(question: Question, answer: AnswerContent, language: Language): string {
  const value = answer.values?.[question.id];
  const other = answer.other?.[question.id];
  if (question.type === 'text' && question.secret) return DEFAULTS[language].secret;
  if (value === undefined && other === undefined) return DEFAULTS[language].skipped;
  switch (question.type) {
    case 'text':
      return String(value);
    case 'choice':
      return other ?? labelOf(question.options, value);
    case 'multi':
      return [
        ...(Array.isArray(value) ? value : []).map((one) => labelOf(question.options, one)),
        ...(other === undefined ? [] : [other]),
      ].join(language === 'zh' ? '、' : ', ');
    case 'form':
      return JSON.stringify(value);
  }
}

function labelOf(options: { value: string; label: string }[], value: unknown): string {
  return options.find((option) => option.value === value)?.label ?? String(value);
}

function actionsText(actions: Action[], decisions: Decision[], language: Language): string {
  const lines = decisions.map((decision, at) => decisionText(actions[at], decision, language));
  if (actions.length === 1) return lines[0] ?? '';
  return lines.map((line, at) => `${at + 1}. ${actions[at]?.name ?? ''}: ${line}`).join('\n');
}

function decisionText(action: Action | undefined, decision: Decision, language: Language): string {
  const words = DEFAULTS[language];
  const stop = language === 'zh' ? '。' : '.';
  const label = 'optionId' in decision ? action?.options?.find(({ id }) => id === decision.optionId)?.label : undefined;
  const chosen = label === undefined ? '' : ` (${label})`;
  switch (decision.type) {
    case 'approve':
      return `${words.approved}${chosen}${stop}`;
    case 'edit':
      return `${words.edited} ${decision.argsText ?? JSON.stringify(decision.args)}`;
    case 'reject':
      return decision.message
        ? `${words.rejected}${chosen}${language === 'zh' ? '：' : ': '}${decision.message}`
        : `${words.rejected}${chosen}${stop}`;
    case 'respond':
      return `${words.responded} ${decision.message}`;
  }
}
