import type { FastifyReply } from 'fastify';
import { fault, invalid, parseOrRefuse } from '#shared/faults.ts';
import type { Inquiry } from '#shared/inquiry.ts';
import { withoutUndefined } from '#shared/json.ts';
import { AppError } from '#shared/problem.ts';
import { NewNotice } from '#shared/wire.ts';
import type { Inquiries } from '../inquiries/inquiries.ts';
import type { HeldCalls } from '../platform/held-calls.ts';
import type { Log } from '../platform/log.ts';
import { sendNotice, type Notices } from '../notices/send.ts';
import type { SourceCaller } from '../platform/http/access.ts';
import { replyLate } from '../platform/http/late-reply.ts';
import { applyPreference, type CallWait } from '../platform/http/wait.ts';
import { toRefusal } from '../platform/http/problems.ts';
import type { Dialect, Read } from './dialect.ts';
import { inPlaceOfReply } from './failing.ts';
import { nameKind, replyAtOnce } from './hook-reply.ts';
import { openAsk, writeReply, refuseTooMuch, identify } from './open.ts';
import type { AskQuery } from './query.ts';
import { parseBody, readBody, refuse, Unshowable } from './take.ts';
import { readForSource } from '../inquiries/read.ts';
import { validityHeader } from '../inquiries/validity.ts';
import { resolvedOnce, stopping } from './wait.ts';
import { withdrawAbout } from './withdraw.ts';

type Posted = {
  dialect: Dialect;
  source: SourceCaller;
  query: AskQuery;
  waits: CallWait;
  /** The caller's own, under which the same call gets the same reply. */
  key: unknown;
  text: string;
  signal: AbortSignal;
  reply: FastifyReply;
};
type Asks = Extract<Read, { asks: unknown }>;
type Accepted = { ask: string; inquiries: string[] };

/** A client that was lost may come back to its place among identical calls for as long as its question stays open. */
const LOST_MS = 2_000;

/** Does what a framework's body asks for, and replies in the framework's own form. */
export async function askPosted(hub: Dialects, posted: Posted): Promise<FastifyReply> {
  const { inquiries, notices, dialects } = hub;
  const { dialect, source, query, waits, text, reply } = posted;
  const { body, unshowable } = parseBody(text);
  const read = readBody(dialects, dialect, body, { ...query, host: reply.request.host });
  const passed = (body: unknown) => replyAtOnce(nameKind(reply, dialect, 'pass'), dialect, body);
  if ('pass' in read) return passed(read.pass);
  if ('withdraw' in read) {
    await withdrawAbout(inquiries, { dialect, sourceId: source.id, about: read.withdraw, reason: read.reason });
    return passed({});
  }
  if ('notice' in read) {
    if (unshowable) throw unshowable;
    const { to, urgency, privacy, title } = query;
    await sendNotice(
      notices,
      source.id,
      parseOrRefuse(
        NewNotice,
        withoutUndefined({ ...read.notice, to, urgency, privacy, ...withoutUndefined({ title }) }),
      ),
    );
    return passed({});
  }
  if (dialect.undecided && waits.ms !== Infinity)
    throw invalid([
      fault(
        '/wait',
        'ask.hook_waits',
        'must not stand here: a hook takes what replies before people have decided for a yes',
      ),
    ]);
  // Over HTTP/1.0 a reply ends with its connection: of a hub that dies, the client gets an empty reply that looks whole.
  if (waits.ms === Infinity && reply.request.raw.httpVersion === '1.0') throw needsHttp11();
  let replying: () => FastifyReply | Promise<FastifyReply>;
  try {
    if (unshowable) throw new Unshowable(unshowable.message);
    refuseTooMuch(read);
    replying = await openFor(hub, posted, dialect.undecided?.(body), read);
  } catch (error) {
    if (!(error instanceof Unshowable)) throw error;
    hub.log.warn(
      { dialect: dialect.name, source: source.name, reason: error.message },
      'an ask was refused: nobody can be shown it',
    );
    const now = inquiries.database.clock.now();
    nameKind(reply, dialect, 'undecided', error.message);
    return replyAtOnce(reply, dialect, refuse(dialect, read, { refused: error, source: source.name, now }));
  }
  // Whoever waits for days holds no memory for what was sent: that may be a whole conversation.
  reply.request.body = undefined;
  return replying();
}

