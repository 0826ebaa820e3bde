import type { Words } from '../words/en.ts';
import type { ReplyFault } from './faults.ts';

/** Why a reply cannot be sent, as one sentence. */
export function faultWords(words: Words, { code, params }: Pick<ReplyFault, 'code' | 'params'>): string {
  return (words.faults[code] ?? words.faults['answer.missing'] ?? (() => code))(params);
}
