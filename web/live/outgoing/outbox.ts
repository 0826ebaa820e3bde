import type { AnswerBody, AnswerReply } from '#shared/answer.ts';
import type { Inquiry } from '#shared/inquiry.ts';
import type { Problem } from '#shared/problem.ts';
import { isAnswer } from '../stored.ts';

/** An answer that has left the person and not yet been replied to. */
export type Queued = {
  inquiryId: string;
  answerId: string;
  at: string;
  body: AnswerBody;
  /** Until then (ISO 8601, by this device's clock) it is held back and can be undone; absent once it may leave. */
  leavesAt?: string;
};
/** `hand`: it counts, and others have to approve too; so it stands now. */
export type Outcome = { reply: AnswerReply } | { hand: Inquiry } | { problem: Problem };

/** `send` resolves with `unsent` when the same answer should be tried again later. */
export type OutboxParts = {
  send(queued: Queued): Promise<Outcome | 'unsent'>;
  keep(answerId: string, queued: Queued | undefined): Promise<void>;
  changed(waiting: readonly Queued[], underWay: ReadonlySet<string>): void;
  decided(queued: Queued, outcome: Outcome): void;
  /** True for an answer that was taken back, on another page of this device too. */
  isUndone(answerId: string): boolean;
  /** True while the page is hidden or closed: what it does later may never happen. */
  isLeaving(): boolean;
};

/**
 * Keeps every answer until the hub has decided about it. An answer is kept before it is first sent, and
 * sent again with the same `answerId`, to which the hub gives its first reply again (RES2).
 */
export function openOutbox(parts: OutboxParts) {
  let waiting: Queued[] = [];
  const underWay = new Set<string>();
  let flushing: Promise<void> | undefined;

  const tell = () => parts.changed(waiting, underWay);

  const remove = async ({ answerId }: Queued) => {
    waiting = waiting.filter((queued) => queued.answerId !== answerId);
    await parts.keep(answerId, undefined);
  };

  const attempt = async (queued: Queued): Promise<Outcome | 'unsent'> => {
    if (parts.isUndone(queued.answerId)) {
      await remove(queued).then(tell);
      return 'unsent';
    }
    underWay.add(queued.answerId);
    tell();
    // A reply that cannot be read is none.
    const outcome = await parts.send(queued).catch(() => 'unsent' as const);
    underWay.delete(queued.answerId);
    // Another run may have brought the reply first, or the person took the answer back.
    const wanted = waiting.some(({ answerId }) => answerId === queued.answerId);
    if (outcome !== 'unsent' && wanted) {
      await remove(queued);
      parts.decided(queued, outcome);
    }
    tell();
    return outcome;
  };

  const sendAll = async () => {
    for (const queued of waiting) {
      if (!waiting.includes(queued) || queued.leavesAt !== undefined) continue;
      if ((await attempt(queued)) === 'unsent' && waiting.includes(queued)) return;
    }
  };

  return {
    /** Takes over what an earlier visit left behind; one with `leavesAt` goes on being held back. */
    restore(left: Queued[]): void {
      waiting = merged(left, waiting);
      tell();
    },
    /** Keeps the answer, tries to send it, and tells what came of it; one with `leavesAt` is only kept. */
    async add(queued: Queued): Promise<Outcome | 'queued' | 'held'> {
      waiting = [...waiting, queued];
      const keeping = parts.keep(queued.answerId, queued);
      if (queued.leavesAt !== undefined) {
        tell();
        await keeping;
        return 'held';
      }
      if (!parts.isLeaving()) await keeping;
      const outcome = await attempt(queued);
      return outcome === 'unsent' ? 'queued' : outcome;
    },
    /** Sends what waits, oldest first, until one cannot be sent; calls at the same time share one run. */
    flush(): Promise<void> {
      flushing ??= sendAll().finally(() => (flushing = undefined));
      return flushing;
    },
    /** Sends what is held back, all of it or what has this answer's or inquiry's id; each is on its way before this returns. */
    release(id?: string): Promise<unknown> {
      const free = freed(waiting, id);
      waiting = waiting.map((queued) => free.get(queued.answerId) ?? queued);
      return Promise.all(
        [...free.values()].flatMap((queued) => [attempt(queued), parts.keep(queued.answerId, queued)]),
      );
    },
    /** Empties the copy in memory. */
    forget(): void {
      waiting = [];
      tell();
    },
    /** Forgets an answer that has not been sent; the person thought better of it. */
    async takeBack(inquiryId: string): Promise<void> {
      for (const queued of waiting.filter((one) => one.inquiryId === inquiryId)) await remove(queued);
      tell();
    },
  };
}

function merged(left: readonly Queued[], waiting: readonly Queued[]): Queued[] {
  const known = new Set(waiting.map(({ answerId }) => answerId));
  return [
    ...left.filter(({ answerId }) => !known.has(answerId)).toSorted((a, b) => (a.at < b.at ? -1 : 1)),
    ...waiting,
  ];
}

/** What is held back of these, all or what has this answer's or inquiry's id, as it may leave. */
function freed(waiting: readonly Queued[], id: string | undefined): ReadonlyMap<string, Queued> {
  const heldBack = waiting.filter(
    (one) => one.leavesAt !== undefined && (id === undefined || id === one.inquiryId || id === one.answerId),
  );
  return new Map(heldBack.map(({ leavesAt: _over, ...queued }) => [queued.answerId, queued]));
}

/** True for an answer that was kept under this id and is as it was: what the disk has damaged may be anything. */
export function isWhole([id, one]: [answerId: string, queued: Queued]): boolean {
  return (
    one?.body?.answerId === id &&
    one.answerId === id &&
    typeof one.inquiryId === 'string' &&
    typeof one.at === 'string' &&
    isAnswer(one.body)
  );
}