/** Asks, and returns what replies; `undecided`: a hook's reply where that fails. */
async function openFor(
  hub: Dialects,
  posted: Posted,
  undecided: ReturnType<NonNullable<Dialect['undecided']>> | undefined,
  read: Asks,
): Promise<() => FastifyReply | Promise<FastifyReply>> {
  const { inquiries, held, log } = hub;
  const { dialect, source, query, waits, signal, reply } = posted;
  const key = keyOf(posted.key);
  if (signal.aborted) return () => reply.hijack();
  if (waits.ms > 0 && inquiries.waiters.stopping()) throw stopping();
  const call = { dialect, read, query, key, sourceId: source.id };
  const { kept, like } = identify(call);
  const place = waits.ms > 0 && key === undefined && like !== undefined ? held.begin({ like }) : undefined;
  const matchedBy = place && `${like} ${place.ordinal}`;
  const leave = (): void => place?.end(signal.aborted ? LOST_MS : 0);
  // At once, and not after its lease is released: whoever lost the connection may be back before that.
  signal.addEventListener('abort', leave, { once: true });
  const again = () => openAsk(inquiries, call, { kept, matchedBy });
  const opened = await reply.server.asks.run(source.id, again).catch((error: unknown) => {
    leave();
    throw error;
  });
  const { id, inquiryIds } = opened;
  const accepted = (): Accepted => {
    applyPreference(reply.code(202), waits, `/v1/asks/${id}`);
    return { ask: id, inquiries: inquiryIds };
  };
  if (waits.ms === 0) return () => reply.send(accepted());
  void reply.headers({ 'beckon-ask': id, 'beckon-inquiry': inquiryIds.join(',') });
  nameKind(reply, dialect, 'waiting');
  // What the same key asked before may be resolved; the headers of what waits go out before it is.
  if (key !== undefined && opened.read.length === 0) {
    const known = await Promise.all(inquiryIds.map((one) => readForSource(inquiries, one, source.id)));
    void reply.headers(validityHeader(known));
  }
  // A call that waits as long as people take has its status sent before it is known.
  const early = waits.ms === Infinity;
  // A rule may have decided: then the reply is there before its headers are, and they can say so.
  const atOnce = early && !(opened.read.length > 0 && opened.read.every(({ resolution }) => resolution));
  const answered = async (): Promise<unknown> => {
    const asking = {
      inquiries,
      sourceId: source.id,
      ms: waits.ms,
      signal,
      again,
      keyed: key !== undefined,
      givesUp: dialect.undecided !== undefined,
      left: dialect.left,
      reply: reply.raw,
    } as const;
    try {
      const resolved = await resolvedOnce(asking, opened);
      if (resolved === 'later') return accepted();
      applyPreference(reply, waits);
      if (resolved && !reply.sent) nameKind(reply, dialect, isDecided(resolved) ? 'decision' : 'undecided');
      return resolved && writeReply(dialect, kept, resolved, inquiries.database.clock.now());
    } catch (error) {
      if (!early) throw error;
      const refusal = toRefusal(error, log, `ask of ${dialect.name}`);
      if (!reply.sent) nameKind(reply, dialect, 'undecided', refusal.message);
      return inPlaceOfReply(dialect, refusal, undecided);
    } finally {
      leave();
    }
  };
  const lines = dialect.undecided !== undefined;
  return () => replyLate(reply, early ? 200 : undefined, answered(), { atOnce, lines });
}

function isDecided(resolved: Inquiry[]): boolean {
  return resolved.every(({ resolution }) => ['answered', 'declined'].includes(resolution?.outcome ?? ''));
}

function needsHttp11(): AppError {
  const detail = 'A call that waits needs HTTP/1.1. Behind nginx, set "proxy_http_version 1.1; proxy_buffering off;".';
  return new AppError(400, 'ask.needs_http_1_1', detail);
}

function keyOf(key: unknown): string | undefined {
  if (key === undefined) return undefined;
  if (typeof key === 'string' && /^[\x20-\x7e]{1,180}$/.test(key)) return key;
  throw invalid([fault('/Idempotency-Key', 'ask.key', 'must be 1 to 180 printable ASCII characters')]);
}

/** What asks through dialects need of the hub; `held`: the calls that wait on this node without a key. */
export type Dialects = { inquiries: Inquiries; notices: Notices; dialects: Dialect[]; held: HeldCalls; log: Log };
