import type { FastifyReply } from 'fastify';
import type { Inquiry } from '#shared/inquiry.ts';
import type { Inquiries } from '../inquiries.ts';

/** Proxies give up on a silent connection after half a minute or a minute; white space before JSON is nothing (RFC 8259, 2). */
const KEEP_ALIVE_MS = 15_000;

export type Waited = Inquiry;
export type Hold = {
  inquiryId: string;
  /** Who waits: a revoke of their credential ends the wait. */
  callerId?: string | undefined;
  status: number;
  /** What is known already; without it, it is read at once. */
  first?: Waited | undefined;
  read: () => Promise<Waited>;
  waitMs: number;
  /** The client closed before it had a reply. */
  onClosed?: () => Promise<void>;
  /** The wait ran out without a resolution; the reply is about to be written. */
  onTimeUp?: () => Promise<void>;
  /** The reply was written in full. */
  onWritten: (inquiry: Waited) => void;
};

/**
 * Holds a reply back until the inquiry is resolved, the wait is over or the hub stops, keeping the
 * connection alive with white space. Never resolves anything itself.
 */
export async function holdOpen({ waiters }: Inquiries, reply: FastifyReply, hold: Hold): Promise<FastifyReply> {
  const closed = new AbortController();
  const { raw } = reply;
  const onClose = (): void => {
    if (!raw.writableFinished) closed.abort();
  };
  raw.once('close', onClose);
  const drip = setInterval(() => keepAlive(reply, hold.status), KEEP_ALIVE_MS);
  try {
    const inquiry = await waiters.until(
      hold.inquiryId,
      hold.read,
      ({ resolution }) => resolution !== undefined,
      hold.waitMs,
      closed.signal,
      hold.first,
      hold.callerId,
    );
    if (closed.signal.aborted) {
      if (inquiry.resolution === undefined) await hold.onClosed?.();
      return reply.sent ? reply : reply.hijack();
    }
    if (inquiry.resolution === undefined) await hold.onTimeUp?.();
    raw.once('finish', () => hold.onWritten(inquiry));
    if (!reply.sent) return reply.code(hold.status).send(inquiry);
    raw.end(JSON.stringify(inquiry));
    return reply;
  } catch (error) {
    // The status is on the wire already: a cut connection is the only honest ending left.
    if (reply.sent) raw.destroy(error as Error);
    throw error;
  } finally {
    clearInterval(drip);
    raw.off('close', onClose);
  }
}

function keepAlive(reply: FastifyReply, status: number): void {
  if (!reply.sent) {
    reply.hijack();
    reply.raw.writeHead(status, {
      ...(reply.getHeaders() as Record<string, string>),
      'content-type': 'application/json; charset=utf-8',
    });
  }
  reply.raw.write(' ');
}
