import { chooseLanguage, type Language } from '#shared/texts/language.ts';
import { sql, type Kysely, type Selectable } from 'kysely';
import type { LateAnswer, Resolution } from '#shared/answer.ts';
import type { Asked, Inquiry, Reach } from '#shared/inquiry.ts';
import { withoutUndefined } from '#shared/json.ts';
import { AppError } from '#shared/problem.ts';
import { masked } from '#shared/text.ts';
import type { OutcomeTexts } from '#shared/wire.ts';
import type { Schema } from '../platform/schema.ts';
import { HOUR_MS, iso } from '../platform/clock.ts';
import type { Database } from '../platform/database.ts';
import { readStored, readStoredExact, viewUndamaged } from '../platform/stored.ts';
import { readInTurn } from '../platform/turns.ts';
import { batch, readRows, statement, type Statement, type Steps } from '../platform/steps.ts';
import { viewApproved, viewStanding } from './approved.ts';

export type Reader = Kysely<Schema>;
export type InquiryRow = Selectable<Schema['inquiries']> & {
  source_name: string;
  source_locale: string | null;
  source_texts: string | null;
  source_webhook_url: string | null;
  source_valid_for: number | null;
  source_subscribed: number;
  source_revoked_at: number | null;
};

/** Inquiries that are yet to be chosen, by what they or their sources are; `readInquiries` reads those that were found. */
export function findInquiries(reader: Reader) {
  return reader.selectFrom('inquiries').innerJoin('sources', 'sources.id', 'inquiries.source_id');
}

/** How much is read of an inquiry with its drafts and the answers that did not win; no text is read for it. */
export const inquiryBytes = sql<number>`octet_length(inquiries.asked) + octet_length(inquiries.transport)
  + coalesce(octet_length(inquiries.resolution), 0) + coalesce(octet_length(inquiries.kept), 0) + coalesce(octet_length(inquiries.approved), 0)
  + coalesce((select sum(octet_length(answer)) from answers where answers.inquiry_id = inquiries.id), 0)
  + coalesce((select sum(octet_length(answer)) from drafts where drafts.inquiry_id = inquiries.id), 0)`;

/** The columns of an inquiry, each by its name: a statement that is prepared has to return what it did before a migration. */
export const COLUMNS =
  `id source_id key fingerprint digest asked transport asked_of group_name revision opened_at deadline_at
  latest_at lease_until reach_due_at outcome resolution resolved_at collected_at late_count sealed ask_id kept about rule run
  asker_gone_at awaited pickup_due_at not_picked_up_at people trace
  escalate_at escalated approved`.split(/\s+/) as (keyof Schema['inquiries'])[];
const inquiry = `select ${COLUMNS.map((column) => `i.${column}`).join(', ')}, s.name as source_name, s.locale as source_locale,
  s.texts as source_texts, s.webhook_url as source_webhook_url, s.subscribed as source_subscribed,
  s.valid_for as source_valid_for, s.revoked_at as source_revoked_at from inquiries i join sources s on s.id = i.source_id`;
const byIds = statement<InquiryRow>(`${inquiry} where i.id in {keys ?1} order by i.id desc`);
export const inquiryById = statement<InquiryRow>(`${inquiry} where i.id = ?1`);
export const inquiriesOfAsk = statement<InquiryRow>(`${inquiry} where i.ask_id = ?1 order by i.id`);
export const askOfSource = statement<InquiryRow>(
  `${inquiry} where i.id in (select id from inquiries where id = ?2 union select id from inquiries where ask_id = ?3)
  and i.source_id = ?1 order by i.id`,
);
export const askedBySource = statement<InquiryRow>(`${inquiry} where i.id = ?1 and i.source_id = ?2`);
export const askedOfPerson = statement<InquiryRow>(
  `${inquiry} join recipients r on r.inquiry_id = i.id where i.id = ?1 and r.person_id = ?2`,
);

