import { idPattern } from '#shared/ids.ts';
import { AppError } from '#shared/problem.ts';
import { ask } from '../../inquiries/ask.ts';
import type { Inquiries } from '../../inquiries/inquiries.ts';
import { readForSource } from '../../inquiries/read.ts';
import { waitForResolution } from '../../inquiries/wait.ts';
import { withdrawIfOpen } from '../../inquiries/withdraw.ts';
import type { Log } from '../../platform/log.ts';
import type { Ear, Listen } from './relay.ts';
import type { Called } from '../store.ts';
import { createTap, type Said } from './tap.ts';
import { unpack } from './unpack.ts';

/** So many questions one stream, and one connection, may have open. */
const OPEN_LIMIT = 20;
/** So many inquiries of one stream are told its owner. */
const SHOWN_LIMIT = 50;
/** So much of what a stream says may wait for the database. */
const WAITING_LIMIT = 100;
/** The lease of a question: its node renews it as that of every call that waits as long as people take. */
const HELD_MS = 120_000;
/** A stream that broke may come back for its questions; then nobody is to answer into the void. */
export const BROKEN_MS = 60_000;

const OVER = 'the conversation it was asked in has ended';
const ANSWERED = 'it was answered on the platform';
const CALL_ENDED = 'the tool call that asked it has ended';

type Hub = { inquiries: Inquiries; log: Log };

/**
 * Asks people what platforms ask in their streams. A question is one inquiry, whichever streams show it, and waits
 * as long as one of them: it is withdrawn when they are whole, when the platform says that it was answered there, and a
 * minute after the last one broke. An inquiry of this hub itself is neither asked twice nor withdrawn.
 */
export function listenForQuestions(hub: Hub): Listen {
  return (called, encoding): Ear | undefined => {
    const stream = openStream(hub, called);
    const tap = createTap();
    const over = Promise.withResolvers<string[]>();
    const unpacked = unpack(encoding, {
      hear: (bytes) => stream.take(tap.push(bytes)),
      over: () => {
        stream.take(tap.end());
        over.resolve(stream.end());
      },
    });
    if (!unpacked) hub.log.warn({ connection: called.sourceId, encoding }, 'a stream is packed in an unknown way');
    if (!unpacked) return undefined;
    const end = (): Promise<string[]> => {
      unpacked.end();
      return over.promise;
    };
    return { hear: unpacked.push, end };
  };
}

function openStream({ inquiries, log }: Hub, called: Called) {
  const { sourceId } = called;
  const gone = new AbortController();
  /** What waits, with the names of the calls that ask it. */
  const open = new Map<string, string[]>();
  const shown = new Set<string>();
  let whole = false;
  let waiting = 0;
  let last = Promise.resolve();

  // One after the other, as it was said.
  function next(work: () => Promise<void> | void): void {
    waiting++;
    last = last
      .then(work)
      .catch((error: unknown) => {
        const refused = error instanceof AppError && error.status < 500;
        const told = refused ? { reason: error.message } : { err: error };
        log.warn({ connection: sourceId, ...told }, 'what a platform asked could not be passed on');
      })
      .finally(() => waiting--);
  }

  async function hear(said: Said): Promise<void> {
    if (said.type === 'done') {
      whole = true;
      return gone.abort();
    }
    if (said.type === 'ended') return withdraw(inquiries, sourceId, said.inquiryId, ANSWERED);
    if (said.type === 'call_ended') {
      const [[key] = [], ...others] = [...open].filter(([, calls]) => calls.includes(said.call));
      // Two servers of a platform may number their calls alike: then it is not known whose has ended.
      return key === undefined || others.length > 0 ? undefined : withdraw(inquiries, sourceId, key, CALL_ENDED);
    }
    if (open.has(said.inquiryId) || gone.signal.aborted) return;
    if (await livesHere(inquiries, said.inquiryId)) return show(said.inquiryId);
    if (!called.answers) return;
    if (open.size >= OPEN_LIMIT) return log.warn({ connection: sourceId }, 'a stream has too many questions open');
    open.set(said.inquiryId, said.calls ?? []);
    try {
      const opened = await openInquiry(inquiries, called, said);
      show(opened.inquiryId);
      wait(opened);
    } catch (error) {
      open.delete(said.inquiryId);
      throw error;
    }
  }

  function show(inquiryId: string): void {
    if (shown.size < SHOWN_LIMIT) shown.add(inquiryId);
  }

  function wait({ inquiryId, key }: { inquiryId: string; key: string }): void {
    const read = () => readForSource(inquiries, inquiryId, sourceId);
    const cancelled = () => (whole ? OVER : undefined);
    const { signal } = gone;
    const call = { inquiryId, read, callerId: sourceId, by: 'asker', ms: Infinity, signal, cancelled } as const;
    void waitForResolution(inquiries, { ...call, graceMs: BROKEN_MS })
      // Its lease runs out by itself.
      .catch((error: unknown) => log.warn({ err: error, inquiry: inquiryId }, 'a question is not waited for any more'))
      .finally(() => open.delete(key));
  }

  return {
    take(some: Said[]): void {
      for (const said of some) {
        if (said.type !== 'done' && waiting >= WAITING_LIMIT) continue;
        next(() => hear(said));
      }
    },
    /** Resolves with the inquiries that the stream showed, once all it said was heard. */
    end(): Promise<string[]> {
      next(() => gone.abort());
      return last.then(() => [...shown]);
    },
  };
}

async function openInquiry(
  inquiries: Inquiries,
  { sourceId, to, deadline }: Called,
  { inquiryId: key, question: prompt, agent, runId }: Extract<Said, { type: 'asked' }>,
): Promise<{ inquiryId: string; key: string }> {
  const context = { ...(agent === undefined ? {} : { agent }), ...(runId === undefined ? {} : { runId }) };
  const { inquiryId } = await ask(
    { ...inquiries, openLimit: Math.min(OPEN_LIMIT, inquiries.openLimit) },
    { sourceId, ask: { prompt, to, deadline, key, context }, waitMs: HELD_MS, held: true },
  );
  return { inquiryId, key };
}

async function withdraw(inquiries: Inquiries, sourceId: string, key: string, reason: string): Promise<void> {
  const row = await inquiries.database.read
    .selectFrom('inquiries')
    .select('id')
    .where('source_id', '=', sourceId)
    .where('key', '=', key)
    .where('resolution', 'is', null)
    .executeTakeFirst();
  if (row) await withdrawIfOpen(inquiries, sourceId, row.id, reason);
}

/** Whether a platform shows an inquiry of this hub, asked through its own door. */
async function livesHere({ database }: Inquiries, id: string): Promise<boolean> {
  if (!idPattern('inq').test(id)) return false;
  const row = await database.read.selectFrom('inquiries').select('id').where('id', '=', id).executeTakeFirst();
  return row !== undefined;
}

/** After a start: what streams asked that were cut with the hub stays open for as long as after any cut. */
export async function keepCut({ database }: Pick<Inquiries, 'database'>): Promise<void> {
  await database.transaction(async (trx) => {
    const until = database.clock.now() + BROKEN_MS;
    await trx
      .updateTable('inquiries')
      .set({ lease_until: until })
      .where('resolution', 'is', null)
      .where('lease_until', '<', until)
      .where('source_id', 'in', (eb) =>
        eb.selectFrom('connections').select('source_id').where('kind', '=', 'chatcompletions'),
      )
      .execute();
  });
}
