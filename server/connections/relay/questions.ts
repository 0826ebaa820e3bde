import { idPattern } from '#shared/ids.ts';
import { AppError } from '#shared/problem.ts';
import { ask } from '../../inquiries/ask.ts';
import type { Inquiries, Store, Closing } from '../../inquiries/inquiries.ts';
import { WAITING_MS } from '../../inquiries/lease.ts';
import { readForSource } from '../../inquiries/read.ts';
import { waitForResolution } from '../../inquiries/hold.ts';
import { withdrawIfOpen } from '../../inquiries/withdraw.ts';
import { PerMinute } from '../../platform/http/rate-limits.ts';
import type { Log } from '../../platform/log.ts';
import type { StreamListener, Listen } from './relay.ts';
import { calledNow, type Called } from '../store.ts';
import { createChatParser, type ChatEvent } from './chat-parser.ts';
import { unpack } from './unpack.ts';

/** So many questions one stream, and one connection, may have open. */
const OPEN_LIMIT = 20;
/** So many questions one connection may ask on this node, whether or not it takes them back. */
const ASKED_A_MINUTE = 60;
/** So many questions of one stream are known again when it repeats them. */
const HEARD_LIMIT = 200;
/** So often one stream may be complained about in the log. */
const COMPLAINTS = 10;
/** So many inquiries of one stream are told its owner. */
const SHOWN_LIMIT = 50;
/** So much of what a stream says may wait for the database. */
const WAITING_LIMIT = 100;
/** A stream that broke may come back for its questions: an answer still counts for so long, though devices have closed them. */
export const BROKEN_MS = 60_000;

const OVER = 'the conversation it was asked in has ended';
const ANSWERED = 'it was answered on the platform';
const CALL_ENDED = 'the tool call that asked it has ended';

type Parts = { inquiries: Inquiries; log: Log };

/**
 * Asks people what platforms ask in their streams. A question is one inquiry, whichever streams show it, and waits
 * as long as one of them: it is withdrawn when those of this node are whole, when the platform says that it was answered there, and a
 * minute after the last one broke. An inquiry of this hub itself is neither asked twice nor withdrawn.
 */
export function listenForQuestions(parts: Parts): Listen {
  const asked = new PerMinute();
  return (called, encoding): StreamListener | undefined => {
    const parser = createChatParser();
    // Most streams ask nothing.
    let stream: ReturnType<typeof openStream> | undefined;
    const take = (said: ChatEvent[]): void => {
      if (said.length > 0) (stream ??= openStream({ ...parts, asked }, called)).take(said);
    };
    const over = Promise.withResolvers<string[]>();
    const unpacked = unpack(encoding, {
      hear: (bytes) => take(parser.push(bytes)),
      over: () => {
        take(parser.end());
        over.resolve(stream?.end() ?? []);
      },
    });
    if (!unpacked) parts.log.warn({ connection: called.sourceId, encoding }, 'a stream is packed in an unknown way');
    if (!unpacked) return undefined;
    const end = (): Promise<string[]> => {
      unpacked.end();
      return over.promise;
    };
    return { hear: unpacked.push, end };
  };
}

function openStream({ inquiries, log, asked }: Parts & { asked: PerMinute }, { sourceId }: Called) {
  const gone = new AbortController();
  /** What waits, with the tool call that asks it. */
  const open = new Map<string, string | undefined>();
  /** What it has asked: a platform may repeat that in each of its frames. */
  const heard = first(HEARD_LIMIT);
  const shown = first(SHOWN_LIMIT);
  const complain = complaints(log, sourceId);
  const turns = inTurn((error) => complain(error, 'what a platform asked could not be passed on'));
  const gate = admission({ open, heard, isFull: () => turns.waiting() >= WAITING_LIMIT });
  let whole = false;

  async function hear(said: ChatEvent): Promise<void> {
    if (said.type === 'done') {
      whole = true;
      return gone.abort();
    }
    if (said.type === 'ended') return withdraw(inquiries, sourceId, said.inquiryId, ANSWERED);
    if (said.type === 'call_ended') {
      const key = askedByCall(open, said.call);
      return key === undefined ? undefined : withdraw(inquiries, sourceId, key, CALL_ENDED);
    }
    if (gone.signal.aborted) return;
    if (await livesHere(inquiries, said.inquiryId)) {
      heard.add(said.inquiryId);
      return shown.add(said.inquiryId);
    }
    // As it is now: the stream may have been opened hours ago.
    const called = await calledNow(inquiries.database, sourceId);
    if (!called?.answers) return;
    if (open.size >= OPEN_LIMIT || asked.add(sourceId) > ASKED_A_MINUTE)
      return complain(undefined, 'a stream asks too much');
    open.set(said.inquiryId, said.call);
    heard.add(said.inquiryId);
    try {
      const opened = await openInquiry(inquiries, called, said);
      shown.add(opened.inquiryId);
      wait(opened);
    } catch (error) {
      open.delete(said.inquiryId);
      heard.delete(said.inquiryId);
      throw error;
    }
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
    take(some: ChatEvent[]): void {
      for (const said of some) {
        if (gate.admits(said)) void turns.next(() => hear(said).finally(() => gate.left(said)));
      }
    },
    /** Resolves with the inquiries that the stream showed, once all it said was heard. */
    end(): Promise<string[]> {
      return turns.next(() => gone.abort()).then(shown.all);
    },
  };
}

