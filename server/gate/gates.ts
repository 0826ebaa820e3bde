import type { Inquiries } from '../inquiries/inquiries.ts';
import type { ClientPace } from '../mcp/pace.ts';
import type { Log } from '../platform/log.ts';
import type { Catalogue } from './catalogue.ts';
import type { GateStore } from './config/store.ts';
import type { HeldCalls } from './held.ts';

/** How often a held call gives a sign of life, and how long it waits for its client; tests are faster. */
export type Pace = ClientPace & {
  /** The first frame goes out when the decision took this long. */
  firstFrameMs: number;
  everyMs: number;
  /** Calls that arrive within this time after one another are one turn. */
  burstMs: number;
  /** So long a call waits for its client to come back: from a lost legacy connection, or between two legs. */
  graceMs: number;
};

/** What every gate needs. */
export type Gates = {
  inquiries: Inquiries;
  /** The gate of this name as it is now. */
  find: GateStore['find'];
  catalogue: Catalogue;
  /** The calls that this node holds. */
  held: HeldCalls;
  log: Log;
  pace: Pace;
  count(event: 'allowed' | 'denied' | 'asked' | 'approved' | 'edited' | 'rejected' | 'responded' | 'unanswered'): void;
};
