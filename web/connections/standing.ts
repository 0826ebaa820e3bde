import type { Connection } from '#shared/connections/connection.ts';
import { visible } from '#shared/visible.ts';
import { whenIs } from '../app/clock.ts';
import { say } from '../ui/language.ts';
import { contactWords } from './contacts/contactWords.ts';
import { words } from './words.ts';

/** How a connection stands: as the head of its page, as a clause of a row, and what went wrong last. */
export function standing({ name, kind, enabled, usedAt, lastContact, lastError }: Connection) {
  const t = say(words);
  const { troubles } = say(contactWords);
  const last = lastContact?.at ?? usedAt;
  const clause = !enabled ? t.off : last === undefined ? t.noContact : t.lastContact(whenIs(last));
  const wrong = enabled && lastError && last !== undefined && lastError.at >= last ? lastError.problem : undefined;
  const first = visible(name);
  const calls = enabled && lastContact && kind !== 'inbound';
  const head = [wrong ? t.fails(first) : calls ? t.answers(first) : first, clause] as const;
  return { head, clause, wrong: wrong && (troubles[wrong.code] ?? visible(wrong.detail)) };
}