/** Writes the first faults of a stream, which may never end, into the log. */
function complaints(log: Log, connection: string) {
  let count = 0;
  return (error: unknown, words: string): void => {
    if (count++ >= COMPLAINTS) return;
    const refused = error instanceof AppError && error.status < 500;
    log.warn({ connection, ...(refused ? { reason: error.message } : { err: error }) }, words);
  };
}

type Known = { open: Map<string, string | undefined>; heard: { has(id: string): boolean }; isFull(): boolean };

/** Which parts of what a stream says get a turn: no repeats, and in a burst nothing new but the ends of its own questions. */
function admission({ open, heard, isFull }: Known) {
  /** What has no turn yet: questions with their tool calls, and ends by name. */
  const asking = new Map<string, string | undefined>();
  const ending = new Set<string>();
  return {
    admits(said: ChatEvent): boolean {
      if (said.type === 'done') return true;
      if (said.type === 'asked') {
        const { inquiryId: id, call } = said;
        if (isFull() || heard.has(id) || open.has(id) || asking.has(id)) return false;
        asking.set(id, call);
        return true;
      }
      const isOwn =
        said.type === 'ended'
          ? open.has(said.inquiryId) || asking.has(said.inquiryId)
          : [...open.values(), ...asking.values()].includes(said.call);
      if (ending.has(eventName(said)) || (isFull() && !isOwn)) return false;
      ending.add(eventName(said));
      return true;
    },
    left(said: ChatEvent): void {
      if (said.type === 'asked') asking.delete(said.inquiryId);
      else ending.delete(eventName(said));
    },
  };
}

function eventName(said: ChatEvent): string {
  return `${said.type} ${said.type === 'ended' ? said.inquiryId : said.type === 'call_ended' ? said.call : ''}`;
}

/** Runs one work after the other, as it was said; what fails holds up nothing. */
function inTurn(failed: (error: unknown) => void) {
  let waiting = 0;
  let last = Promise.resolve();
  return {
    waiting: (): number => waiting,
    next(work: () => Promise<void> | void): Promise<void> {
      waiting++;
      last = last
        .then(work)
        .catch(failed)
        .finally(() => waiting--);
      return last;
    },
  };
}

/** Texts of which only the first so many are kept. */
function first(limit: number) {
  const texts = new Set<string>();
  return {
    add: (text: string): void => void (texts.size < limit && texts.add(text)),
    has: (text: string): boolean => texts.has(text),
    delete: (text: string): boolean => texts.delete(text),
    all: (): string[] => [...texts],
  };
}

/** The question that this call asks; undefined where several name it, since two agents may number theirs alike. */
function askedByCall(open: Map<string, string | undefined>, call: string): string | undefined {
  const [[key] = [], ...others] = [...open].filter(([, one]) => one === call);
  return others.length > 0 ? undefined : key;
}

async function openInquiry(
  inquiries: Inquiries,
  { sourceId, to, deadline }: Called,
  { inquiryId: key, question: prompt, agent, runId }: Extract<ChatEvent, { type: 'asked' }>,
): Promise<{ inquiryId: string; key: string }> {
  const context = { ...(agent === undefined ? {} : { agent }), ...(runId === undefined ? {} : { runId }) };
  const { inquiryId } = await ask(
    { ...inquiries, openLimit: Math.min(OPEN_LIMIT, inquiries.openLimit) },
    { sourceId, ask: { prompt, to, deadline, key, context }, waitMs: WAITING_MS, leased: true },
  );
  return { inquiryId, key };
}

async function withdraw(inquiries: Closing, sourceId: string, key: string, reason: string): Promise<void> {
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
async function livesHere({ database }: Store, id: string): Promise<boolean> {
  if (!idPattern('inq').test(id)) return false;
  const row = await database.read.selectFrom('inquiries').select('id').where('id', '=', id).executeTakeFirst();
  return row !== undefined;
}
