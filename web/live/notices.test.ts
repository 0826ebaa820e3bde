import { deepStrictEqual } from 'node:assert/strict';
import { test } from 'node:test';
import type { Notice } from '#shared/wire.ts';
import { noticeEvents, notices, readNotices } from './notices.ts';

test('a notice that comes while the notices are read stays, and one that is read meanwhile is gone', async (t) => {
  const [early, late] = ['not_1', 'not_2'].map((id) => ({ id, title: id }) as Notice) as [Notice, Notice];
  const replies: PromiseWithResolvers<Response>[] = [];
  t.mock.method(globalThis, 'fetch', () => {
    const reply = Promise.withResolvers<Response>();
    replies.push(reply);
    return reply.promise;
  });
  const reading = readNotices();
  noticeEvents.notice({ notice: late });
  replies[0]?.resolve(Response.json({ items: [early] }));
  while (replies.length < 2) await new Promise(setImmediate);
  noticeEvents.notice_read({ noticeId: early.id });
  replies[1]?.resolve(Response.json({ items: [late, early] }));
  while (replies.length < 3) await new Promise(setImmediate);
  replies[2]?.resolve(Response.json({ items: [late] }));
  await reading;
  deepStrictEqual(notices.value, [late]);
});
