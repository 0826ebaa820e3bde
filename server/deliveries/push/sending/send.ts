import type { Clock } from '../../../platform/clock.ts';
import type { Database } from '../../../platform/database.ts';
import type { Log } from '../../../platform/log.ts';
import type { Post, Sent } from '../../../platform/outbound/post.ts';
import type { Compose } from '../compose.ts';
import { requestOf, TIMEOUT_MS, type Envelope } from '../protocol/request.ts';
import { releaseDevice, type Lane } from './claim.ts';
import type { Verdict } from './schedule.ts';
import { leaveUnsent, settle } from './settle.ts';
import { takeNext, type Taken } from './take.ts';

export type Sending = {
  database: Database;
  log: Log;
  post: Post;
  clock: Clock;
  /** 0..1, for the jitter. */
  chance: () => number;
  compose: Compose;
  envelope: Envelope;
  counted: (verdict: Verdict) => void;
  /** No further request is begun. */
  stopping: AbortSignal;
  /** The request under way is abandoned. */
  abandon: AbortSignal;
};

const MARGIN_MS = 5_000;

/** Sends what one device is owed, one request at a time, until nothing is due or its lease has no time for another. */
export async function sendLane(sending: Sending, lane: Lane): Promise<void> {
  const { database, clock, log } = sending;
  for (;;) {
    if (sending.stopping.aborted || lane.until - clock.now() < TIMEOUT_MS + MARGIN_MS) {
      return releaseDevice(database, lane);
    }
    const taken = await takeNext(database, lane, clock.now());
    if (taken === undefined) return;
    const message = await sending.compose(database.read, {
      subjectId: taken.subjectId,
      wanted: taken.wanted,
      device: { id: lane.deviceId, personId: lane.personId },
      now: clock.now(),
    });
    if (message === undefined) {
      await leaveUnsent(database, lane, taken);
      continue;
    }
    const began = clock.now();
    const sent = await send(sending, lane, taken, message);
    const verdict = await settle(database, log, {
      lane,
      taken,
      sent,
      ms: clock.now() - began,
      chance: sending.chance(),
    });
    sending.counted(verdict);
    if (verdict === 'gone') return;
  }
}

async function send(
  { post, envelope, abandon, clock }: Sending,
  lane: Lane,
  taken: Taken,
  message: Parameters<typeof requestOf>[1]['message'],
): Promise<Sent> {
  const ttlMs = taken.giveUpAt - clock.now();
  const request = await requestOf(envelope, { to: lane, message, topic: taken.subjectId, ttlMs });
  return post({ ...request, signal: abandon });
}
