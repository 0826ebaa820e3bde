import type { Database } from '../../platform/database.ts';
import { commitWith, statement } from '../../platform/steps.ts';
import { parsePreferences } from '../../platform/time-zone.ts';
import { ringsAt } from './quiet.ts';

const MINUTE_MS = 60_000;
const AGAIN_MS = { once: 10 * MINUTE_MS, repeat: 30 * MINUTE_MS };

/**
 * SQL of a row of people: after how many ms what rings for them rings again; null: never. Within a text of JSON a quote is
 * escaped, so these are the member itself, as JSON.stringify wrote it.
 */
export const RINGS_AGAIN_MS = `case when preferences like '%"reminders":"once"%' then ${AGAIN_MS.once}
  when preferences like '%"reminders":"repeat"%' then ${AGAIN_MS.repeat} end`;

type Asked = { urgency?: string | undefined; sourceId: string; openedAt: number; deadlineAt: number };

/**
 * What becomes of a reminder that is due now: whether it rings, and when the next one is due (ms); null: never. What was
 * set apart until now begins anew, as if it was asked now. Rounds that were missed are not caught up.
 */
export function whenDue(
  { preferences, later }: { preferences: string | null; later: number },
  asked: Asked,
  now: number,
): { rings: boolean; next: number | null } {
  const chosen = readReminders(preferences);
  const after = (at: number, ms: number): number | null => {
    const next = ringsAt(preferences, asked, at) + ms;
    return next < asked.deadlineAt ? next : null;
  };
  if (later === 1) return { rings: true, next: chosen ? after(now, AGAIN_MS[chosen]) : null };
  if (!chosen) return { rings: false, next: null };
  // In quiet hours it rang at their end.
  const first = after(asked.openedAt, AGAIN_MS[chosen]);
  if (first === null || first > now) return { rings: false, next: first };
  return { rings: true, next: chosen === 'repeat' ? after(now, AGAIN_MS.repeat) : null };
}

const reschedule = statement(
  `update recipients set remind_at = cast(?2 as bigint) + (select ${RINGS_AGAIN_MS} from people where people.id = person_id)
  where person_id = ?1 and open = 1 and later = 0
  and exists (select 1 from pushes where pushes.subject_id = recipients.inquiry_id)`,
);

/** Counts anew, from now, when what is open and rang for this person rings again: they changed how that is to be. */
export async function rescheduleReminders(database: Database, personId: string): Promise<void> {
  // The clock is read in the transaction, so that a step of it comes before or moves what is written.
  await database.steps(() => commitWith({ moved: reschedule(personId, Math.round(database.clock.now())) }));
}

function readReminders(preferences: string | null): 'once' | 'repeat' | undefined {
  const { reminders } = parsePreferences(preferences);
  return reminders === 'never' ? undefined : reminders;
}
