import type { AnswerContent } from './answer.ts';

/** Whether it lets anything happen: neither a decline, nor calls that are all rejected. */
export function saysYes({ outcome, content }: { outcome: string; content?: AnswerContent | undefined }): boolean {
  const { decisions = [] } = content ?? {};
  return outcome === 'answered' && !(decisions.length > 0 && decisions.every(({ type: one }) => one === 'reject'));
}
