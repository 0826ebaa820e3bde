import type { Resolution } from '#shared/answer.ts';
import type { Ask } from '#shared/inquiry.ts';

/** What is printed of an answer: the answer alone. */
export function printed({ actions: [action] = [] }: Ask, { answer, text }: Resolution, isForm: boolean): string {
  if (action?.allowed.includes('edit')) return JSON.stringify(readArgs(answer, action.args));
  const values = { ...answer?.values, ...answer?.other };
  if (isForm) return JSON.stringify(values);
  const chosen = values['answer'];
  return answer?.text ?? (typeof chosen === 'string' ? chosen : text);
}

function readArgs(answer: Resolution['answer'], sent: unknown): unknown {
  const [decision] = answer?.decisions ?? [];
  return decision?.type === 'edit' ? decision.args : sent;
}
