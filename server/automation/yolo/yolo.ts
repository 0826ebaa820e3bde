import { fault, invalid } from '#shared/faults.ts';
import { newId } from '#shared/ids.ts';
import { YOLO_MAX_MS, type StartYolo, type Yolo } from '#shared/policies/yolo.ts';
import { AppError } from '#shared/problem.ts';
import { forget } from '../../platform/forget.ts';
import { wantAnew, wantShown, wantWithdrawn } from '../../deliveries/push/want.ts';
import { DAY_MS } from '../../platform/clock.ts';
import type { Database, Transaction } from '../../platform/database.ts';
import { batch, statement, within } from '../../platform/steps.ts';
import { sql } from 'kysely';
import {
  type AnnounceYolo,
  readYoloStates,
  runsAt,
  selectYolos,
  storeChoices,
  toYolo,
  type YoloChoices,
} from './store.ts';
import type { Reader } from '../../inquiries/store.ts';
import { raisePeople } from '../../inquiries/versions.ts';
import { unknownIds } from '../../platform/stored.ts';

export type Yolos = { database: Database; announce: AnnounceYolo; wakePushes: () => void };
/** The device on which something is done, and whose it is. */
type On = { id: string; person: { id: string } };

/** What says that it ended is worth pushing for so long. */
const END_LIFE_MS = DAY_MS;

/**
 * Starts YOLO for this device's person, and tells all their devices. Throws 409 `yolo.running` where it runs, on whatever
 * device it was started; 422 for an end that is past or more than a day away, and for a source that is none.
 */
export async function startYolo(yolos: Yolos, { id: deviceId, person }: On, body: StartYolo): Promise<Yolo> {
  const { database } = yolos;
  await endYolos(yolos, person.id);
  const { until, ...choices } = body;
  await refuseUnknown(database, choices);
  const { id, version } = await database.transaction(async (trx) => {
    // Read in the transaction, so that a step of the clock comes before it or moves what it writes.
    const now = Math.round(database.clock.now());
    const untilAt = Math.round(typeof until === 'number' ? now + until * 1000 : Date.parse(until));
    if (untilAt <= now) throw invalid([fault('/until', 'yolo.ended', 'has passed already')]);
    if (untilAt > now + YOLO_MAX_MS) throw invalid([fault('/until', 'yolo.too_long', 'is more than 24 hours away')]);
    const started = await trx
      .insertInto('yolos')
      .values({
        id: newId('yol', now),
        person_id: person.id,
        choices: storeChoices(choices),
        started_at: now,
        until_at: untilAt,
        made_by: deviceId,
      })
      .onConflict((conflict) => conflict.doNothing())
      .returning('id')
      .executeTakeFirst();
    if (!started)
      throw new AppError(409, 'yolo.running', 'YOLO runs already: stop it first, then start it as you want it.');
    const { id: subjectId } = started;
    await within(trx, batch({ shown: wantShown({ subjectId, personIds: [person.id], giveUpAt: untilAt, now }) }));
    return { id: subjectId, version: await raise(trx, person.id) };
  });
  await tellYolo(yolos, person.id, version);
  return readYolo(database.read, id, person.id);
}

/** Ends it on all devices and nodes at once; one that has ended stays as it is. 404 where it is not this person's. */
export async function stopYolo(yolos: Yolos, { id: deviceId, person }: On, id: string): Promise<Yolo> {
  await readYolo(yolos.database.read, id, person.id);
  await end(yolos, { id, personId: person.id }, deviceId);
  return readYolo(yolos.database.read, id, person.id);
}

/** Ends what runs no more, of one person or of all, and tells how it ended. Any number of nodes may run it. */
export async function endYolos(yolos: Yolos, personId?: string): Promise<void> {
  const now = yolos.database.clock.now();
  const over = await yolos.database.read
    .selectFrom('yolos')
    .select(['id', 'person_id as personId'])
    .where('ended_at', 'is', null)
    .where(sql<boolean>`not (${sql.raw(runsAt(String(Math.round(now))))})`)
    .$if(personId !== undefined, (query) => query.where('person_id', '=', personId!))
    .execute();
  for (const one of over) await end(yolos, one);
}

