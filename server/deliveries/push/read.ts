import type { Kysely, Selectable } from 'kysely';
import type { PushDelivery } from '#shared/wire.ts';
import type { Schema } from '../../platform/schema.ts';
import { attemptOf } from '../read.ts';

/** What was pushed of one inquiry, by device, with the attempts of the last 7 days (DLV2). */
export async function pushesOf(reader: Kysely<Schema>, inquiryId: string): Promise<Map<string, PushDelivery>> {
  const rows = await reader.selectFrom('pushes').selectAll().where('subject_id', '=', inquiryId).execute();
  if (rows.length === 0) return new Map();
  const attempts = await reader
    .selectFrom('push_attempts')
    .selectAll()
    .where('subject_id', '=', inquiryId)
    .orderBy('number')
    .execute();
  const tried = Map.groupBy(attempts, ({ device_id }) => device_id);
  return new Map(
    rows.map((row) => [
      row.device_id,
      {
        state: stateOf(row),
        attempts: (tried.get(row.device_id) ?? []).map((attempt) => ({
          kind: attempt.kind as 'ask' | 'withdraw',
          ...attemptOf(attempt),
        })),
      },
    ]),
  );
}

function stateOf(row: Selectable<Schema['pushes']>): PushDelivery['state'] {
  if (row.due_at !== null) return 'pending';
  if (row.wanted === 'nothing') return 'dropped';
  if (row.sent === 'digest') return 'digest';
  if (row.sent !== row.wanted || row.accepted_at === null) return 'failed';
  return row.wanted === 'ask' ? 'sent' : 'withdrawn';
}
