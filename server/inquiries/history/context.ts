import { setImmediate } from 'node:timers/promises';
import type { AskingSource, Earlier, InquiryContext } from '#shared/history.ts';
import type { Asked, Inquiry } from '#shared/inquiry.ts';
import { kindOf } from '#shared/fit.ts';
import type { SourceDecider } from '#shared/policies/decider.ts';
import { undecidable } from '#shared/policies/decider.ts';
import { iso } from '../../platform/clock.ts';
import type { Database } from '../../platform/database.ts';
import { askedOf, readAsRecipient, resolutionOf, selectInquiries, type InquiryRow, type Reader } from '../store.ts';
import { askedIds, devicesOf, LOOKED_AT_ONCE, LOOKS } from './read.ts';
import { holdsJson } from './words.ts';

/** How many earlier inquiries of the same source are looked through. */
const LOOKED_AT = 500;
const CANDIDATES = 40;
const OF_THE_RUN = 5;

/** What helps a person to decide this inquiry; 404 `inquiry.unknown` for whoever was not asked it. */
export async function readContext(database: Database, inquiryId: string, personId: string): Promise<InquiryContext> {
  const { read } = database;
  const row = await readAsRecipient(database, inquiryId, personId);
  const ids = await earlierIds(read, row, personId);
  const [run, last] = [await sameRun(read, row, ids), await lastAlike(read, row, ids, personId)];
  const decider = await deciderFor(read, row);
  return { run, ...(last ? { last } : {}), ...(decider ? { decider } : {}) };
}

/** The decider that the owner chose for this source, where it may decide about this inquiry. */
async function deciderFor(read: Reader, row: InquiryRow): Promise<InquiryContext['decider']> {
  const source = await read.selectFrom('sources').select('decider').where('id', '=', row.source_id).executeTakeFirst();
  if (!source?.decider) return undefined;
  const { id, actions } = JSON.parse(source.decider) as SourceDecider;
  if (undecidable(askedOf(row), { actions })) return undefined;
  return read.selectFrom('deciders').select(['id', 'name']).where('id', '=', id).executeTakeFirst();
}

/** The sources that have asked this person, by name: of what is open and of the 10,000 newest that are resolved. */
export async function sourcesOf(read: Reader, personId: string): Promise<AskingSource[]> {
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
      await setImmediate();
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

async function sameRun(read: Reader, row: InquiryRow, ids: string[]): Promise<Earlier[]> {
  const { runId, threadId } = contextOf(row);
  const [name, value] = runId === undefined ? ['threadId', threadId] : ['runId', runId];
  if (ids.length === 0 || value === undefined) return [];
  const rows = await selectInquiries(read)
    .where('inquiries.id', 'in', ids)
    .where(holdsJson('inquiries.transport', `${JSON.stringify(name)}:${JSON.stringify(value)}`))
    .orderBy('inquiries.id', 'desc')
    .limit(CANDIDATES)
    .execute();
  return rows
    .filter((one) => contextOf(one)[name as 'runId'] === value)
    .slice(0, OF_THE_RUN)
    .map(earlierOf);
}

async function lastAlike(
  read: Reader,
  row: InquiryRow,
  ids: string[],
  personId: string,
): Promise<InquiryContext['last']> {
  if (ids.length === 0) return undefined;
  const asked = titledOf(row);
  const [first] = asked.actions ?? [];
  const mark = first ? `"name":${JSON.stringify(first.name)}` : `"title":${JSON.stringify(asked.title)}`;
  const rows = await selectInquiries(read)
    .where('inquiries.id', 'in', ids)
    .where('inquiries.outcome', 'in', ['answered', 'declined'])
    .where(holdsJson('inquiries.asked', mark))
    .orderBy('inquiries.id', 'desc')
    .limit(CANDIDATES)
    .execute();
  const own = await devicesOf(read, personId);
  const last = rows.find((one) => {
    const by = resolutionOf(one)?.by;
    return by?.kind === 'person' && own.has(by.device.id) && likeness(titledOf(one)) === likeness(asked);
  });
  return last && { ...earlierOf(last), same: last.digest === row.digest };
}

function titledOf(row: InquiryRow): Asked & { title: string } {
  return askedOf(row) as Asked & { title: string };
}

// The same calls in the same order, or a question of the same title and kind.
function likeness(asked: Asked & { title: string }): string {
  return JSON.stringify(asked.actions ? asked.actions.map(({ name }) => name) : [kindOf(asked), asked.title]);
}

function contextOf(row: InquiryRow): NonNullable<Inquiry['context']> {
  return (JSON.parse(row.transport) as Inquiry).context ?? {};
}

function earlierOf(row: InquiryRow): Earlier {
  const { answer: _whole, ...resolution } = resolutionOf(row) ?? {};
  return {
    id: row.id,
    title: titledOf(row).title,
    openedAt: iso(row.opened_at),
    ...('outcome' in resolution ? { resolution } : {}),
  } as Earlier;
}
