import type { AnswerContent, Decision } from '#shared/answer.ts';
import { kindOf, ownChoices } from '#shared/fit.ts';
import type { Action, Inquiry } from '#shared/inquiry.ts';
import type { NotificationAction, PushMessage } from '#shared/push.ts';
import { buttonsOf } from '#shared/call-name/buttons.ts';
import { labelsOf } from '#shared/call-name/labels.ts';
import type { Language } from '#shared/texts/language.ts';
import { visible } from '#shared/visible.ts';

export type Answers = Pick<Extract<PushMessage, { t: 'ask' }>, 'actions' | 'reply'>;
export type ButtonWords = { approve: string; reject: string; write: string; placeholder: string };

/** No engine draws more. */
const MOST = 2;
/** A longer label may be cut by the system, and then nobody knows what it says. */
const LONGEST_LABEL = 40;

/** The answers that can be given without opening the page, for an inquiry that is shown whole (PRV1). */
export function toAnswers(inquiry: Inquiry, words: ButtonWords, language: Language): Answers {
  // What has to be signed opens the page, where alone a passkey works; so does what somebody has changed, to be read (APR4).
  const changed = inquiry.standing?.some(({ type }) => type === 'edit');
  if (inquiry.assurance === 'passkey' || changed) return { actions: [] };
  const question = inquiry.questions?.length === 1 ? inquiry.questions[0] : undefined;
  const action = inquiry.actions?.length === 1 ? inquiry.actions[0] : undefined;
  const reply = { reply: { title: words.write, placeholder: words.placeholder, digest: inquiry.digest } };
  if (action) return { actions: fitting(actionButtons(inquiry, action, words, language)) };
  if (kindOf(inquiry) === 'text' || (question?.type === 'text' && !question.secret)) return { actions: [], ...reply };
  if (question?.type !== 'choice' || question.options.length > MOST) return { actions: [] };
  const labels = labelsOf(question.options);
  const buttons = question.options.map(({ value }, at) =>
    button(inquiry, `option-${at}`, labels[at] ?? value, { values: { [question.id]: value } }),
  );
  const actions = fitting(buttons);
  return { actions, ...(question.allowOther && actions.length > 0 ? reply : {}) };
}

function actionButtons(inquiry: Inquiry, action: Action, words: ButtonWords, language: Language): NotificationAction[] {
  const { allowed, options = [] } = action;
  const decide = (name: string, title: string, decision: Decision): NotificationAction =>
    button(inquiry, name, title, { decisions: [decision] });
  // What such a button does beyond this one call stands only on the page.
  if (options.some(({ remember, stop }) => remember !== undefined || stop)) return [];
  const said = buttonsOf(options, language);
  return [
    ...options.map(({ id, type }, at) => decide(`option-${at}`, said[at] ?? words[type], { type, optionId: id })),
    ...(['approve', 'reject'] as const)
      .filter((type) => allowed.includes(type) && ownChoices(action, type).length === 0)
      .map((type) => decide(type, words[type], { type })),
  ];
}

function button(inquiry: Inquiry, action: string, title: string, content: AnswerContent): NotificationAction {
  const body = { ...content, answerId: `notification-${action}`, digest: inquiry.digest, via: 'notification' } as const;
  return { action, title, body };
}

/** All of them or none: one of several answers alone would suggest that there is no other. */
function fitting(buttons: NotificationAction[]): NotificationAction[] {
  const fit = ({ title }: NotificationAction): boolean =>
    title.length <= LONGEST_LABEL && !title.includes('\n') && visible(title) === title;
  return buttons.length <= MOST && buttons.every(fit) ? buttons : [];
}