/** These inquiries, newest first. */
export function readInquiries(reader: Reader, ids: string[]): Promise<InquiryRow[]> {
  return readRows(reader, byIds(ids));
}

/** An ask is named after its first inquiry. */
export function toAskId({ id, ask_id }: Pick<InquiryRow, 'id' | 'ask_id'>): string {
  return ask_id ?? `ask${id.slice(3)}`;
}

/** The id of the first inquiry of an ask. */
export function toFirstId(askId: string): string {
  return `inq${askId.slice(3)}`;
}

/** The inquiry that this person was asked; 404 for everybody else, as if it did not exist. */
export async function readAsRecipient(
  { rows }: Pick<Database, 'rows'>,
  inquiryId: string,
  personId: string,
): Promise<InquiryRow> {
  const [[row]] = await readInTurn(() => rows(askedOfPerson(inquiryId, personId)));
  return row ?? unknownInquiry();
}

/** The inquiry that this source asked; 404 for every other source. */
export async function readAsSource(
  { rows }: Pick<Database, 'rows'>,
  inquiryId: string,
  sourceId: string,
): Promise<InquiryRow> {
  const [[row]] = await readInTurn(() => rows(askedBySource(inquiryId, sourceId)));
  return row ?? unknownInquiry();
}

/** As `readAsRecipient` and `readAsSource`, in a step. */
export function* readIn(asked: Statement<InquiryRow>): Steps<InquiryRow> {
  const {
    rows: [row],
  } = yield* batch({ rows: asked });
  return row ?? unknownInquiry();
}

/** Whoever changes what hangs on an open inquiry takes it first: a resolution comes before all of it, or after. */
export const lockInquiry = statement('select id from inquiries where id = ?1 for no key update');

/** The refusal of a change that came too late; it carries the resolution, where there is one. */
export function alreadyResolved(row: Pick<InquiryRow, 'asked' | 'resolution'>, detail: string): AppError {
  return new AppError(409, 'inquiry.already_resolved', detail, { extra: { resolution: parseResolution(row) } });
}

export function unknownInquiry(): never {
  throw new AppError(404, 'inquiry.unknown', 'There is no such inquiry for you.');
}

/** What was asked, with ordinary numbers. */
export function parseAsked(row: Pick<InquiryRow, 'asked'>): Asked & { title: string } {
  return readStored(row.asked) as Asked & { title: string };
}

/** The same with what only people can do of it. */
export function parseWhole(row: Pick<InquiryRow, 'asked' | 'transport'>) {
  const { assurance, approvals } = readStored(row.transport) as Inquiry;
  return { ...parseAsked(row), ...withoutUndefined({ assurance, approvals }) };
}

/** The same with the exact arguments of its calls, for texts about them. */
export function parseExactAsked(row: Pick<InquiryRow, 'asked'>): Asked & { title: string; argsText?: string[] } {
  const asked = parseAsked(row);
  const argsText = asked.actions ? exactArguments(row.asked) : undefined;
  return argsText ? { ...asked, argsText } : asked;
}

/** In which language and with which words of its source an inquiry's outcome is told. */
export function parseWording(row: InquiryRow): { language: Language; texts: OutcomeTexts } {
  const { context } = readStored(row.transport) as Inquiry;
  return {
    language: chooseLanguage(context?.language, row.source_locale),
    texts: row.source_texts ? (readStored(row.source_texts) as OutcomeTexts) : {},
  };
}

/** The resolution as people read it: ordinary numbers, no secret of an edited call in its words. */
export function parseResolution(row: Pick<InquiryRow, 'asked' | 'resolution'>): Resolution | undefined {
  if (row.resolution === null) return undefined;
  const resolution = readStored(row.resolution) as Resolution;
  if (!resolution.answer?.decisions?.some(({ type }) => type === 'edit')) return resolution;
  const { text } = masked(readStoredExact(row.resolution) as Resolution, parseAsked(row).actions);
  return { ...resolution, text };
}

