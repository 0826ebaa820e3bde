import type { FaultParams, Words } from '../words/en.ts';
import type { ReplyFault } from './faults.ts';

/** Why a reply cannot be sent, as one sentence. */
export function faultWords(words: Words, { code, params }: Pick<ReplyFault, 'code' | 'params'>): string {
  const texts: FaultParams = Object.fromEntries(Object.entries(params).map(([name, value]) => [name, String(value)]));
  return (words.faults[code] ?? words.faults['answer.missing'] ?? (() => code))(texts);
}
