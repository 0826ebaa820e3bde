import type { Resolving } from './inquiries.ts';
import type { Resolution } from '#shared/answer.ts';
import type { Ask, Asked, Inquiry } from '#shared/inquiry.ts';
import { newId } from '#shared/ids.ts';
import { chooseLanguage } from '#shared/texts/language.ts';
import { writeOutcome } from '#shared/texts/outcomes.ts';
import type { OutcomeTexts } from '#shared/wire.ts';
import { wantShown } from '../deliveries/push/want.ts';
import { NOBODY, addDevices } from '../deliveries/inquiry-devices.ts';
import { iso } from '../platform/clock.ts';
import { batch, commitWith, statement, type Statement, type Steps } from '../platform/steps.ts';
import type { Recipients } from '../sources/recipients.ts';
import type { PersonVersion } from './announce.ts';
import type { Times } from './check.ts';
import { REACH_MS, takeWarning } from './reach.ts';
import { leaseEnd } from './lease.ts';
import { finish, finished, notifySource, makeReply, notifiesSource, type Resolved } from './resolve.ts';
import type { Delegated, Plan } from './settling.ts';
import { holdsUntil } from './validity.ts';
import {
  COLUMNS,
  common,
  deviceView,
  earlierTo,
  pickEarlier,
  toFirstId,
  parseResolution,
  type InquiryRow,
} from './store.ts';
import { insertRecipients, lockPeople, raised, raisePeople } from './versions.ts';

/** What a framework asks beside its first inquiry; all of it is written in one transaction. */
export type Through = {
  /** The ask's id, if this call opens it. */
  id: string;
  dialect: { name: string; label: string };
  /** What the reply is made of. */
  kept: string;
  about: string | null;
  /** What did not fit into the first inquiry. Their ids give the order of the ask, so they are made together with its own. */
  further: { id: string; ask: Ask }[];
};

/** One inquiry that is about to be written. */
export type Part = {
  ask: Ask;
  asked: Asked & { title: string };
  digest: string;
  fingerprint: string | null;
  transport: object;
  /** The `traceparent` that the ask came with. */
  trace: string | undefined;
};
export type Asker = { sourceId: string; waitMs: number; through?: Through | undefined; leased?: boolean };
/** An inquiry to write, and who is asked. */
export type New = {
  part: Part;
  row: InquiryRow;
  personIds: string[];
  quiet: boolean;
  /** What settled it as it was asked. */
  settledBy: 'ruled' | 'yolo' | undefined;
  delegated: Delegated | undefined;
};
export type Written = {
  inquiry: Inquiry;
  view: Inquiry;
  versions: PersonVersion[];
  pushes: number;
  webhooks: number;
  settledBy: New['settledBy'];
  delegated: New['delegated'];
};
export type Opened = { inquiryId: string; written: Written[]; superseded?: Resolved | undefined; cameBack?: boolean };

/**
 * Writes new inquiries with who is told of them, and what is left of the one that they supersede. What is settled already is
 * written as it ended: nobody is told of it but its source.
 */
export function* write(hub: Resolving, news: New[], ending: Resolved | undefined): Steps<Opened> {
  const open = news.filter(({ row }) => row.outcome === null);
  const people = [...new Set(open.flatMap(({ personIds }) => personIds))];
  const storing = news.map(storeNew);
  // People are locked once, however many inquiries they get, in the last step.
  const telling = {
    ended: ending
      ? finish(ending, people)
      : { locks: open.length > 0 ? lockPeople(people, '') : [], raised: undefined },
    raises: news.map(({ row, personIds }) => (row.outcome === null ? raisePeople(personIds) : undefined)),
  };
  // Where a webhook may have to say that nobody was told, or what settled it, that is known before the last step.
  const warns = news.some(({ row }) => notifiesSource(row));
  const committed = warns ? undefined : yield* commitWith({ stored: storing, ...telling });
  const { stored } = committed ?? (yield* batch({ stored: storing }));
  const further: Statement[] = [];
  const parts: Omit<Written, 'versions'>[] = [];
  for (const [at, { part, row, settledBy, delegated }] of news.entries()) {
    const { devices = [], pushes = [], earlier = [] } = stored[at] ?? {};
    const told = devices.filter(({ told_at }) => told_at !== null).length;
    const webhooks = warns
      ? yield* enqueueOpened(hub, row, { told, all: open.length === 0 && at === news.length - 1 })
      : [];
    if (row.outcome === null && webhooks.length > 0) further.push(takeWarning(row.id));
    further.push(...webhooks);
    const reach = { ...NOBODY, told };
    const resolution = parseResolution(row);
    const own = { ...part.asked, ...part.transport, ...common(row, { reach, resolution }) };
    const view = deviceView(row, { reach, earlier: pickEarlier(earlier, row.id) });
    const counts = { pushes: pushes.length, webhooks: webhooks.length };
    parts.push({ inquiry: own, view, ...counts, settledBy, delegated });
  }
  const { raises, ended } = committed ?? (yield* commitWith({ ...telling, further }));
  const written = parts.map((one, at) => ({ ...one, versions: raised(raises[at] ?? []) }));
  return { inquiryId: news[0]?.row.id ?? '', written, superseded: ending && finished(ending, ended.raised) };
}