/** The inquiry as its source reads it: every number as it was written. */
export function sourceView(
  row: InquiryRow,
  more: { reach: Reach; late?: LateAnswer[] | undefined; resolution?: Resolution | undefined },
): Inquiry {
  const resolution =
    more.resolution ?? (row.resolution === null ? undefined : (readStoredExact(row.resolution) as Resolution));
  return {
    ...(readStoredExact(row.asked) as Asked & { title: string }),
    ...(readStoredExact(row.transport) as object),
    ...common(row, { ...more, resolution }),
  };
}

/** The inquiry as devices read it: ordinary numbers, the exact arguments as text beside them, nothing that is only the source's. */
export function deviceView(
  row: InquiryRow,
  more: {
    reach: Reach;
    late?: LateAnswer[] | undefined;
    lost?: LateAnswer[] | undefined;
    dismissed?: boolean;
    laterAt?: string | undefined;
    notTaken?: boolean;
    earlier?: Inquiry['earlier'] | undefined;
  },
): Inquiry {
  const { correlation: _echoed, callback: _url, key: _key, ...transport } = readStored(row.transport) as Inquiry;
  const asked = parseExactAsked(row);
  const [late, lost] = [more.late, more.lost].map((others) => others?.map((one) => masked(one, asked.actions)));
  return {
    ...asked,
    ...transport,
    ...common(row, { ...more, late, resolution: parseResolution(row) }),
    ...(lost && lost.length > 0 ? { lost } : {}),
    ...viewAsker(row),
    ...viewStanding(row),
    ...(row.escalated === null ? {} : { escalated: parseEscalated(row).map((one) => ({ ...one, at: iso(one.at) })) }),
    ...(more.earlier ? { earlier: more.earlier } : {}),
    ...(more.notTaken ? { notTaken: true } : {}),
    ...(more.dismissed ? { dismissed: true } : {}),
    ...(more.laterAt === undefined ? {} : { laterAt: more.laterAt }),
    ...(row.rule === null ? {} : { rule: readStoredExact(row.rule) as Inquiry['rule'] }),
    ...(row.people === null ? {} : { people: readStored(row.people) as string[] }),
  };
}

/** What people read of whoever asked: that it is gone, or has not picked up what was answered. */
function viewAsker({ resolution, asker_gone_at, not_picked_up_at, collected_at }: InquiryRow) {
  if (resolution === null) return asker_gone_at === null ? {} : { askerGoneAt: iso(asker_gone_at) };
  return not_picked_up_at === null || collected_at !== null ? {} : { notPickedUp: true };
}

/** An escalation that asked somebody, when (ms), and by which handles. */
export type Escalated = { at: number; to: string[]; people: string[] };

/** The escalations that asked somebody, in their order. */
export function parseEscalated({ escalated }: Pick<InquiryRow, 'escalated'>): Escalated[] {
  const all = escalated === null ? [] : (readStored(escalated) as Escalated[]);
  return all.filter(({ people }) => people.length > 0);
}

/** Who is asked, as its source named them, and who was asked when because nobody had answered (APR5). */
export function viewAskedOf(row: Pick<InquiryRow, 'asked_of' | 'escalated'>): Pick<Inquiry, 'to' | 'escalated'> {
  const { first, escalated } = readAskedOf(row);
  return escalated ? { to: [...new Set([...first, ...escalated.flatMap(({ to }) => to)])], escalated } : { to: first };
}

/** The same, with those apart who were asked first. */
export function readAskedOf(row: Pick<InquiryRow, 'asked_of' | 'escalated'>) {
  const escalated = parseEscalated(row).map(({ at, to }) => ({ at: iso(at), to }));
  return { first: readStored(row.asked_of) as string[], escalated: escalated.length > 0 ? escalated : undefined };
}