/** Marks the end of this one, and of those before it, as looked at: on all devices it is shown no more. */
export async function markYoloSeen(yolos: Yolos, personId: string, id: string): Promise<void> {
  const now = Math.round(yolos.database.clock.now());
  await readYolo(yolos.database.read, id, personId);
  const version = await yolos.database.transaction(async (trx) => {
    const seen = await trx
      .updateTable('yolos')
      .set({ seen_at: now })
      .where('person_id', '=', personId)
      .where('id', '<=', id)
      .where('ended_at', 'is not', null)
      .where('seen_at', 'is', null)
      .returning('id')
      .execute();
    for (const one of seen)
      await within(trx, batch({ withdrawn: wantWithdrawn({ subjectId: one.id, now, personId }) }));
    return seen.length > 0 ? raise(trx, personId) : undefined;
  });
  if (version !== undefined) await tellYolo(yolos, personId, version);
}

/** One time of YOLO of this person; 404 for everybody else. */
export async function readYolo(read: Reader, id: string, personId: string): Promise<Yolo> {
  const row = await selectYolos(read)
    .where('yolos.id', '=', id)
    .where('yolos.person_id', '=', personId)
    .executeTakeFirst();
  if (!row) throw new AppError(404, 'yolo.unknown', 'There is no such YOLO of yours.');
  return toYolo(row);
}

/** Forgets what ended `days` ago. */
export function forgetYolos(database: Database, days: number): Promise<number> {
  return forget(database, { table: 'yolos', column: 'ended_at', before: database.clock.now() - days * DAY_MS });
}

/** What a YOLO gave to deciders is due; its id stands in the rule that asked them, where the index finds it. */
export const lookAtDelegated = statement(
  `update proposals set due_at = cast(?2 as bigint),
    gives_up_at = case when state = 'waiting' then cast(?2 as bigint) else gives_up_at end
  where rule is not null and substr(rule, 8, 30) = cast(?1 as text)`,
);

async function end(
  yolos: Yolos,
  { id, personId }: { id: string; personId: string },
  stoppedBy?: string,
): Promise<void> {
  const { database } = yolos;
  const version = await database.transaction(async (trx) => {
    // What it gave to deciders is looked at now, so that people are woken. Before its own row, as whoever decides by it.
    await within(trx, batch({ looked: lookAtDelegated(id, Math.round(database.clock.now())) }));
    // Read once the row is held: what it settled until now was settled before it ended.
    await trx
      .updateTable('yolos')
      .set(({ ref }) => ({ ended_at: ref('ended_at') }))
      .where('id', '=', id)
      .execute();
    const now = Math.round(database.clock.now());
    const ended = await trx
      .updateTable('yolos')
      .set({
        ended_at: sql`case when until_at < ${now} then until_at else ${now} end`,
        stopped_by: stoppedBy === undefined ? null : sql`case when until_at > ${now} then ${stoppedBy} end`,
      })
      .where('id', '=', id)
      .where('ended_at', 'is', null)
      .returning('id')
      .executeTakeFirst();
    if (!ended) return undefined;
    await wantAnew(trx, { subjectId: id, giveUpAt: now + END_LIFE_MS, now });
    return raise(trx, personId);
  });
  if (version !== undefined) await tellYolo(yolos, personId, version);
}

async function raise(trx: Transaction, personId: string): Promise<number> {
  const {
    raised: [raised],
  } = await within(trx, batch({ raised: raisePeople([personId]) }));
  return raised?.version ?? 0;
}

/** Tells the person's devices how it stands with YOLO now. */
export async function tellYolo(
  { database, announce, wakePushes }: Yolos,
  personId: string,
  version: number,
): Promise<void> {
  const states = await readYoloStates(database.read, [personId]);
  announce(personId, { version, ...states.get(personId) });
  wakePushes();
}

async function refuseUnknown({ read }: Database, { sources = [], calls, questions }: YoloChoices): Promise<void> {
  const deciders = Object.entries({ calls, questions }).map(([member, choice]): [string, string | undefined] => [
    `/${member}/decider`,
    typeof choice === 'object' ? choice.decider : undefined,
  ]);
  const faults = [
    ...(await unknownIds(read, 'decider', deciders)),
    ...(await unknownIds(
      read,
      'source',
      sources.map((id, at) => [`/sources/${at}`, id]),
    )),
  ];
  if (faults.length > 0) throw invalid(faults);
}
