import { titleText } from '#shared/call-name/name.ts';
import type { AskingSource, Earlier, InquiryContext } from '#shared/history.ts';
import type { Asked, Inquiry } from '#shared/inquiry.ts';
import { canonical } from '#shared/json.ts';
import { type Language, chooseLanguage } from '#shared/texts/language.ts';
import { iso } from '../../platform/clock.ts';
import type { Database } from '../../platform/database.ts';
import { readStored, readStoredExact, viewUndamaged } from '../../platform/stored.ts';
import { splitPortions, takingTurns, type Sized, type Turn } from '../../platform/loop.ts';
import {
  parseAsked,
  readAsRecipient,
  parseResolution,
  findInquiries,
  parseExactAsked,
  type InquiryRow,
  type Reader,
  readInquiries,
} from '../../inquiries/store.ts';
import { idsOf, readSizes, askedIds, readDeviceIds, LOOKED_AT_ONCE } from '../../inquiries/asked.ts';
import { LOOKS } from './read.ts';
import { holdsJson } from './words.ts';
import { mayDecide } from '../../automation/deciders/change.ts';

/** How many earlier inquiries of the same source are looked through. */
const LOOKED_AT = 500;
const CANDIDATES = 40;
const OF_THE_RUN = 5;

/** What helps a person to decide this inquiry; 404 `inquiry.unknown` for whoever was not asked it. */
export async function readContext(
  database: Database,
  inquiryId: string,
  { id: personId, locale }: { id: string; locale?: string | undefined },
  turn: Turn = takingTurns(),
): Promise<InquiryContext> {
  const { read } = database;
  const row = await readAsRecipient(database, inquiryId, personId);
  const earlier = { turn, sized: await readSizes(read, await earlierIds(read, row, personId)) };
  const language = chooseLanguage(locale, undefined);
  const run = await sameRun(read, row, earlier, language);
  const last = await lastSame(read, row, earlier, { personId, language });
  const { own } = await mayDecide(read, undefined, row);
  return { run, ...(last ? { last } : {}), ...(own ? { decider: { id: own.id, name: own.name } } : {}) };
}

/** The sources that have asked this person, by name: of what is open and of the 10,000 newest that are resolved. */
export async function readSources(read: Reader, personId: string, turn: Turn = takingTurns()): Promise<AskingSource[]> {
  const found = new Map<string, AskingSource>();
  for (const open of [1, 0] as const) {
    let from: string | undefined;
    for (let look = 0; look < LOOKS; look++) {
      const ids = await askedIds(read, personId, { open, from, limit: LOOKED_AT_ONCE });
      from = ids.at(-1);
      if (from === undefined) break;
      const sources = await read
        .selectFrom('sources')
        .select(['id', 'name'])
        .where('id', 'in', (eb) => eb.selectFrom('inquiries').select('source_id').where('id', 'in', ids))
        .execute();
      for (const source of sources) found.set(source.id, source);
      if (ids.length < LOOKED_AT_ONCE) break;
      await turn();
    }
  }
  return [...found.values()].toSorted((a, b) => (a.name === b.name ? 0 : a.name < b.name ? -1 : 1));
}

async function earlierIds(read: Reader, row: InquiryRow, personId: string): Promise<string[]> {
  const rows = await read
    .selectFrom('recipients')
    .select('inquiry_id')
    .where('person_id', '=', personId)
    .where('inquiry_id', 'in', (eb) =>
      eb
        .selectFrom('inquiries')
        .select('id')
        .where('source_id', '=', row.source_id)
        .where('id', '<', row.id)
        .orderBy('id', 'desc')
        .limit(LOOKED_AT),
    )
    .execute();
  return rows.map(({ inquiry_id: id }) => id);
}

type EarlierOnes = { sized: (Sized & { id: string })[]; turn: Turn };

/** The newest 40 of these of which a column may hold such JSON, read a portion at a time. */
async function* holding(
  read: Reader,
  { sized, turn }: EarlierOnes,
  column: 'transport' | 'asked',
  json: string,
): AsyncGenerator<InquiryRow> {
  let left = CANDIDATES;
  for (const portion of splitPortions(sized)) {
    await turn();
    const found = await findInquiries(read)
      .select('inquiries.id')
      .where('inquiries.id', 'in', idsOf(portion))
      .where(holdsJson(`inquiries.${column}`, json))
      // Only a decision is a precedent.
      .$if(column === 'asked', (query) => query.where('inquiries.outcome', 'in', ['answered', 'declined']))
      .orderBy('inquiries.id', 'desc')
      .limit(left)
      .execute();
    const rows = await readInquiries(read, idsOf(found));
    for (const row of rows) {
      await turn();
      yield row;
    }
    left -= rows.length;
    if (left === 0) return;
  }
}

async function sameRun(read: Reader, row: InquiryRow, earlier: EarlierOnes, language: Language): Promise<Earlier[]> {
  const { runId, threadId } = readRunContext(row);
  const [name, value] = runId === undefined ? ['threadId', threadId] : ['runId', runId];
  const found: Earlier[] = [];
  if (value === undefined) return found;
  const json = `${JSON.stringify(name)}:${JSON.stringify(value)}`;
  for await (const one of holding(read, earlier, 'transport', json)) {
    const isOfRun = () => readRunContext(one)[name as 'runId'] === value;
    const seen = viewUndamaged(one, () => (isOfRun() ? toEarlier(one, language) : undefined));
    if (seen) found.push(seen);
    if (found.length === OF_THE_RUN) break;
  }
  return found;
}

async function lastSame(
  read: Reader,
  row: InquiryRow,
  earlier: EarlierOnes,
  { personId, language }: { personId: string; language: Language },
): Promise<InquiryContext['last']> {
  const { actions } = parseAsked(row);
  // Only the very same calls: another command is no precedent, and what cannot be taken back is thought over each time.
  const [first] = actions ?? [];
  if (!actions || !first || actions.some(({ caution }) => caution)) return undefined;
  const calls = callsIn(row);
  const own = await readDeviceIds(read, personId);
  for await (const one of holding(read, earlier, 'asked', `"name":${JSON.stringify(first.name)}`)) {
    const earlierOne = viewUndamaged(one, () => {
      const by = parseResolution(one)?.by;
      const isSame = by?.kind === 'person' && own.has(by.device.id) && callsIn(one) === calls;
      return isSame ? toEarlier(one, language) : undefined;
    });
    if (!earlierOne) continue;
    const types = new Set(earlierOne.decisions?.map(({ type }) => type));
    const [decided] = types;
    return { ...earlierOne, ...(decided && types.size === 1 ? { decided } : {}) };
  }
  return undefined;
}

// The calls of an inquiry as one text, equal for the same tools with the same arguments, numbers as they were written.
function callsIn({ asked }: InquiryRow): string {
  const { actions = [] } = readStoredExact<Asked>(asked);
  return canonical(actions.map(({ name, args }) => [name, args]));
}

function readRunContext(row: InquiryRow): NonNullable<Inquiry['context']> {
  return readStored<Inquiry>(row.transport).context ?? {};
}

function toEarlier(row: InquiryRow, language: Language): Earlier {
  const { answer, ...resolution } = parseResolution(row) ?? {};
  const decisions = answer?.decisions?.map(({ type, ...more }) => ({
    type,
    ...('message' in more ? { message: more.message } : {}),
  }));
  return {
    id: row.id,
    title: titleText(parseExactAsked(row), language),
    openedAt: iso(row.opened_at),
    ...('outcome' in resolution ? { resolution } : {}),
    ...(decisions ? { decisions } : {}),
  } as Earlier;
}
