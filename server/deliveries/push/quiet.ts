import { sql } from 'kysely';
import type { Inquiry } from '#shared/inquiry.ts';
import { breaksThrough, quietUntil, type Quiet } from '#shared/policies/quiet.ts';
import type { Database, Transaction } from '../../platform/database.ts';
import { inParts } from '../../platform/repeat.ts';
import { HUB_TIME_ZONE, parsePreferences } from '../../platform/time-zone.ts';
import { PART } from './due.ts';
import { DIGEST, inDigest, type PushRow } from './digest.ts';

type Ringing = { urgency?: string | undefined; sourceId: string };

/** When this first rings for a person who chose so: at `at`, or when their quiet hours end in which that lies. */
export function ringsAt(preferences: string | null, asked: Ringing, at: number): number {
  const found = readQuiet(preferences, at);
  return found === undefined || breaksThrough(found.quiet, asked) ? at : found.until;
}

/**
 * Of the due pushes of one device: those that are to wait for the end of its person's quiet hours, with that end. What is
 * taken away, and a test, rings nowhere or is wanted now. Call it with the rows locked: a change of the hours comes after.
 */
export async function delayedByQuiet(
  trx: Transaction,
  personId: string,
  rows: PushRow[],
  now: number,
): Promise<Map<string, number>> {
  const asks = rows.filter(
    ({ wanted, subject_id: id }) => wanted === 'ask' && (id === DIGEST || /^(inq|ntc|yol)_/.test(id)),
  );
  const delayed = new Map<string, number>();
  if (asks.length === 0) return delayed;
  const person = await trx.selectFrom('people').select('preferences').where('id', '=', personId).executeTakeFirst();
  const found = readQuiet(person?.preferences ?? null, now);
  if (!found) return delayed;
  const digest = asks.find(({ subject_id }) => subject_id === DIGEST);
  const members = digest ? await inDigest(trx, digest.device_id) : [];
  const loud = await breakingThrough(trx, [...asks.map(({ subject_id }) => subject_id), ...members], found.quiet);
  // Its count changes with each question that is answered elsewhere.
  if (members.some((id) => loud.has(id))) loud.add(DIGEST);
  for (const { subject_id } of asks) if (!loud.has(subject_id)) delayed.set(subject_id, found.until);
  return delayed;
}

/** Counts these as not told to a device without a live page: they will be when they ring. */
export async function untell(trx: Transaction, deviceId: string, subjectIds: string[], now: number): Promise<void> {
  await trx
    .updateTable('inquiry_devices')
    .set({ told_at: null })
    .where('device_id', '=', deviceId)
    .where('inquiry_id', 'in', subjectIds)
    .where('accepted_at', 'is', null)
    .where('device_id', 'in', (eb) => eb.selectFrom('devices').select('id').where('live_until', '<=', now))
    .execute();
}

/** Looks anew at what waits for the end of a person's quiet hours, which they changed, a part at a time. */
export async function lookAgain(database: Database, personId: string): Promise<void> {
  await inParts(PART, () =>
    database.transaction(async (trx) => {
      const now = Math.round(database.clock.now());
      const { numAffectedRows } = await sql`update pushes set due_at = ${now} where (subject_id, device_id) in (
        select subject_id, device_id from pushes
        where device_id in (select id from devices where person_id = ${personId}) and wanted = 'ask' and due_at > ${now}
        -- What a push service refused waits as it told.
        and (attempt_count = 0 or accepted_at is not null) limit ${PART})`.execute(trx);
      return Number(numAffectedRows);
    }),
  );
}

/** Whether it is quiet for whoever chose so. */
export function isQuiet(preferences: string | null, now: number): boolean {
  return readQuiet(preferences, now) !== undefined;
}

// What a later version may have written there is no reason to stay silent.
function readQuiet(preferences: string | null, at: number): { quiet: Quiet; until: number } | undefined {
  const { quiet, timeZone = HUB_TIME_ZONE } = parsePreferences(preferences);
  const until = quiet && !quiet.off ? quietUntil(quiet, timeZone, at) : undefined;
  return quiet && until !== undefined ? { quiet, until } : undefined;
}

async function breakingThrough(trx: Transaction, subjectIds: string[], quiet: Quiet): Promise<Set<string>> {
  const inquiries = await trx
    .selectFrom('inquiries')
    .select(['id', 'source_id', 'transport as more'])
    .where('id', 'in', subjectIds)
    .unionAll(trx.selectFrom('notices').select(['id', 'source_id', 'content as more']).where('id', 'in', subjectIds))
    .execute();
  // Whoever starts YOLO is awake, and who has not started it has to know.
  const running = await trx
    .selectFrom('yolos')
    .select('id')
    .where('id', 'in', subjectIds)
    .where('ended_at', 'is', null)
    .execute();
  const loud = inquiries.filter(({ source_id: sourceId, more }) =>
    breaksThrough(quiet, { sourceId, urgency: (JSON.parse(more) as Pick<Inquiry, 'urgency'>).urgency }),
  );
  return new Set([...loud, ...running].map(({ id }) => id));
}
