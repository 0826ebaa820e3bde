import { CLIENT_PACE, type ClientPace } from '../inquiries/waiting/client-clock.ts';

/** How long things last on the MCP border, in ms but for `legRounds`; a test compresses them. */
export type Pace = ClientPace & {
  /** Between two progress frames of a call that waits. */
  progressMs: number;
  /** Between two comments on a silent stream: below what proxies and clients take for a dead one. */
  keepAliveMs: number;
  /** A call of a client that knows tasks is held so long before it becomes one. */
  taskGraceMs: number;
  /** How often a client is told to ask after its task. */
  taskPollMs: number;
  /** A call whose client may come back for its answer keeps its inquiry so long. */
  graceMs: number;
  /** A session whose calls have had no connection for this long has lost its client. */
  lostMs: number;
  /** A session that nobody used for this long is forgotten. */
  idleMs: number;
};

export const PACE: Pace = {
  ...CLIENT_PACE,
  progressMs: 10_000,
  keepAliveMs: 15_000,
  taskGraceMs: 20_000,
  taskPollMs: 3_000,
  graceMs: 60_000,
  lostMs: 60_000,
  idleMs: 30 * 60_000,
};
