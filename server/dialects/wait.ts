import { setTimeout as pause } from 'node:timers/promises';
import type { Inquiry } from '#shared/inquiry.ts';
import { AppError } from '#shared/problem.ts';
import { collectOnce, collectWith } from '../inquiries/collected.ts';
import type { Inquiries, Closing } from '../inquiries/inquiries.ts';
import { renewLease } from '../inquiries/lease.ts';
import { readForSource } from '../inquiries/read.ts';
import { waitForResolution } from '../inquiries/hold.ts';
import type { Wait } from '../inquiries/waiters.ts';
import { isAway } from '../platform/database.ts';
import type { Opened } from './open.ts';

type Waiting = Pick<Wait, 'by' | 'ms' | 'signal' | 'cancelled'> & { sourceId: string };
type Ended = 'resolved' | 'gone' | 'stopping' | 'later';

/** Waits until every inquiry of an ask is resolved; where one of its waits fails, the others end as a lost client's. */
export async function waitForAll(
  inquiries: Closing,
  { inquiryIds, read }: Omit<Opened, 'id'>,
  { sourceId, signal, ...waiting }: Waiting,
): Promise<{ ended: Ended; inquiries: Inquiry[] }> {
  // One for all of them: `AbortSignal.any` for each leaves the garbage collector more to do than the rest of an ask.
  const over = new AbortController();
  if (signal.aborted) over.abort();
  signal.addEventListener('abort', () => over.abort());
  const waits = inquiryIds.map((inquiryId, at) =>
    waitForResolution(inquiries, {
      inquiryId,
      read: () => readForSource(inquiries, inquiryId, sourceId),
      first: read[at],
      callerId: sourceId,
      signal: over.signal,
      ...waiting,
    }),
  );
  const all = await Promise.all(waits).catch(async (error: unknown) => {
    over.abort();
    // As they end they shorten their leases, so the caller's own lease has to come after that.
    await Promise.allSettled(waits);
    throw error;
  });
  const ended = ENDS.find((end) => all.some((one) => one.ended === end)) ?? 'resolved';
  return { ended, inquiries: all.map(({ inquiry }) => inquiry) };
}

const ENDS: Ended[] = ['gone', 'stopping', 'later'];

/** A hub that stops ends its waits; the client asks again. */
export const stopping = () =>
  new AppError(503, 'hub.stopping', 'The hub is stopping; send the same call again and it finds its question.');

/** So long the question of a hook stays open for a hub that stops: the hook was told that nobody decided. */
const LEFT_MS = 60_000;
const AWAY_MS = 500;

export type Asking = {
  inquiries: Inquiries;
  sourceId: string;
  /** So long it waits. */
  ms: number;
  signal: AbortSignal;
  /** Asks once more: what was asked before is used up. */
  again: () => Promise<Opened>;
  /** The caller has a key, so that the reply is the same however often it is read (ASK2). */
  keyed: boolean;
  /** The caller takes an error for an end and does not come back. */
  givesUp: boolean;
  /** What it means that the caller is gone, where it takes its question back by that. */
  left?: string | undefined;
  reply: Parameters<typeof collectWith>[1];
};

/** Waits for an ask and uses its resolutions up, each once; undefined where its client is gone, "later" where the time is up. */
export async function resolvedOnce(asking: Asking, first: Opened): Promise<Inquiry[] | 'later' | undefined> {
  const { inquiries, sourceId, ms, signal, again, keyed, givesUp, left, reply } = asking;
  const stops = (): boolean => inquiries.waiters.stopping();
  const ends = (): boolean => signal.aborted || stops();
  for (let opened = first; ; opened = await throughOutage(again, ends)) {
    const { inquiryIds } = opened;
    const leave = () => Promise.all(inquiryIds.map((id) => renewLease(inquiries, id, LEFT_MS)));
    const cancelled = left === undefined || keyed ? {} : { cancelled: () => left };
    const waiting = { sourceId, by: 'asker', ms, signal, ...cancelled } as const;
    const waited = await waitForAll(inquiries, opened, waiting).catch(async (error: unknown) => {
      // The client may not come back: a short lease ends what nobody waits for.
      await throughOutage(leave, stops).catch(() => undefined);
      throw error;
    });
    if (waited.ended === 'gone') return undefined;
    if (waited.ended === 'later') return 'later';
    if (waited.ended !== 'resolved') {
      if (givesUp) await leave();
      throw stopping();
    }
    if (keyed) for (const inquiry of waited.inquiries) collectWith(inquiries, reply, inquiry);
    if (keyed || (await throughOutage(() => collectOnce(inquiries, ...inquiryIds), ends))) return waited.inquiries;
    if (signal.aborted) return undefined;
  }
}

/** Does it again for as long as the database is away and nothing `ends` that. */
async function throughOutage<T>(work: () => Promise<T>, ends: () => boolean): Promise<T> {
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (!isAway(error) || ends()) throw error;
      await pause(AWAY_MS);
    }
  }
}
