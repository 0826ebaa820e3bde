import { hash } from 'node:crypto';
import { toFaults, invalid } from '#shared/faults.ts';
import { Ask, type Inquiry } from '#shared/inquiry.ts';
import { canonical, withoutUndefined, holdsTwice, parseExact } from '#shared/json.ts';
import { AppError, type Fault, toProblem } from '#shared/problem.ts';
import { newId } from '#shared/ids.ts';
import { usable } from '../inquiries/validity.ts';
import { refuseFaulty, type AskCommand, ask } from '../inquiries/ask.ts';
import { DIGEST_CHARACTERS } from '../inquiries/same.ts';
import { WAITING_MS } from '../inquiries/lease.ts';
import { BODY_LIMIT } from '../platform/http/http.ts';
import { MOST_FAULTS } from './body.ts';
import type { Dialect, Part, Read, Answered } from './dialect.ts';
import type { AskQuery } from './query.ts';
import { TooLong, Unshowable, findDialect } from './take.ts';
import type { ComposeReply, Inquiries, Store } from '../inquiries/inquiries.ts';
import { toAskId, askOfSource, toFirstId, type InquiryRow } from '../inquiries/store.ts';
import { toRefusal } from '../platform/http/problems.ts';
import type { Log } from '../platform/log.ts';
import { readInTurn } from '../platform/turns.ts';

/** More inquiries nobody reads. */
const MOST_INQUIRIES = 50;

type Asks = Extract<Read, { asks: unknown }>;
type Call = { dialect: Dialect; read: Asks; query: AskQuery; key: string | undefined; sourceId: string };
/** `like` is absent where nothing names this very call. */
export type Identity = { kept: string; like: string | undefined };

/** Throws `TooLong` where a body asks more than people can be shown, before anything is made of all of it. */
export function refuseTooMuch({ asks, keep }: Asks): void {
  if (asks.length > MOST_INQUIRIES) throw new TooLong('it asks more at once than a person can read.');
  for (const part of [keep, ...asks.map(({ ask }) => ask)])
    if (Buffer.byteLength(JSON.stringify(part)) > BODY_LIMIT)
      throw new TooLong('it is longer than a person can be shown (256 KiB).');
  const texts = asks
    .flatMap(({ ask }) => ask.actions ?? [])
    .flatMap(({ args }) => (typeof args === 'string' ? args : []));
  if (texts.some(repeatsMember)) throw new Unshowable('a member stands twice in one object of its arguments.');
}

/** Arguments that a model wrote as text, of which programs read one member or the other. */
function repeatsMember(text: string): boolean {
  try {
    return holdsTwice(text, JSON.parse(text));
  } catch {
    return false;
  }
}

/** What makes calls the same without a key (ASK5), and what is stored for the reply: which call it is, and what `write` needs. */
export function identify({ dialect, read, query, sourceId }: Omit<Call, 'key'>): Identity {
  const asked = read.asks.map(({ ask: { title, prompt, questions, document, actions, link } }) =>
    withoutUndefined({ title: query.title ?? title, prompt, questions, document, actions, link }),
  );
  const digest = sha256(canonical({ dialect: dialect.name, ids: read.ids, keep: read.keep, asked }));
  // Ids alone name nothing: many frameworks number their calls from 0 in each run.
  const like =
    read.within === undefined ? undefined : sha256(canonical([sourceId, digest, read.within, query.to ?? []]));
  return { kept: digest + JSON.stringify(read.keep), like };
}

/** The command that asks people what a body asks. Throws 422 with its faults at their places in the body. */
function toCommand(
  call: Call,
  { kept, matchedBy, ids, now }: { kept: string; matchedBy: string | undefined; ids: string[]; now: number },
): AskCommand {
  const { dialect, read, query, key, sourceId } = call;
  const several = read.asks.length > 1;
  const id = toAskId({ id: ids[0] ?? '', ask_id: null });
  const asks = read.asks.map((part, at): Ask => ({
    ...part.ask,
    ...(farOff(part.ask, now) ? { deadline: MOST_SECONDS } : {}),
    ...addressed(part.ask, query),
    ...(several ? { group: id } : {}),
    ...(key === undefined ? {} : { key: `ask ${at} ${key}` }),
  }));
  const parsed = asks.map((ask) => Ask.safeParse(ask));
  refuseFaulty(parsed.map(({ error }) => (error ? toFaults(error).slice(0, MOST_FAULTS) : [])));
  const [ask, ...others] = parsed.flatMap(({ data }) => data ?? []) as [Ask, ...Ask[]];
  const further = others.map((other, at) => ({ id: ids[at + 1] ?? '', ask: other }));
  const { name, label } = dialect;
  const about = read.about === undefined ? null : toAboutKey(dialect, read.about);
  const through = { id, dialect: { name, label }, kept, about, further };
  return { sourceId, ask, waitMs: query.wait === 0 ? 0 : WAITING_MS, ...withoutUndefined({ matchedBy }), through };
}

/** What a framework says of its own deadline is no mistake of the caller. */
const MOST_SECONDS = 30 * 86_400;

function farOff({ deadline }: Ask, now: number): boolean {
  return typeof deadline === 'string' && Date.parse(deadline) > now + MOST_SECONDS * 1000;
}

