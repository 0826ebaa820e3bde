import type { Inquiries } from '../inquiries/inquiries.ts';
import type { Database } from '../platform/database.ts';
import { commitWith, statement } from '../platform/steps.ts';

/** What a call does about its client's own clock, in ms but for `mostRounds`; a test compresses it. */
export const CLIENT_PACE = {
  /** One round of a modern call without progress: below the 60 s after which clients give up. */
  roundMs: 45_000,
  /** In this round the call returns undecided: clients follow ten. */
  mostRounds: 9,
  /** A call of an older client without progress returns undecided after this, for the same 60 s. */
  pendingMs: 50_000,
  /** Who gives up sooner than this was told to by somebody; a clock gives up later. */
  leastMs: 30_000,
  /** A call of a client that gives up although it is shown progress returns so much before that. */
  earlierMs: 10_000,
  /** A call whose client may come back for its answer keeps its inquiry so long. */
  graceMs: 60_000,
};

export type ClientPace = typeof CLIENT_PACE;

/** How one call over MCP waits, and what it becomes when `ms` are over. */
export type ClientWait = { becomes: 'nothing' | 'round' | 'pending'; ms: number };
export type WaitingCall = {
  /** Revision 2026-07-28 or later, whose clients follow rounds by themselves. */
  modern: boolean;
  /** 0 is a token: the v2 client starts there. */
  progressToken: unknown;
  /** `?wait=` of the address; 0: for ever. */
  waitSeconds: number | undefined;
  /** After so many ms its client has given up although it was shown progress; absent: it never has. */
  gaveUpMs?: number | undefined;
};

/**
 * Chooses by what the client can take. Progress keeps the timers of some clients from ending the call, which is known of
 * one until it gives up all the same; without progress the call must return before the 60 s after which clients of both
 * SDK lines give up.
 */
export function waitFor({ modern, progressToken, waitSeconds, gaveUpMs }: WaitingCall, pace: ClientPace): ClientWait {
  if (waitSeconds !== undefined) {
    return waitSeconds === 0 ? { becomes: 'nothing', ms: Infinity } : { becomes: 'pending', ms: waitSeconds * 1000 };
  }
  if (progressToken !== undefined) {
    if (gaveUpMs === undefined) return { becomes: 'nothing', ms: Infinity };
    return { becomes: 'pending', ms: Math.max(0, gaveUpMs - pace.earlierMs) };
  }
  return modern ? { becomes: 'round', ms: pace.roundMs } : { becomes: 'pending', ms: pace.pendingMs };
}

/** How long things last on the MCP border, in ms but for `mostRounds`; a test compresses them. */
export const PACE = {
  ...CLIENT_PACE,
  /** Between two progress frames of a call that waits. */
  progressMs: 10_000,
  /** Between two comments on a silent stream: below what proxies and clients take for a dead one. */
  keepAliveMs: 15_000,
  /** A call of a client that knows tasks is held so long before it becomes one. */
  taskGraceMs: 20_000,
  /** How often a client is told to ask after its task. */
  taskPollMs: 3_000,
  /** The first frame of a call that a gate holds goes out when the decision took so long. */
  firstFrameMs: 200,
  /** Calls of a gate that arrive within this time after one another are one turn. */
  burstMs: 1_500,
};
export type Pace = typeof PACE;

/** What a client calls itself. */
export type Client = { name?: unknown; version?: unknown };

/** A source may call itself anything: so many of its clients are remembered, those that gave up last. */
const MOST_CLIENTS = 50;
const LONGEST = 100;

/** With these words the clock of both SDK lines takes a call back, and no person does. */
const TIMED_OUT = /request timed out/i;
export const timedOut = (reason: string): boolean => TIMED_OUT.test(reason);

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
) {
  // Where nothing but progress keeps its client.
  const shown = call.progressToken !== undefined && call.waitSeconds === undefined;
  const gaveUpMs = shown ? await readPatience(database, sourceId, client) : undefined;
  return {
    ...waitFor({ ...call, gaveUpMs }, pace),
    /** Remembers that its client gave up, where it was shown progress and did so by its clock: a hint, which holds up nobody. */
    async noteGivenUp(byClock: boolean): Promise<void> {
      const waitedMs = performance.now() - begunAt;
      if (!shown || !byClock || waitedMs < pace.leastMs || waiters.stopping()) return;
      await noteImpatience(database, { sourceId, client, waitedMs }).catch(() => undefined);
    },
  };
}

/** After how many ms this client gave up although it was shown progress, the last time; undefined: it never did. */
export async function readPatience(
  { read }: Pick<Database, 'read'>,
  sourceId: string,
  client: Client | undefined,
): Promise<number | undefined> {
  if (client === undefined) return undefined;
  const row = await read
    .selectFrom('impatient_clients')
    .select('gave_up_ms')
    .where('source_id', '=', sourceId)
    .where('client', '=', clientKey(client))
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
  const noted = note(sourceId, clientKey(client), Math.round(waitedMs), clock.now());
  await steps(() => commitWith({ noted }));
  await steps(() => commitWith({ forgotten: forgetOldest(sourceId) }));
}

function clientKey({ name, version }: Client): string {
  const short = (text: unknown): string => (typeof text === 'string' ? text.slice(0, LONGEST) : '');
  return JSON.stringify([short(name), short(version)]);
}
