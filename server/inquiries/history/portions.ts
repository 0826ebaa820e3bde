import { portionsOf, type Sized, type Turn } from '../../platform/loop.ts';
import { bytesOf, readRows, type InquiryRow, type Reader } from '../store.ts';

/** The ids of these with their sizes, newest first. */
export function readSizes(reader: Reader, ids: string[]): Promise<(Sized & { id: string })[]> {
  return reader
    .selectFrom('inquiries')
    .select(['inquiries.id', bytesOf.as('bytes')])
    .where('inquiries.id', 'in', ['', ...ids])
    .orderBy('inquiries.id', 'desc')
    .execute();
}

/** Their ids, in their order. */
export function idsOf(rows: { id: string }[]): string[] {
  return rows.map(({ id }) => id);
}

/** These inquiries one after another, read a portion at a time; whatever else the hub does has its `turn` before each. */
export async function* rowsOf(
  reader: Reader,
  sized: (Sized & { id: string })[],
  turn: Turn,
): AsyncGenerator<InquiryRow> {
  for (const portion of portionsOf(sized))
    for (const row of await readRows(reader, idsOf(portion))) {
      await turn();
      yield row;
    }
}
