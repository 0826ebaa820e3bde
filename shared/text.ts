import type { AnswerContent, Decision, Resolution } from './answer.ts';
import { callName } from './call-name/name.ts';
import { maskedArgs } from './call-name/masked.ts';
import { cutMiddle, quotedName } from './call-name/parts.ts';
import { kindOf } from './fit.ts';
import type { Action, Asked, Question } from './inquiry.ts';
import { labelsOf, lookOf } from './call-name/labels.ts';
import type { Language } from './texts/language.ts';

const WORDS = {
  en: {
    approved: 'Approved',
    edited: 'Approved with these arguments instead:',
    before: 'Asked:',
    rejected: 'Rejected',
    notRun: 'Not run',
    responded: 'Answered in its place:',
    secret: '(given, not shown here)',
    skipped: '(skipped)',
    done: 'Done.',
  },
  zh: {
    approved: '批准',
    edited: '批准，但改用这些参数：',
    before: '原请求：',
    rejected: '拒绝',
    notRun: '没有执行',
    responded: '直接答复：',
    secret: '（已提供，此处不显示）',
    skipped: '（跳过）',
    done: '完成。',
  },
} as const;

/** The words of a resolution without those that say that no person decided. */
export function saidIn({ text, note }: { text: string; note?: string | undefined }): string {
  return note !== undefined && text.endsWith(`\n${note}`) ? text.slice(0, -note.length - 1) : text;
}

/** What was asked; `argsText`: the exact arguments of each call, where `actions` may hold rounded numbers. */
export type ExactAsked = Asked & { argsText?: string[] | undefined };

/** The content of an answer as plain words; a decision says which call it is about. */
export function answerText(asked: ExactAsked, answer: AnswerContent, language: Language): string {
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
      return actionsText(asked, answer.decisions ?? [], language);
  }
}

function questionsText(questions: Question[], answer: AnswerContent, language: Language): string {
  const only = questions.length === 1 ? questions[0] : undefined;
  if (only) return valueText(only, answer, language);
  const names = questionNames(questions);
  return questions.map((question, at) => `${names[at]}: ${valueText(question, answer, language)}`).join('\n');
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
      return other ?? findLabel(question.options, value);
    case 'multi':
      return listLabels(
        [
          ...(Array.isArray(value) ? value : []).map((one) => findLabel(question.options, one)),
          ...(other === undefined ? [] : [other]),
        ],
        language,
      );
    case 'form':
      return JSON.stringify(value);
  }
}

/** Several labels in one line; in quotation marks where one of them holds what stands between two. */
export function listLabels(labels: readonly string[], language: Language): string {
  const isPlain = labels.every((label) => !/[,、，\n"]/.test(label));
  return (isPlain ? labels : labels.map((label) => JSON.stringify(label))).join(language === 'zh' ? '、' : ', ');
}

/** What each of several questions is called where their answers are told: two that look alike by their ids too. */
export function questionNames(questions: readonly Question[]): string[] {
  return labelsOf(
    questions.map(({ id, header = '', prompt }) => ({ value: id, label: lookOf(header) === '' ? prompt : header })),
  );
}

/** What the chosen option is called among all of them. */
export function findLabel(options: readonly { value: string; label: string }[], value: unknown): string {
  return labelsOf(options)[options.findIndex((option) => option.value === value)] ?? String(value);
}

/** What a sender's own button is called among all of them: by its id too where another looks like it, or it is blank. */
export function findOption({ options = [] }: Pick<Action, 'options'> = {}, optionId: string): string {
  const labelled = options.map(({ id, label }) => ({ value: id, label }));
  return findLabel(labelled, optionId);
}

/** At most so many characters of a call, and of its arguments where others took their place. */
const NAME_MAX = 300;
const ARGS_MAX = 4000;

function actionsText({ actions = [], argsText }: ExactAsked, decisions: Decision[], language: Language): string {
  const lines = decisions.map((decision, at) => decisionText(actions[at], decision, language, argsText?.[at]));
  return actions.length === 1 ? (lines[0] ?? '') : lines.map((line, at) => `${at + 1}. ${line}`).join('\n');
}

/**
 * An answer as people and files are told it: in its words the new arguments of an edited call stand without secrets, as
 * those asked for do. Its numbers have to be as they were written. What an agent reads stays whole.
 */
export function masked<Said extends Pick<Resolution, 'text' | 'answer'>>(said: Said, actions: Action[] = []): Said {
  let { text } = said;
  for (const [at, decision] of (said.answer?.decisions ?? []).entries()) {
    if (decision.type !== 'edit') continue;
    const whole = editedArgs(decision);
    const shown = maskedArgs(actions[at]?.name ?? '', decision.args, whole);
    text = text.replaceAll(` ${whole}\n`, () => ` ${shown}\n`);
  }
  return { ...said, text };
}

function editedArgs({ args, argsText }: Extract<Decision, { type: 'edit' }>): string {
  return argsText ?? JSON.stringify(args);
}

// Of an edited call the new arguments stand whole and exact, since some agents read only this text.
function decisionText(
  action: Action | undefined,
  decision: Decision,
  language: Language,
  argsText = JSON.stringify(action?.args ?? null),
): string {
  const words = WORDS[language];
  const [colon, stop, blank] = language === 'zh' ? ['：', '。', ''] : [': ', '.', ' '];
  const { optionId } = { optionId: undefined, ...decision };
  const chosen = optionId === undefined ? '' : ` (${findOption(action, optionId)})`;
  const call = action ? colon + quotedName(callName(action, language, argsText).parts, NAME_MAX) : '';
  switch (decision.type) {
    case 'approve':
      return `${words.approved}${chosen}${call}${stop}`;
    case 'edit': {
      const { name = '', args } = action ?? {};
      const before = `${name} ${cutMiddle(maskedArgs(name, args, argsText), ARGS_MAX)}`;
      return `${words.edited} ${editedArgs(decision)}\n${words.before} ${before}`;
    }
    case 'reject':
      return `${words.rejected}${chosen}${call}${stop}${decision.message ? blank + decision.message : ''}`;
    case 'respond':
      return `${words.notRun}${call}${stop}${blank}${words.responded} ${decision.message}`;
  }
}
