import type { Resolution } from '#shared/answer.ts';
import type { Inquiry } from '#shared/inquiry.ts';
import type { Proposal } from '#shared/policies/decider.ts';
import type { YoloState } from '#shared/policies/yolo.ts';
import type { Database } from '../platform/database.ts';
import type { DeviceCaller } from '../platform/http/access.ts';
import type { Signals } from '../platform/nodes/signals.ts';
import type { Lists } from '../policies/lists.ts';
import type { OpenCounts } from './asks/open-counts.ts';
import type { Collected, Waiters } from './wait.ts';

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
  /** Asks the deciders now that are due; called after the commit. */
  wakeDeciders: () => void;
  /** The rules of people, as this node read them last. */
  lists: Lists;
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
>;

/** What a framework that asked is told, once all of its inquiries are resolved; never throws. `kept` as at the ask. */
export type ComposeReply = (dialect: string | undefined, kept: string, inquiries: Inquiry[]) => unknown;

/** A person's counter after a change: rows raised in the same transaction as what they count. */
export type PersonVersion = { personId: string; version: number };

/** Tells the devices of people what was committed. Hints only: a device that misses one asks again (LIV1). */
export type Announce = {
  /** An inquiry opened, or its deadline moved. The inquiry is the devices' view. */
  inquiry(news: { inquiry: Inquiry; versions: PersonVersion[] }): void;
  /** What is open moved with the clock: devices read it anew. */
  moved(versions: PersonVersion[]): void;
  /** It is no longer wanted anywhere but on the screen `spare`, a socket's id (WDR1). */
  withdraw(news: {
    inquiryId: string;
    resolution: Resolution;
    versions: PersonVersion[];
    spare?: string | undefined;
  }): void;
  /** What a decider proposes has changed, or is gone. */
  proposal(news: { inquiryId: string; proposal: Proposal | undefined; versions: PersonVersion[] }): void;
  /** The platform that asked had another answer already. */
  notTaken(news: { inquiryId: string; personIds: string[] }): void;
  /** Whoever asked is gone, or is back: `goneAt` is absent. */
  asker(news: { inquiryId: string; personIds: string[]; goneAt?: string }): void;
  /** Whoever asked has not picked an answer up in time; or has, after that. */
  pickedUp(news: { inquiryId: string; personIds: string[]; pickedUp: boolean }): void;
  /** How it stands with a person's YOLO; a snapshot says it too. */
  yolo(personId: string, event: { version: number } & YoloState): void;
};

/** Before the live line stands nobody is there to hear anything. */
export const unheard: Announce = {
  inquiry() {},
  moved() {},
  withdraw() {},
  proposal() {},
  notTaken() {},
  asker() {},
  pickedUp() {},
  yolo() {},
};

/** For whom, and on which device, something is shown. */
export type Viewer = { personId: string; deviceId: string };

/** Who calls, as far as answering is concerned. */
export type Answerer = Viewer & {
  deviceName: string;
  handle: string;
  via: 'live' | 'http' | 'notification' | 'mcp';
  /** The socket that answers, which keeps its own screen. */
  screen?: string | undefined;
};

/** The person and device behind a call, as the one who answers. */
export function answererOf({ id, name, person }: DeviceCaller, via: Answerer['via'], screen?: string): Answerer {
  return { deviceId: id, deviceName: name, personId: person.id, handle: person.handle, via, screen };
}
