import type { Inquiries } from '../inquiries/inquiries.ts';
import type { Database } from '../platform/database.ts';
import { commitWith, statement } from '../platform/steps.ts';
import { waitFor, type ClientPace, type ClientWait, type WaitingCall } from './pace.ts';

/** What a client calls itself. */
export type Client = { name?: unknown; version?: unknown };

/** A source may call itself anything: so many of its clients are remembered, those that gave up last. */
const MOST_CLIENTS = 50;
const LONGEST = 100;

/** With these words the clock of both SDK lines takes a call back, and no person does. */
const TIMED_OUT = /request timed out/i;
export const timedOut = (reason: string): boolean => TIMED_OUT.test(reason);

/** How a call waits, and what to do when its client gave up meanwhile. */
export type PatientWait = ClientWait & {
  /** Remembers it, where it was shown progress and gave up by its clock: a hint, which holds up nobody. */
  noteGivenUp(byClock: boolean): Promise<void>;
};
type Calling = Omit<WaitingCall, 'gaveUpMs'> & {
  sourceId: string;
  client: Client | undefined;
  /** Since when it waits, by `performance.now()`. */
  begunAt: number;
};

/** Chooses how a call waits by what its client can take, and by when it gave up before although it was shown progress. */
export async function chooseWait(
  { inquiries: { database, waiters }, pace }: { inquiries: Inquiries; pace: ClientPace },
  { sourceId, client, begunAt, ...call }: Calling,
): Promise<PatientWait> {
  // Where nothing but progress keeps its client.
  const shown = call.progressToken !== undefined && call.waitSeconds === undefined;
  const gaveUpMs = shown ? await patienceOf(database, sourceId, client) : undefined;
  return {
    ...waitFor({ ...call, gaveUpMs }, pace),
    async noteGivenUp(byClock) {
      const waitedMs = performance.now() - begunAt;
      if (!shown || !byClock || waitedMs < pace.leastMs || waiters.stopping()) return;
      await noteImpatience(database, { sourceId, client, waitedMs }).catch(() => undefined);
    },
  };
}

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
