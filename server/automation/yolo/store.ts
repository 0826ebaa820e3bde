import type { Kysely, Selectable } from 'kysely';
import type { StartYolo, Yolo, YoloState } from '#shared/policies/yolo.ts';
import { iso } from '../../platform/clock.ts';
import type { Database } from '../../platform/database.ts';
import type { Schema } from '../../platform/schema.ts';
import { statement } from '../../platform/steps.ts';
import { readWhole } from '../../platform/stored.ts';

/** Tells a person's devices how it stands with their YOLO; a snapshot says it too. */
export type AnnounceYolo = (personId: string, event: { version: number } & YoloState) => void;

export type YoloChoices = Omit<StartYolo, 'until'>;

/**
 * Choices as a row keeps them. Calls but those that destroy have a name of their own, so that a node of before asks people
 * about them, and a row of before keeps its terms.
 */
export function storeChoices({ calls, destructive, ...others }: YoloChoices): string {
  const kept = calls === undefined ? {} : { [destructive ? 'calls' : 'callsButDestructive']: calls };
  return JSON.stringify({ ...others, ...kept });
}

/** The choices that a row keeps; damaged ones settle nothing. */
export function readChoices(text: string): YoloChoices {
  type Stored = Omit<YoloChoices, 'destructive'> & { callsButDestructive?: YoloChoices['calls'] };
  const { callsButDestructive: spared, ...choices } = readWhole<Stored>(text) ?? {};
  if (spared !== undefined) return { ...choices, calls: spared };
  return choices.calls === undefined ? choices : { ...choices, destructive: true };
}

/** That a row of `yolos` runs at the instant that `now` names: until its end, a stop, or its device is revoked. */
export const runsAt = (now: string): string =>
  `yolos.ended_at is null and yolos.until_at > ${now} and exists (select 1 from devices
    where devices.id = yolos.made_by and devices.revoked_at is null)`;

export const isYolo = (ruleId: string): boolean => ruleId.startsWith('yol_');

/**
 * Counts what YOLO is about to settle; no row where it runs no more. A stop waits for the transaction, or the
 * transaction for the stop: nothing is settled by it that is not committed when its stop returns. Without `?3` the
 * database server's clock is read, after that wait.
 */
export const settleByYolo = statement<{ id: string }>(
  `update yolos set settled_count = settled_count + cast(?2 as integer) where id = ?1 and ${runsAt('coalesce(cast(?3 as bigint), {now})')} returning id`,
);

/** Counts what it has settled, after `settleByYolo` of nothing held it. */
export const countSettled = statement(
  'update yolos set settled_count = settled_count + cast(?2 as integer) where id = ?1',
);

/** Ends what runs, of everybody. */
export async function endRunning({ transaction, clock }: Pick<Database, 'transaction' | 'clock'>): Promise<void> {
  const now = Math.round(clock.now());
  await transaction((trx) => trx.updateTable('yolos').set({ ended_at: now }).where('ended_at', 'is', null).execute());
}

type Row = Selectable<Schema['yolos']> & { started_on: string; stopped_on: string | null };

/** Times of YOLO, newest first. */
export function selectYolos(read: Kysely<Schema>) {
  return read
    .selectFrom('yolos')
    .innerJoin('devices', 'devices.id', 'yolos.made_by')
    .leftJoin('devices as stopping', 'stopping.id', 'yolos.stopped_by')
    .selectAll('yolos')
    .select(['devices.name as started_on', 'stopping.name as stopped_on'])
    .orderBy('yolos.id', 'desc');
}

export function toYolo(row: Row): Yolo {
  const { ended_at: endedAt, stopped_by: stoppedBy, stopped_on: stoppedOn } = row;
  return {
    id: row.id,
    ...readChoices(row.choices),
    startedAt: iso(row.started_at),
    startedOn: { id: row.made_by, name: row.started_on },
    untilAt: iso(row.until_at),
    ...(endedAt === null ? {} : { endedAt: iso(endedAt) }),
    ...(stoppedBy === null ? {} : { stoppedOn: { id: stoppedBy, name: stoppedOn ?? '' } }),
    settledCount: row.settled_count,
  };
}

/** What the pages of these people show of YOLO; no entry where there is nothing. */
export async function readYoloStates(read: Kysely<Schema>, personIds: string[]): Promise<Map<string, YoloState>> {
  const states = new Map<string, YoloState>();
  if (personIds.length === 0) return states;
  const rows = await selectYolos(read)
    .where('yolos.person_id', 'in', personIds)
    .where('yolos.seen_at', 'is', null)
    .execute();
  for (const row of rows) {
    const state = states.get(row.person_id) ?? {};
    states.set(row.person_id, { [row.ended_at === null ? 'running' : 'ended']: toYolo(row), ...state });
  }
  return states;
}
