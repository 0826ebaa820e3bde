import type { ServerResponse } from 'node:http';
import type { ReplyStream } from './reply-stream.ts';

/** Where a call comes from: its gate, if it goes through one, its source and, before 2026-07-28, the session of its client. */
export type Origin = { gate?: string; sourceId: string; sessionId?: string | undefined };

/** What goes on over all connections of a call. */
export type Clock = {
  /** When the client sent its request, by `performance.now()`. */
  begunAt: number;
  signs: { count: number };
};

/** A call that waits here, or whose reply its client may still come back for. */
export type CallHere = {
  origin: Origin;
  requestId: string | number;
  /** Takes it back; absent once it is decided. */
  cancel?: ((reason: string) => void) | undefined;
  /** Where its client comes back to it. */
  connection?: { streamId: string | undefined; replyStream: ReplyStream } & Clock;
  ended?: Promise<void>;
};
export type Calls = ReturnType<typeof createCalls>;

/** The calls of this node that may be taken back or come back for. */
export function createCalls() {
  const calls = new Set<CallHere>();
  const from = (origin: Origin) => [...calls].filter((call) => sameOrigin(call.origin, origin));
  const find = (origin: Origin, streamId: string) =>
    from(origin).findLast(({ connection }) => connection?.streamId === streamId);
  const add = (call: CallHere): (() => void) => {
    calls.add(call);
    return () => void calls.delete(call);
  };
  return {
    /** The call whose client comes back for this stream. */
    find,
    /** Those of this id that can still be taken back. */
    named: (origin: Origin, requestId: string | number) =>
      from(origin).filter((call) => call.requestId === requestId && call.cancel !== undefined),
    /** Takes back every call of a session: its client ended it. */
    endSession(origin: Origin, reason = 'Its session ended.'): void {
      for (const { cancel } of from(origin)) cancel?.(reason);
    },
    /** Runs a call, which is known here until `keptMs` after its end where its client may come back for it. */
    async run(call: CallHere, keptMs: number, work: () => Promise<void>): Promise<void> {
      const forget = add(call);
      const running = work();
      call.ended = running.catch(() => {});
      await running.finally(() => {
        if (call.connection?.streamId === undefined) forget();
        else setTimeout(forget, keptMs).unref();
      });
    },
    /**
     * Goes on with the stream of a call on another connection: with what was kept of it, or, where nothing was, by
     * `again`, which makes the same call anew and tells whether it could.
     */
    async resume(
      origin: Origin,
      connection: NonNullable<CallHere['connection']> & { streamId: string },
      raw: ServerResponse,
      again: (before: Clock | undefined) => Promise<boolean>,
    ): Promise<boolean> {
      const { streamId } = connection;
      const { connection: before, ended } = find(origin, streamId) ?? {};
      if (before?.replyStream.resume(raw)) return true;
      before?.replyStream.break();
      // The next connection waits for this one, as this one waits for the call before.
      const { promise, resolve } = Promise.withResolvers<void>();
      const forget = add({ origin, requestId: streamId, connection, ended: promise });
      try {
        await ended;
        // Decided in the very moment of the break: by now the rest is kept.
        return before?.replyStream.resume(raw) || (await again(before));
      } finally {
        forget();
        resolve();
      }
    },
  };
}

function sameOrigin(one: Origin, other: Origin): boolean {
  return one.gate === other.gate && one.sourceId === other.sourceId && one.sessionId === other.sessionId;
}
