import type { Answered } from '../dialect.ts';
import { FORM } from './read.ts';

/** What `elicitation/create` is answered with. */
export type ElicitResult = { action: 'accept' | 'decline' | 'cancel'; content?: unknown };

/** MCP's words for what people decided: nobody's answer is a "cancel", never a "decline" (RES4). */
export function write(_keep: unknown, [inquiry]: Answered[]): ElicitResult {
  return inquiry ? elicitResultOf(inquiry) : { action: 'cancel' };
}

/** The same for one inquiry. */
export function elicitResultOf({ link, resolution }: Pick<Answered, 'link' | 'resolution'>): ElicitResult {
  const { outcome, answer } = resolution;
  switch (outcome) {
    case 'answered':
      return link ? { action: 'accept' } : { action: 'accept', content: answer?.values?.[FORM] ?? {} };
    case 'declined':
      return { action: 'decline' };
    case 'expired':
    case 'withdrawn':
      return { action: 'cancel' };
  }
}
