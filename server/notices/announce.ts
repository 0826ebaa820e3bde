import type { Notice } from '#shared/wire.ts';

/** Tells the devices of people what was committed. Hints only: a device that misses one reads the list again. */
export type NoticeAnnounce = {
  notice(personIds: string[], notice: Notice): void;
  /** The person read it on one device; it is cleared on all. */
  noticeRead(personId: string, noticeId: string): void;
};
