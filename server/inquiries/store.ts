import type { Kysely, Selectable } from 'kysely';
import type { LateAnswer, Resolution } from '#shared/answer.ts';
import type { Asked, Inquiry, Reach } from '#shared/inquiry.ts';
import { parseExact } from '#shared/json.ts';
import { AppError } from '#shared/problem.ts';
import { languageOf, type Language } from '#shared/text.ts';
import type { OutcomeTexts } from '#shared/wire.ts';
import type { Schema } from '../platform/schema.ts';
import { iso } from '../platform/clock.ts';
import { reachOf } from '../deliveries/inquiry-devices.ts';
import type { PersonVersion } from './inquiries.ts';

export type Reader = Kysely<Schema>;
export type InquiryRow = Selectable<Schema['inquiries']> & {
  source_name: string;
  source_locale: string | null;
  source_texts: string | null;
  source_webhook_url: string | null;
  source_revoked_at: number | null;
};

/** Inquiries with what is needed of their source. */
export function selectInquiries(reader: Reader) {
  return reader
    .selectFrom('inquiries')
    .innerJoin('sources', 'sources.id', 'inquiries.source_id')
    .selectAll('inquiries')
    .select([
      'sources.name as source_name',
      'sources.locale as source_locale',
      'sources.texts as source_texts',
      'sources.webhook_url as source_webhook_url',
      'sources.revoked_at as source_revoked_at',
    ]);
}

/** The inquiry that this person was asked; 404 for everybody else, as if it did not exist. */
export async function readAsRecipient(reader: Reader, inquiryId: string, personId: string): Promise<InquiryRow> {
  const row = await selectInquiries(reader)
    .innerJoin('recipients', 'recipients.inquiry_id', 'inquiries.id')
    .where('inquiries.id', '=', inquiryId)
    .where('recipients.person_id', '=', personId)
    .executeTakeFirst();
  return row ?? unknownInquiry();
}

/** The inquiry that this source asked; 404 for every other source. */
export async function readAsSource(reader: Reader, inquiryId: string, sourceId: string): Promise<InquiryRow> {
  const row = await selectInquiries(reader)
    .where('inquiries.id', '=', inquiryId)
    .where('inquiries.source_id', '=', sourceId)
    .executeTakeFirst();
  return row ?? unknownInquiry();
}

/** The refusal of a change that came too late; it carries the resolution, where there is one. */
export function alreadyResolved(row: InquiryRow, detail: string): AppError {
  return new AppError(409, 'inquiry.already_resolved', detail, { extra: { resolution: resolutionOf(row) } });
}

export function unknownInquiry(): never {
  throw new AppError(404, 'inquiry.unknown', 'There is no such inquiry for you.');
}

/** What was asked, with ordinary numbers. */
export function askedOf(row: Pick<InquiryRow, 'asked'>): Asked {
  return JSON.parse(row.asked) as Asked;
}

/** In which language and with which words of its source an inquiry's outcome is told. */
export function wordingOf(row: InquiryRow): { language: Language; texts: OutcomeTexts } {
  const { context } = JSON.parse(row.transport) as Inquiry;
  return {
    language: languageOf(context?.language, row.source_locale),
    texts: row.source_texts ? (JSON.parse(row.source_texts) as OutcomeTexts) : {},
  };
}

export function resolutionOf(row: Pick<InquiryRow, 'resolution'>): Resolution | undefined {
  return row.resolution === null ? undefined : (JSON.parse(row.resolution) as Resolution);
}

/** The inquiry as its source reads it: every number as it was written. */
export function sourceView(
  row: InquiryRow,
  more: { reach: Reach; late?: LateAnswer[] | undefined; resolution?: Resolution | undefined },
): Inquiry {
  const resolution =
    more.resolution ?? (row.resolution === null ? undefined : (parseExact(row.resolution) as Resolution));
  return {
    ...(parseExact(row.asked) as Asked & { title: string }),
    ...(parseExact(row.transport) as object),
    ...common(row, more),
    ...(resolution ? { resolution } : {}),
  };
}