/** `all`: it is the last of an ask that was settled as a whole, whose reply goes with it. */
function* enqueueOpened(
  hub: Resolving,
  row: InquiryRow,
  { told, all }: { told: number; all: boolean },
): Steps<Statement[]> {
  const resolution = parseResolution(row);
  if (!resolution)
    return told > 0 || row.reach_due_at === null
      ? []
      : yield* notifySource(row, 'inquiry.unreachable', undefined, row.opened_at);
  const reply = all && notifiesSource(row) ? yield* makeReply(row, hub) : undefined;
  return yield* notifySource(row, 'inquiry.resolved', resolution, row.opened_at, { reply });
}

function storeNew({ row, personIds, quiet, delegated }: New) {
  const { id: inquiryId, opened_at: now, deadline_at: giveUpAt, outcome } = row;
  const isOpen = outcome === null;
  return {
    inquiry: insertInquiry(...COLUMNS.map((column) => row[column])),
    recipients: insertRecipients(personIds, inquiryId, isOpen ? 1 : 0, isOpen && !quiet ? now : null, null),
    devices: isOpen ? addDevices(inquiryId, personIds, now, quiet) : undefined,
    pushes: isOpen && !quiet ? wantShown({ subjectId: inquiryId, personIds, giveUpAt, now }) : undefined,
    delegated: isOpen ? delegated?.statement : undefined,
    earlier: isOpen ? earlierTo([inquiryId]) : undefined,
  };
}

const insertInquiry = statement(
  `insert into inquiries (${COLUMNS.join(', ')}) values (${COLUMNS.map((_, at) => `?${at + 1}`).join(', ')})`,
);

/** The run that asks, else its thread. */
export function readRun({ context }: Pick<Ask, 'context'>): string | undefined {
  return context?.runId ?? context?.threadId;
}

/** What is stored of a new inquiry, with the columns of its source that are read with it. */
export function newRow(
  { sourceId, waitMs, through, leased = false }: Asker,
  { part, at, plan, quiet }: { part: Part; at: number; plan: Plan | undefined; quiet: boolean },
  { handles, people, source }: Recipients,
  times: Times,
  now: number,
): InquiryRow {
  // Where a webhook tells it, nobody has to come for it.
  const awaited = waitMs > 0 && source.webhook_url === null && part.ask.callback === undefined;
  const transport = JSON.stringify(part.transport);
  const holding = { transport, source_valid_for: source.valid_for, awaited: Number(awaited) };
  const id = at === 0 ? through && toFirstId(through.id) : through?.further[at - 1]?.id;
  const [step] = (part.transport as Pick<Ask, 'escalate'>).escalate ?? [];
  const resolution = plan?.does === 'settle' ? resolutionBy(plan, part, source, { now, times, holding }) : undefined;
  return {
    id: id ?? newId('inq', now),
    source_id: sourceId,
    key: part.ask.key ?? null,
    fingerprint: part.fingerprint,
    digest: part.digest,
    asked: JSON.stringify(part.asked),
    transport,
    asked_of: JSON.stringify(handles),
    group_name: part.ask.group ?? null,
    revision: 1,
    opened_at: now,
    deadline_at: Math.round(times.deadlineAt),
    latest_at: Math.round(times.latestAt),
    lease_until: resolution ? null : leaseEnd({ waitMs, ask: part.ask, leased }, now),
    // Whom nothing wakes need not have been reached.
    reach_due_at: resolution || quiet ? null : now + REACH_MS,
    outcome: resolution?.outcome ?? null,
    resolution: resolution ? JSON.stringify(resolution) : null,
    resolved_at: resolution ? now : null,
    collected_at: null,
    late_count: 0,
    sealed: null,
    ask_id: through && through.further.length > 0 ? through.id : null,
    kept: at === 0 ? (through?.kept ?? null) : null,
    about: through?.about ?? null,
    rule: plan?.does === 'settle' ? plan.rule : null,
    run: readRun(part.ask) ?? null,
    asker_gone_at: null,
    awaited: Number(awaited),
    pickup_due_at: null,
    not_picked_up_at: null,
    people: people.length > 1 ? JSON.stringify(people) : null,
    trace: part.trace ?? null,
    escalate_at: resolution || step === undefined ? null : now + step.after * 1000,
    escalated: null,
    approved: null,
    source_name: source.name,
    source_locale: source.locale,
    source_texts: source.texts,
    source_webhook_url: source.webhook_url,
    source_valid_for: source.valid_for,
    source_subscribed: source.subscribed,
    source_revoked_at: null,
  };
}

function resolutionBy(
  { outcome, how }: Extract<Plan, { does: 'settle' }>,
  { ask, asked }: Part,
  { locale, texts }: Recipients['source'],
  { now, times, holding }: { now: number; times: Times; holding: Parameters<typeof holdsUntil>[0] },
): Resolution {
  const language = chooseLanguage(ask.context?.language, locale);
  const own = texts === null ? {} : (JSON.parse(texts) as OutcomeTexts);
  const deadlineAt = iso(Math.round(times.deadlineAt));
  return {
    ...outcome,
    at: iso(now),
    ...holdsUntil(holding, outcome, now),
    ...writeOutcome({ asked, resolution: outcome, how, language, texts: own, deadlineAt }),
  };
}
