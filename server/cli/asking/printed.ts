import type { Resolution } from '#shared/answer.ts';
import type { Ask } from '#shared/inquiry.ts';
import { EXIT } from '../command/terminal.ts';

/** What is printed of an answer: the answer alone. */
export function printed(
  { actions: [action] = [] }: Pick<Ask, 'actions'>,
  { answer, text }: Resolution,
  isForm: boolean,
): string {
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

/** The exit code that says how a question ended. */
export function outcomeExit({ outcome, answer }: Resolution): number {
  const agreed = (answer?.decisions ?? []).every(({ type }) => type === 'approve' || type === 'edit');
  if (outcome === 'answered') return agreed ? EXIT.ok : EXIT.no;
  return { declined: EXIT.no, expired: EXIT.expired, withdrawn: EXIT.withdrawn }[outcome];
}
