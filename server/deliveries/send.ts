import { Webhook } from 'standardwebhooks';
import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/database.ts';
import type { Log } from '../platform/log.ts';
import type { Post, Sent } from '../platform/outbound/post.ts';
import { release, type Claimed } from './claim.ts';
import { SOURCE_REVOKED } from './schedule.ts';
import { settle, type Settled } from './settle.ts';

export type Sending = {
  database: Database;
  log: Log;
  post: Post;
  clock: Clock;
  /** 0..1, for the jitter. */
  chance: () => number;
  counted: (outcome: Settled) => void;
  /** No further request is begun. */
  stopping: AbortSignal;
  /** The request under way is abandoned. */
  abandon: AbortSignal;
};

const TIMEOUT_MS = 10_000;
const MARGIN_MS = 5_000;

/** Sends the rows of one lane in order, recording each; gives back what its lease or the stop leaves no time for. */
export async function sendLane(sending: Sending, { lane, until, rows }: Claimed): Promise<void> {
  const { database, clock, log } = sending;
  const giveBack = (from: number): Promise<void> =>
    release(
      database,
      rows.slice(from).map(({ id }) => id),
      until,
    );
  for (const [index, row] of rows.entries()) {
    const at = clock.now();
    if (sending.stopping.aborted || until - at < TIMEOUT_MS + MARGIN_MS) return giveBack(index);
    const sent = await send(sending, row, at).catch((error: unknown): Sent => {
      log.error({ err: error, delivery: row.id }, 'a webhook could not be sent');
      return { error: 'internal error' };
    });
    if (sent.error === 'stopped') return giveBack(index);
    const settled = await settle(database, {
      row,
      lane,
      until,
      sent,
      at,
      ms: clock.now() - at,
      chance: sending.chance(),
    });
    sending.counted(settled);
    if (settled === 'failed') log.warn({ delivery: row.id, ...sent }, 'a webhook was given up');
    if (sent.error === 'timeout') return giveBack(index + 1);
  }
}

/** One request, signed for this moment as Standard Webhooks 1.0 says; the id stays the same for every attempt. */
async function send({ database, post, abandon }: Sending, row: Claimed['rows'][number], at: number): Promise<Sent> {
  const source = await database.read
    .selectFrom('sources')
    .select(['webhook_secret', 'revoked_at'])
    .where('id', '=', row.source_id)
    .executeTakeFirstOrThrow();
  if (source.revoked_at !== null) return { error: SOURCE_REVOKED };
  const headers = {
    'content-type': 'application/json',
    'user-agent': 'beckon',
    'webhook-id': row.id,
    'webhook-timestamp': String(Math.floor(at / 1000)),
    'webhook-signature': new Webhook(source.webhook_secret).sign(row.id, new Date(at), row.body),
  };
  return post({
    url: row.url,
    headers,
    body: row.body,
    trust: row.typed_by_owner === 1 ? 'owner' : 'stranger',
    timeoutMs: TIMEOUT_MS,
    signal: abandon,
  });
}
