import { splitPortions, type Sized, type Turn } from '../platform/loop.ts';
import { inquiryBytes, readInquiries, type InquiryRow, type Reader } from './store.ts';

/** One statement looks at so many rows: on SQLite it holds up everything else while it runs. */
export const LOOKED_AT_ONCE = 400;

/** The ids of this person's devices, those that were revoked included. */
export async function readDeviceIds(read: Reader, personId: string): Promise<Set<string>> {
  const rows = await read.selectFrom('devices').select('id').where('person_id', '=', personId).execute();
  return new Set(rows.map(({ id }) => id));
}

/** What was asked of a person and is open (1) or resolved (0), newest first, before `from`. */
export async function askedIds(
  read: Reader,
  personId: string,
  { open, from, limit }: { open: 0 | 1; from: string | undefined; limit: number },
): Promise<string[]> {
  const rows = await read
    .selectFrom('recipients')
    .select('inquiry_id')
    .where('person_id', '=', personId)
    .where('open', '=', open)
    .$if(from !== undefined, (query) => query.where('inquiry_id', '<', from!))
    .orderBy('inquiry_id', 'desc')
    .limit(limit)
    .execute();
  return rows.map((row) => row.inquiry_id);
}

/** The ids of these with their sizes, newest first. */
export function readSizes(reader: Reader, ids: string[]): Promise<(Sized & { id: string })[]> {
  return reader
    .selectFrom('inquiries')
    .select(['inquiries.id', inquiryBytes.as('bytes')])
    .where('inquiries.id', 'in', ['', ...ids])
    .orderBy('inquiries.id', 'desc')
    .execute();
}

/** Their ids, in their order. */
export function idsOf(rows: { id: string }[]): string[] {
  return rows.map(({ id }) => id);
}

/** These inquiries one after another, read a portion at a time; whatever else the hub does has its `turn` before each. */
export async function* readEach(
  reader: Reader,
  sized: (Sized & { id: string })[],
  turn: Turn,
): AsyncGenerator<InquiryRow> {
  for (const portion of splitPortions(sized))
    for (const row of await readInquiries(reader, idsOf(portion))) {
      await turn();
      yield row;
    }
}
