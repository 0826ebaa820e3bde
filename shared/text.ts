import type { AnswerContent, Decision } from './answer.ts';
import { kindOf } from './fit.ts';
import type { Action, Asked, Question } from './inquiry.ts';

export type Language = 'en' | 'zh';

/** The language an inquiry's texts are written in: the run's, else its source's, else English. */
export function languageOf(tag: string | undefined, sourceLocale: string | null | undefined): Language {
  const chosen = tag ?? sourceLocale ?? 'en';
  return /^zh\b/i.test(chosen) ? 'zh' : 'en';
}

const WORDS = {
  en: {
    approved: 'Approved',
    edited: 'Approved with these arguments instead:',
    rejected: 'Rejected',
    responded: 'Not run; answered in its place:',
    secret: '(given, not shown here)',
    skipped: '(skipped)',
    done: 'Done.',
  },
  zh: {
    approved: '批准',
    edited: '批准，但改用这些参数：',
    rejected: '拒绝',
    responded: '没有执行；直接答复：',
    secret: '（已提供，此处不显示）',
    skipped: '（跳过）',
    done: '完成。',
  },
} as const;

/** The words of a resolution without those that say that no person decided. */
export function saidIn({ text, note }: { text: string; note?: string | undefined }): string {
  return note !== undefined && text.endsWith(`\n${note}`) ? text.slice(0, -note.length - 1) : text;
}

/** The content of an answer as plain words. */
export function answerText(asked: Asked, answer: AnswerContent, language: Language): string {
  switch (kindOf(asked)) {
    case 'text':
      return answer.text ?? '';
    case 'document':
      return answer.markdown ?? '';
    case 'link':
      return answer.text ?? WORDS[language].done;
    case 'questions':
      return questionsText(asked.questions ?? [], answer, language);
    case 'actions':
      return actionsText(asked.actions ?? [], answer.decisions ?? [], language);
  }
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
  if (question.type === 'text' && question.secret) return WORDS[language].secret;
  if (value === undefined && other === undefined) return WORDS[language].skipped;
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
  const words = WORDS[language];
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