/** The inquiry as devices read it: ordinary numbers, the exact arguments as text beside them, nothing that is only the source's. */
export function deviceView(
  row: InquiryRow,
  more: { reach: Reach; late?: LateAnswer[] | undefined; lost?: LateAnswer[] | undefined; dismissed?: boolean },
): Inquiry {
  const { correlation: _echoed, callback: _url, key: _key, ...transport } = JSON.parse(row.transport) as Inquiry;
  const resolution = resolutionOf(row);
  const asked = askedOf(row) as Asked & { title: string };
  const argsText = asked.actions ? exactArguments(row.asked) : undefined;
  return {
    ...asked,
    ...transport,
    ...common(row, more),
    ...(resolution ? { resolution } : {}),
    ...(more.lost && more.lost.length > 0 ? { lost: more.lost } : {}),
    ...(more.dismissed ? { dismissed: true } : {}),
    ...(argsText ? { argsText } : {}),
  };
}

/** Raises the counters of these people, in id order so that two changes cannot wait for each other. */
export async function raiseVersions(trx: Reader, personIds: string[]): Promise<PersonVersion[]> {
  const versions: PersonVersion[] = [];
  for (const personId of personIds.toSorted()) {
    const raised = await trx
      .updateTable('people')
      .set(({ eb }) => ({ version: eb('version', '+', 1) }))
      .where('id', '=', personId)
      .returning('version')
      .executeTakeFirst();
    if (raised) versions.push({ personId, version: raised.version });
  }
  return versions;
}

export async function recipientsOf(reader: Reader, inquiryId: string): Promise<string[]> {
  const rows = await reader.selectFrom('recipients').select('person_id').where('inquiry_id', '=', inquiryId).execute();
  return rows.map((row) => row.person_id);
}

/** How far the telling of these inquiries came; zero where nobody was told. */
export async function readReach(reader: Reader, inquiryIds: string[]): Promise<(inquiryId: string) => Reach> {
  const reach = inquiryIds.length > 0 ? await reachOf(reader, inquiryIds) : new Map<string, Reach>();
  return (inquiryId) => reach.get(inquiryId) ?? { told: 0, accepted: 0, shown: 0, opened: 0 };
}

/** Answers that did not win: kept and offered as late, or beaten in a race and only remembered. */
export async function readOthers(
  reader: Reader,
  inquiryIds: string[],
  standing: 'late' | 'lost',
): Promise<Map<string, LateAnswer[]>> {
  const found = new Map<string, LateAnswer[]>();
  if (inquiryIds.length === 0) return found;
  const rows = await reader
    .selectFrom('answers')
    .selectAll()
    .where('inquiry_id', 'in', inquiryIds)
    .where('standing', '=', standing)
    .orderBy('at')
    .execute();
  for (const row of rows) {
    const entry = {
      at: iso(row.at),
      by: JSON.parse(row.answered_by),
      answer: parseExact(row.answer),
      text: row.words,
    } as LateAnswer;
    found.set(row.inquiry_id, [...(found.get(row.inquiry_id) ?? []), entry]);
  }
  return found;
}

function common(row: InquiryRow, { reach, late }: { reach: Reach; late?: LateAnswer[] | undefined }) {
  return {
    id: row.id,
    to: JSON.parse(row.asked_of) as string[],
    source: { id: row.source_id, name: row.source_name },
    digest: row.digest,
    revision: row.revision,
    openedAt: iso(row.opened_at),
    deadlineAt: iso(row.deadline_at),
    latestAt: iso(row.latest_at),
    ...(late && late.length > 0 ? { late } : {}),
    reach,
  };
}

function exactArguments(asked: string): string[] | undefined {
  const exact = (parseExact(asked) as Asked).actions?.map(({ args }) => JSON.stringify(args)) ?? [];
  const lossy = (JSON.parse(asked) as Asked).actions?.map(({ args }) => JSON.stringify(args)) ?? [];
  return exact.some((text, at) => text !== lossy[at]) ? exact : undefined;
}