type OtherRow = Pick<Schema['answers'], 'inquiry_id' | 'at' | 'answered_by' | 'answer' | 'words'>;
/** The answers that did not win: kept and offered as `late`, or `lost` in a race and only remembered. */
export const answersBeside = statement<OtherRow>(
  `select inquiry_id, at, answered_by, answer, words from answers
  where inquiry_id in {keys ?1} and standing = ?2 order by at, device_id, id`,
);

/** The same by their inquiries. */
export async function readOthers(
  reader: Reader,
  inquiryIds: string[],
  standing: 'late' | 'lost',
): Promise<Map<string, LateAnswer[]>> {
  if (inquiryIds.length === 0) return new Map();
  const rows = Map.groupBy(await readRows(reader, answersBeside(inquiryIds, standing)), (row) => row.inquiry_id);
  const view = (row: OtherRow) => viewUndamaged({ id: row.inquiry_id }, () => toLateAnswer(row)) ?? [];
  return new Map([...rows].map(([id, own]) => [id, own.flatMap(view)]));
}

/** An answer that did not win, of its row. */
export function toLateAnswer({ at, answered_by, answer, words }: OtherRow): LateAnswer {
  return { at: iso(at), by: readStored(answered_by), answer: readStoredExact(answer), text: words } as LateAnswer;
}

type Common = { reach: Reach; late?: LateAnswer[] | undefined; resolution: Resolution | undefined };

/** What sources and devices read alike of an inquiry beside what was asked. */
export function common(row: InquiryRow, { reach, late, resolution }: Common) {
  return {
    id: row.id,
    state: resolution?.outcome ?? ('open' as const),
    ...viewAskedOf(row),
    ...viewApproved(row),
    source: { id: row.source_id, name: row.source_name },
    digest: row.digest,
    revision: row.revision,
    openedAt: iso(row.opened_at),
    deadlineAt: iso(row.deadline_at),
    latestAt: iso(row.latest_at),
    ...(resolution ? { resolution } : {}),
    ...(resolution?.validUntil === undefined || row.collected_at === null
      ? {}
      : { collectedAt: iso(row.collected_at) }),
    ...(late && late.length > 0 ? { late } : {}),
    reach,
  };
}

function exactArguments(asked: string): string[] | undefined {
  const exact = (readStoredExact(asked) as Asked).actions?.map(({ args }) => JSON.stringify(args)) ?? [];
  const lossy = (readStored(asked) as Asked).actions?.map(({ args }) => JSON.stringify(args)) ?? [];
  return exact.some((text, at) => text !== lossy[at]) ? exact : undefined;
}

type EarlierRow = Pick<InquiryRow, 'id' | 'asked' | 'resolution'> & { asked_again: string };

/** For each of these, the newest answer that the same people gave the same source to it in the hour before, not picked up. */
export const earlierTo = statement<EarlierRow>(
  `select again.id as asked_again, earlier.id, earlier.asked, earlier.resolution
  from (select key as id from {each ?1}) as asked join inquiries as again on again.id = asked.id
  join inquiries as earlier on earlier.id = (
    select id from (select id, asked_of, resolved_at from inquiries where digest = again.digest
      and source_id = again.source_id and substr(asked_of, 1, 100) = substr(again.asked_of, 1, 100)
      and not_picked_up_at is not null and collected_at is null and resolved_at > again.opened_at - ${HOUR_MS}
      order by resolved_at desc limit 10) as newest
    where asked_of = again.asked_of order by resolved_at desc limit 1)`,
);

/** The earlier answer to this inquiry among these. */
export function pickEarlier(rows: EarlierRow[], inquiryId: string): Inquiry['earlier'] {
  const row = rows.find(({ asked_again }) => asked_again === inquiryId);
  return row && viewUndamaged(row, (one) => ({ inquiryId: one.id, resolution: parseResolution(one) as Resolution }));
}