// What the address says wins, but for the agent that a body names: a rule for one decides no other one's call.
function addressed(
  ask: Ask,
  { to, deadline, validFor, urgency, privacy, title, agent, language, callback }: AskQuery,
): Partial<Ask> {
  const context = { ...withoutUndefined({ agent }), ...ask.context, ...withoutUndefined({ language }) };
  return {
    ...withoutUndefined({ to, deadline, validFor, urgency, privacy, title }),
    ...(Object.keys(context).length > 0 ? { context } : {}),
    ...(callback === undefined ? {} : { callback: { url: callback } }),
  };
}

/** What an inquiry is found by when its hook says that its call was decided elsewhere. */
export function toAboutKey({ name }: Dialect, { session, call }: { session: string; call?: unknown }): string {
  return `${sha256(JSON.stringify([name, session]))} ${call === undefined ? '' : sha256(canonical(call))}`;
}

/** A refusal with its faults at their places in what was sent: the body, or the address. */
function located(error: unknown, parts: Part[], query: AskQuery): unknown {
  if (!(error instanceof AppError) || error.faults === undefined || error.status !== 422) return error;
  const faults = error.faults.map((one) => ({ ...one, path: findPlace(one, parts, query) }));
  // What the address says is the same for each inquiry.
  const once = new Map(faults.map((one) => [`${one.path} ${one.code}`, one]));
  return invalid([...once.values()], error.code);
}

const ADDRESSED: [member: string, ours: string][] = [
  ['to', '/to'],
  ['deadline', '/deadline'],
  ['deadline', '/latest'],
  ['title', '/title'],
  ['agent', '/context/agent'],
  ['language', '/context/language'],
  ['callback', '/callback'],
];

function findPlace({ path }: Fault, parts: Part[], query: AskQuery): string {
  const [, at, within = ''] = /^\/further\/(\d+)(.*)$/s.exec(path) ?? [];
  const ours = at === undefined ? path : within;
  const begins = (prefix: string): boolean => ours === prefix || ours.startsWith(`${prefix}/`);
  const [member] = ADDRESSED.find(([name, prefix]) => name in query && begins(prefix)) ?? [];
  if (member !== undefined) return `/${member}`;
  const places = parts[at === undefined ? 0 : Number(at) + 1]?.places ?? [];
  const known = places.filter(([prefix]) => begins(prefix)).toSorted(([a], [b]) => b.length - a.length);
  const [prefix, theirs] = known[0] ?? [ours, ''];
  return theirs + ours.slice(prefix.length);
}

function sha256(text: string): string {
  return hash('sha256', text);
}

/** An ask whose inquiries are stored; `read`: those that this call opened, as its source reads them. */
export type Opened = { id: string; inquiryIds: string[]; read: Inquiry[] };

/** Asks people, or finds what the same call has asked them before (ASK2, ASK5). */
export async function openAsk(
  inquiries: Inquiries,
  call: Call,
  identity: { kept: string; matchedBy: string | undefined },
): Promise<Opened> {
  const { read, query, sourceId } = call;
  const now = inquiries.database.clock.now();
  const ids = read.asks.map(() => newId('inq', now));
  try {
    const asked = await ask(inquiries, toCommand(call, { ...identity, ids, now }));
    const opened = asked.inquiry ? [asked.inquiry, ...(asked.further ?? [])] : [];
    const id = toAskId({ id: asked.inquiryId, ask_id: null });
    if (asked.created) return { id, inquiryIds: opened.map((one) => one.id), read: opened };
    if (read.asks.length === 1) return { id, inquiryIds: [asked.inquiryId], read: [] };
    return { id, inquiryIds: (await readAskRows(inquiries, id, sourceId)).map((row) => row.id), read: [] };
  } catch (error) {
    throw located(error, read.asks, query);
  }
}

/** The inquiries of an ask of this source, in order; 404 for what is none. */
export async function readAskRows(
  { database }: Store,
  askId: string,
  sourceId: string,
): Promise<[InquiryRow & { kept: string }, ...InquiryRow[]]> {
  const [rows] = await readInTurn(() => database.rows(askOfSource(sourceId, toFirstId(askId), askId)));
  const [first, ...further] = rows;
  if (!first?.kept || toAskId(first) !== askId)
    throw new AppError(404, 'ask.unknown', 'There is no such ask of this source.');
  return [{ ...first, kept: first.kept }, ...further];
}

/**
 * The framework's own reply, of inquiries that are resolved: an approval that had ended before it was read is none (APR1).
 * Throws `unanswered`.
 */
export function writeReply(dialect: Dialect, kept: string, inquiries: Inquiry[], now: number): unknown {
  const read = inquiries.map((one) => usable(one, now));
  return dialect.write(parseExact(kept.slice(DIGEST_CHARACTERS)), read as Answered[]);
}

/** What a webhook carries as the reply: the framework's own, or the problem in its place. */
export function composeBy(dialects: Dialect[], log: Log): ComposeReply {
  return (name = '', kept, inquiries) => {
    try {
      // It is written as the answer is given, when no approval has ended.
      return writeReply(findDialect(dialects, name), kept, inquiries, -Infinity);
    } catch (error) {
      return toProblem(toRefusal(error, log, `reply to ${name}`));
    }
  };
}
