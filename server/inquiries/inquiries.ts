import type { Inquiry } from '#shared/inquiry.ts';
import type { Database } from '../platform/database.ts';
import type { Signals } from '../platform/nodes/signals.ts';
import type { Announce } from './announce.ts';
import type { Collected } from './collected.ts';
import type { OpenCounts } from './open-counts.ts';
import type { Settling } from './settling.ts';
import type { Waiters } from './waiters.ts';

export type Store = { database: Database };

/** What a resolution writes with. */
export type Resolving = Store & { composeReply: ComposeReply; settling: Pick<Settling, 'drop'> };

/** What is told of it; each is called after the commit. */
export type Telling = {
  /** Tells devices. */
  announce: Announce;
  /** Wakes waiters on every node. */
  signals: Signals;
  /** Calls that wait for a resolution on this node. */
  waiters: Waiters;
  /** Looks for due webhooks now. */
  wakeDeliveries: () => void;
  /** Looks for due pushes now. */
  wakePushes: () => void;
  count: Count;
  note: Note;
};

/** Writes one line to the log with the inquiry's id, and no word of what was asked or answered. */
export type Note = (
  what: 'asked' | 'resolved',
  about: { inquiry: string; source?: string; trace?: string | undefined; outcome?: string; by?: string },
) => void;

/** What the end of an inquiry needs of the hub; the command line has this much beside it. */
export type Closing = Resolving & Telling;

/** How much a source may have open. */
export type Limits = { openLimit: number; openBytesLimit: number; openCounts: OpenCounts };

/** What the life of an inquiry needs from the rest of the hub. */
export type Inquiries = Closing &
  Limits & {
    /** Resolutions that were handed over (ASK5). */
    collected: Collected;
    settling: Settling;
    sealingKey: Buffer;
    /** Where people open the hub: their passkeys are for this host. */
    publicUrl: () => string;
    /** Answers that were read on this node and are on their way to their statement: its sweep lets them go first. */
    answering: Set<{ inquiryId: string }>;
  };

/** Counts for the metrics; `seconds`: how long a person's answer took. */
type Count = (
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

/** What a framework that asked is told, once all of its inquiries are resolved; never throws. `kept` as at the ask. */
export type ComposeReply = (dialect: string | undefined, kept: string, inquiries: Inquiry[]) => unknown;
