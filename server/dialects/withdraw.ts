import type { Closing } from '../inquiries/inquiries.ts';
import { withdrawIfOpen } from '../inquiries/withdraw.ts';
import { AppError } from '#shared/problem.ts';
import { statement } from '../platform/steps.ts';
import type { About, Dialect } from './dialect.ts';
import { readAskRows, toAboutKey } from './open.ts';

const openAboutCall = statement<{ id: string }>(
  'select id from inquiries where source_id = ?1 and about = ?2 and resolution is null',
);
const openAboutSession = statement<{ id: string }>(
  `select id from inquiries where source_id = ?1 and about like ?2 || '%' and resolution is null`,
);

/**
 * Takes back what a hook says was decided elsewhere: the oldest question about this call, since others like it may still
 * wait, or all of a session that ended.
 */
export async function withdrawAbout(
  inquiries: Closing,
  { dialect, sourceId, about, reason }: { dialect: Dialect; sourceId: string; about: About; reason: string },
): Promise<void> {
  const whole = about.call === undefined;
  const openAbout = whole ? openAboutSession : openAboutCall;
  const [rows] = await inquiries.database.rows(openAbout(sourceId, toAboutKey(dialect, about)));
  // Sorted here: sorted by the database, it would read all that the source ever asked.
  const ids = rows.map(({ id }) => id).toSorted();
  for (const id of whole ? ids : ids.slice(0, 1)) await withdrawIfOpen(inquiries, sourceId, id, reason);
}

/** Takes an ask back for its source: twice is the same as once; 409 when nothing of it was open any more. */
export async function withdrawAsk(
  inquiries: Closing,
  { askId, sourceId, reason }: { askId: string; sourceId: string; reason: string | undefined },
): Promise<string[]> {
  const ids = (await readAskRows(inquiries, askId, sourceId)).map(({ id }) => id);
  for (const id of ids) await withdrawIfOpen(inquiries, sourceId, id, reason);
  const rows = await readAskRows(inquiries, askId, sourceId);
  if (rows.some(({ outcome }) => outcome === 'withdrawn')) return ids;
  throw new AppError(409, 'ask.already_resolved', 'It cannot be taken back: it is resolved already.');
}
