import type { Inquiry } from '#shared/inquiry.ts';
import type { Database } from '../platform/database.ts';
import type { Signals } from '../platform/nodes/signals.ts';
import type { Announce } from './announce.ts';
import type { OpenCounts } from './open-counts.ts';
import type { Collected } from './collected.ts';
import type { Settling } from './settling.ts';
import type { Waiters } from './waiters.ts';

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
  settling: Settling;
  sealingKey: Buffer;
  /** Open inquiries a source may have. */
  openLimit: number;
  openBytesLimit: number;
  openCounts: OpenCounts;
  composeReply: ComposeReply;
  /** Answers that were read on this node and are on their way to their statement: its sweep lets them go first. */
  answering: Set<{ inquiryId: string }>;
  /** `seconds`: how long a person's answer took. */
  count: (
    event:
      | 'asked'
      | 'told'
      | 'ruled'
      | 'yolo'
      | 'won'
      | 'lost'
      | 'late'
      | 'declined'
      | 'expired'
      | 'withdrawn'
      | 'decided',
    seconds?: number,
  ) => void;
};

/** What the end of an inquiry needs of the hub; the command line has this much beside it. */
export type Closing = Pick<
  Inquiries,
  'database' | 'composeReply' | 'announce' | 'waiters' | 'signals' | 'wakeDeliveries' | 'wakePushes' | 'count'
> & { settling: Pick<Settling, 'drop'> };

/** What a framework that asked is told, once all of its inquiries are resolved; never throws. `kept` as at the ask. */
export type ComposeReply = (dialect: string | undefined, kept: string, inquiries: Inquiry[]) => unknown;
