import { newId } from '#shared/ids.ts';
import { visible } from '#shared/visible.ts';
import { PENDING } from '../deliveries/queues.ts';
import { DAY_MS, HOUR_MS } from '../platform/clock.ts';
import { readNotice } from './read.ts';
import type { Notices } from './send.ts';
import { announceToOwner, findOwner, writeToOwner } from './to-owner.ts';

const WORDS = {
  en: {
    title: (host: string) => `Answers have not reached ${host} for an hour`,
    body: 'They are tried for a day. Its page shows the attempts; there they can be tried now, replayed and paused.',
    ofConnection: 'They are tried for a day. Its page shows which of them arrived.',
    ofIssuer: 'Each is sent once. Its page shows which of them arrived; whoever signs in there begins anew.',
  },
  zh: {
    title: (host: string) => `答复已有一小时未能送达 ${host}`,
    body: '会重试一天。在它的页面可以查看每次投递，也可以立即重试、重新投递或暂停。',
    ofConnection: '会重试一天。它的页面显示哪些答复已经送达。',
    ofIssuer: '每个答复只发送一次。它的页面显示哪些已经送达；在那里登录的人需要重新发起。',
  },
};
/** A title holds 140 characters. */
const LONGEST_HOST = 80;
const FORGOTTEN_MS = 8 * DAY_MS;

/**
 * Tells the owner once that an endpoint has failed for an hour, at most one at a time for a source, and takes the notice
 * back when the endpoint works again.
 */
export async function tellFailing(notices: Notices, publicUrl: () => string): Promise<void> {
  await endWorking(notices);
  const { read, clock } = notices.database;
  const failing = await read
    .selectFrom('failing_endpoints as failing')
    .innerJoin('sources', 'sources.id', 'failing.source_id')
    .select(['queue', 'source_id'])
    .where('worked_at', 'is', null)
    .where('notice_id', 'is', null)
    .where('since', '<=', clock.now() - HOUR_MS)
    .where('revoked_at', 'is', null)
    .where('webhooks_paused_at', 'is', null)
    .where((row) =>
      row.not(
        row.exists((db) =>
          db
            .selectFrom('failing_endpoints as told')
            .select('told.queue')
            .whereRef('told.source_id', '=', 'failing.source_id')
            .where('told.notice_id', 'is not', null),
        ),
      ),
    )
    .orderBy('since')
    .orderBy('queue')
    .limit(100)
    .execute();
  const firsts = new Map(failing.toReversed().map((row) => [row.source_id, row]));
  for (const { queue, source_id: sourceId } of firsts.values()) await tell(notices, { queue, sourceId }, publicUrl());
}

async function tell(
  notices: Notices,
  { queue, sourceId }: { queue: string; sourceId: string },
  hub: string,
): Promise<void> {
  const { database } = notices;
  const now = database.clock.now();
  const id = newId('ntc', now);
  const sent = await database.transaction(async (trx) => {
    const owner = await findOwner(trx);
    if (owner === undefined) return undefined;
    const first = await trx
      .updateTable('failing_endpoints')
      .set({ notice_id: id })
      .where('queue', '=', queue)
      .where('notice_id', 'is', null)
      .where('worked_at', 'is', null)
      .returning('queue')
      .executeTakeFirst();
    // Another node was quicker.
    if (first === undefined) return undefined;
    const connections = trx.selectFrom('connections').select('source_id');
    const connected = await connections.where('source_id', '=', sourceId).executeTakeFirst();
    const words = WORDS[owner.locale];
    const link = `${hub}/${connected ? 'connections' : 'sources'}/${sourceId}`;
    const source = trx.selectFrom('sources').select('issuer').where('id', '=', sourceId);
    const { issuer = null } = (await source.executeTakeFirst()) ?? {};
    const body = connected ? words.ofConnection : issuer === null ? words.body : words.ofIssuer;
    const title = words.title(showHost(queue));
    return writeToOwner(trx, owner.id, { id, sourceId, key: null, title, body, link, now });
  });
  if (sent !== undefined) announceToOwner(notices, sent);
}

/** A queue is named by its source and the origin of its endpoint. */
function showHost(queue: string): string {
  const origin = queue.slice(queue.indexOf(' ') + 1);
  return visible(URL.parse(origin)?.host ?? origin).slice(0, LONGEST_HOST);
}

async function endWorking(notices: Notices): Promise<void> {
  const { database } = notices;
  const some = database.read.selectFrom('failing_endpoints as failing').select(['queue', 'notice_id']).limit(100);
  const worked = await some.where('worked_at', 'is not', null).execute();
  // Nothing is left to be sent there, and its attempts are forgotten.
  const forgotten = await some
    .where('worked_at', 'is', null)
    .where('since', '<', database.clock.now() - FORGOTTEN_MS)
    .where((row) =>
      row.not(
        row.exists((db) =>
          db
            .selectFrom('deliveries')
            .select('id')
            .whereRef('deliveries.queue', '=', 'failing.queue')
            .where('state', '=', PENDING),
        ),
      ),
    )
    .execute();
  for (const { queue, notice_id: noticeId } of [...worked, ...forgotten]) {
    const recipients = database.read.selectFrom('notice_recipients').select(['person_id', 'notice_id']);
    const unread = recipients.where('notice_id', '=', noticeId).where('read_at', 'is', null);
    for (const row of await unread.execute()) await readNotice(notices, row.person_id, row.notice_id);
    await database.transaction((trx) => trx.deleteFrom('failing_endpoints').where('queue', '=', queue).execute());
  }
}
