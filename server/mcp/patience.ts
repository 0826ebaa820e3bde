import type { Database } from '../platform/database.ts';
import { commitWith, statement } from '../platform/steps.ts';

/** What a client calls itself. */
export type Client = { name?: unknown; version?: unknown };

/** A source may call itself anything: so many of its clients are remembered, those that gave up last. */
const MOST_CLIENTS = 50;
const LONGEST = 100;

/** With these words the clock of both SDK lines takes a call back, and no person does. */
const TIMED_OUT = /request timed out/i;
export const timedOut = (reason: string): boolean => TIMED_OUT.test(reason);

/** After how many ms this client gave up although it was shown progress, the last time; undefined: it never did. */
export async function patienceOf(
  { read }: Pick<Database, 'read'>,
  sourceId: string,
  client: Client | undefined,
): Promise<number | undefined> {
  if (client === undefined) return undefined;
  const row = await read
    .selectFrom('impatient_clients')
    .select('gave_up_ms')
    .where('source_id', '=', sourceId)
    .where('client', '=', keyOf(client))
    .executeTakeFirst();
  return row?.gave_up_ms;
}

const note = statement(
  `insert into impatient_clients (source_id, client, gave_up_ms, gave_up_at) values (?1, ?2, ?3, ?4)
  on conflict (source_id, client) do update set gave_up_ms = excluded.gave_up_ms, gave_up_at = excluded.gave_up_at`,
);
const forgetOldest = statement(
  `delete from impatient_clients where source_id = ?1 and client not in (
    select client from impatient_clients where source_id = ?1 order by gave_up_at desc limit ${MOST_CLIENTS}
  )`,
);

/** Notes that this client gave up after so long although it was shown progress: every node ends its next calls before that. */
export async function noteImpatience(
  { steps, clock }: Pick<Database, 'steps' | 'clock'>,
  { sourceId, client, waitedMs }: { sourceId: string; client: Client | undefined; waitedMs: number },
): Promise<void> {
  // One that does not say what it is cannot be told from another.
  if (client === undefined) return;
  const noted = note(sourceId, keyOf(client), Math.round(waitedMs), clock.now());
  await steps(() => commitWith({ noted }));
  await steps(() => commitWith({ forgotten: forgetOldest(sourceId) }));
}

function keyOf({ name, version }: Client): string {
  const short = (text: unknown): string => (typeof text === 'string' ? text.slice(0, LONGEST) : '');
  return JSON.stringify([short(name), short(version)]);
}
