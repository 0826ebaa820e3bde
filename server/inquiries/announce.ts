import type { Resolution } from '#shared/answer.ts';
import type { Inquiry } from '#shared/inquiry.ts';

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
  /** This person set it apart until `at`; absent: no longer. */
  later(news: PersonVersion & { inquiryId: string; at?: string }): void;
  /** The platform that asked had another answer already. */
  notTaken(news: { inquiryId: string; personIds: string[] }): void;
  /** Whoever asked is gone, or is back: `goneAt` is absent. */
  asker(news: { inquiryId: string; personIds: string[]; goneAt?: string }): void;
  /** Whoever asked has not picked an answer up in time; or has, after that. */
  pickedUp(news: { inquiryId: string; personIds: string[]; pickedUp: boolean }): void;
};

/** Before the live line stands nobody is there to hear anything. */
export const unheard: Announce = {
  inquiry() {},
  moved() {},
  withdraw() {},
  later() {},
  notTaken() {},
  asker() {},
  pickedUp() {},
};
