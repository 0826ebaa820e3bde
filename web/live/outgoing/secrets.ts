import type { AnswerContent } from '#shared/answer.ts';
import type { Inquiry } from '#shared/inquiry.ts';

/** The answer without what was typed into `secret` questions: those words are neither kept nor told. */
export function withoutSecrets(inquiry: Pick<Inquiry, 'questions'> | undefined, answer: AnswerContent): AnswerContent {
  const secret = new Set(
    (inquiry?.questions ?? [])
      .filter((question) => question.type === 'text' && question.secret === true)
      .map(({ id }) => id),
  );
  if (secret.size === 0) return answer;
  const open = <Value>(values: Record<string, Value>) =>
    Object.fromEntries(Object.entries(values).filter(([id]) => !secret.has(id)));
  return {
    ...answer,
    ...(answer.values ? { values: open(answer.values) } : {}),
    ...(answer.other ? { other: open(answer.other) } : {}),
  };
}
