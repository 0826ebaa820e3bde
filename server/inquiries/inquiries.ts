import type { Database } from '../platform/database.ts';
import type { Signals } from '../platform/nodes/signals.ts';
import type { Announce } from './announce.ts';
import type { OpenCounts } from './open-counts.ts';
import type { Collected } from './waiting/collect.ts';
import type { Waiters } from './waiting/wait.ts';

/** What the life of an inquiry needs from the rest of the hub. */
export type Inquiries = {
  database: Database;
  /** Tells devices; called after the commit. */
  announce: Announce;
  /** Wakes waiters on every node; called after the commit. */
  signals: Signals;
  /** Calls that wait for a resolution on this node. */
  waiters: Waiters;
  /** Resolutions that were handed over (ASK5). */
  collected: Collected;
  /** Looks for due webhooks now; called after the commit. */
  wakeDeliveries: () => void;
  /** Looks for due pushes now; called after the commit of a transaction that wants some. */
  wakePushes: () => void;
  sealingKey: Buffer;
  /** Open inquiries a source may have. */
  openLimit: number;
  openCounts: OpenCounts;
  /** Answers that were read on this node and are on their way to their statement: its sweep lets them go first. */
  answering: Set<{ inquiryId: string }>;
  count: (event: 'asked' | 'won' | 'lost' | 'late' | 'declined' | 'expired' | 'withdrawn') => void;
};
