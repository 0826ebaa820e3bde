import { signal } from '@preact/signals';
import type { Notice } from '#shared/wire.ts';
import { call } from './api.ts';

/** One-way messages that this person has not read, oldest first. */
export const notices = signal<readonly Notice[]>([]);

// How many were told of live: a reading during which one came may be older than it.
let changes = 0;

export const noticeEvents = {
  notice({ notice }: { notice: Notice }) {
    changes++;
    notices.value = [...notices.value.filter(({ id }) => id !== notice.id), notice];
  },
  notice_read({ noticeId }: { noticeId: string }) {
    changes++;
    notices.value = notices.value.filter(({ id }) => id !== noticeId);
  },
};

/** Reads what came while there was no line. */
export async function readNotices(): Promise<void> {
  const before = changes;
  const reply = await call<{ items: Notice[] }>('GET', '/v1/notices');
  if (changes !== before) return readNotices();
  if (reply.ok) notices.value = reply.ok.items.filter((notice) => notice.readAt === undefined).toReversed();
}

/** Read on one device, cleared on all. */
export async function markRead(noticeId: string): Promise<void> {
  noticeEvents.notice_read({ noticeId });
  await call('POST', `/v1/notices/${noticeId}/read`, {});
}
