import { sql, type Transaction } from 'kysely';
import { HOUR_MS } from '../clock.ts';
import type { Schema } from '../schema.ts';

/**
 * The instants that move with the clock, because something is still to happen at them or is counted from them. All
 * other instants say when something happened and stay as they are.
 */
export const MOVED: { table: keyof Schema; columns: string[]; where: string }[] = [
  {
    table: 'inquiries',
    columns: ['deadline_at', 'latest_at', 'lease_until', 'reach_due_at', 'escalate_at'],
    where: 'resolution is null',
  },
  { table: 'recipients', columns: ['remind_at'], where: 'remind_at is not null and open = 1' },
  { table: 'inquiries', columns: ['pickup_due_at'], where: 'pickup_due_at is not null and collected_at is null' },
  { table: 'inquiries', columns: ['collected_at'], where: 'sealed is not null and collected_at is not null' },
  { table: 'deliveries', columns: ['due_at', 'give_up_at', 'claimed_until'], where: "state = 'pending'" },
  { table: 'delivery_queues', columns: ['due_at', 'rest_until'], where: 'true' },
  // Apple's notifications are locked from when they were accepted.
  {
    table: 'pushes',
    columns: ['due_at', 'give_up_at', 'accepted_at', 'known_due_at'],
    where: "due_at is not null or wanted = 'ask'",
  },
  {
    table: 'subscriptions',
    columns: ['claimed_until', 'due_at', 'rest_until'],
    where: 'claimed_until is not null or due_at is not null or rest_until is not null',
  },
  { table: 'devices', columns: ['seen_at', 'expires_at', 'live_until'], where: 'revoked_at is null' },
  // Access requests are counted from when they were made, and the pace of a poll from the last one.
  { table: 'enrolments', columns: ['created_at', 'expires_at', 'polled_at'], where: 'true' },
  // An hour of failing is counted from its beginning.
  { table: 'failing_endpoints', columns: ['since', 'worked_at'], where: 'true' },
  { table: 'connections', columns: ['look_at'], where: 'look_at is not null' },
  { table: 'passkey_challenges', columns: ['expires_at'], where: 'true' },
  { table: 'passkeys', columns: ['removal_at'], where: 'removal_at is not null' },
  { table: 'gate_continuations', columns: ['expires_at'], where: 'true' },
  { table: 'yolos', columns: ['until_at'], where: 'ended_at is null' },
  {
    table: 'proposals',
    columns: ['decides_at', 'due_at', 'gives_up_at'],
    where: 'due_at is not null or gives_up_at is not null',
  },
  { table: 'event_subscriptions', columns: ['old_until', 'expires_at'], where: 'true' },
  { table: 'gate_sessions', columns: ['seen_at'], where: 'true' },
  { table: 'mcp_sessions', columns: ['seen_at'], where: 'true' },
  { table: 'aap_operations', columns: ['claimed_until'], where: 'reply is null' },
];

/** A second after an approval has ended. */
const ENDED = sql`(cast(strftime('%s', json_extract(resolution, '$.validUntil')) as integer) + 1) * 1000`;

/**
 * Moves what is open by as much as the clock was stepped, so that it has the time it had; raises its revisions and its
 * people's versions, and returns these. What was resolved and nobody collected counts as collected: how fresh it is can
 * no longer be judged (ASK5).
 */
export async function moveWithClock(
  trx: Transaction<Schema>,
  { byMs, before }: { byMs: number; before: number },
): Promise<{ personId: string; version: number }[]> {
  for (const { table, columns, where } of MOVED) {
    const set = sql.join(columns.map((column) => sql`${sql.ref(column)} = ${sql.ref(column)} + ${byMs}`));
    await sql`update ${sql.table(table)} set ${set} where ${sql.raw(where)}`.execute(trx);
  }
  await trx
    .updateTable('inquiries')
    .set(({ eb }) => ({ revision: eb('revision', '+', 1) }))
    .where('resolution', 'is', null)
    .execute();
  await trx
    .updateTable('inquiries')
    // Not before the end of an approval: nobody has it, and what nobody had in time is none (APR1).
    .set({ collected_at: sql`max(${before + byMs}, coalesce(${ENDED}, 0))` })
    .where('resolved_at', '>', before + Math.min(0, byMs) - HOUR_MS)
    .where('fingerprint', 'is not', null)
    .where('collected_at', 'is', null)
    // Collecting erases a secret, which only its source's own read may do.
    .where('sealed', 'is', null)
    .execute();
  const people = await trx
    .updateTable('people')
    .set(({ eb }) => ({ version: eb('version', '+', 1) }))
    .where('id', 'in', (eb) =>
      eb
        .selectFrom('recipients')
        .innerJoin('inquiries', 'inquiries.id', 'inquiry_id')
        .select('person_id')
        .where('resolution', 'is', null)
        .unionAll(eb.selectFrom('yolos').select('person_id').where('ended_at', 'is', null)),
    )
    .returning(['id', 'version'])
    .execute();
  return people.map(({ id, version }) => ({ personId: id, version }));
}
