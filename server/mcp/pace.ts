/** What a call does about its client's own clock, in ms but for `legRounds`; a test compresses it. */
export const CLIENT_PACE = {
  /** One leg of a modern call without progress: below the 60 s after which clients give up. */
  legMs: 45_000,
  /** In this round the call returns undecided: clients follow ten. */
  legRounds: 9,
  /** A call of an older client without progress returns undecided after this, for the same 60 s. */
  pendingMs: 50_000,
  /** Who gives up sooner than this was told to by somebody; a clock gives up later. */
  leastMs: 30_000,
  /** A call of a client that gives up although it is shown progress returns so much before that. */
  earlierMs: 10_000,
};

export type ClientPace = typeof CLIENT_PACE;

/** How one call over MCP waits, and what it becomes when `ms` are over. */
export type ClientWait = { becomes: 'nothing' | 'leg' | 'pending'; ms: number };
export type WaitingCall = {
  /** Revision 2026-07-28 or later, whose clients follow legs by themselves. */
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
  return modern ? { becomes: 'leg', ms: pace.legMs } : { becomes: 'pending', ms: pace.pendingMs };
}

/** How long things last on the MCP border, in ms but for `legRounds`; a test compresses them. */
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
  /** A call whose client may come back for its answer keeps its inquiry so long. */
  graceMs: 60_000,
  /** A session whose calls have had no connection for this long has lost its client. */
  lostMs: 60_000,
  /** A session that nobody used for this long is forgotten. */
  idleMs: 30 * 60_000,
};
export type Pace = typeof PACE;
