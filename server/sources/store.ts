import type { ExpressionBuilder, Kysely, Selectable } from 'kysely';
import type { SourceDecider } from '#shared/policies/decider.ts';
import { AppError } from '#shared/problem.ts';
import type { Escalate } from '#shared/schemas/escalate.ts';
import { Locale, type OutcomeTexts, type Source } from '#shared/wire.ts';
import { iso } from '../platform/clock.ts';
import type { Database } from '../platform/database.ts';
import { readPage, type Page } from '../platform/http/params.ts';
import type { Schema } from '../platform/schema.ts';
import { readWhole } from '../platform/stored.ts';
import { viewTimeouts } from './given-up.ts';
import { endFailures } from './pause.ts';

/** In place of ids: the source may ask everybody (the command line's own). */
export const EVERYBODY = '*';

/** A connection has its own calls. */
export const ofConnections = (eb: ExpressionBuilder<Schema, 'sources'>) =>
  eb.selectFrom('connections').select('source_id');

/** What a source's row says about who it may ask: ids, so that a changed handle changes no right. Nobody, where it is damaged. */
export function parseMayAsk(row: Pick<Schema['sources'], 'may_ask'>): string[] {
  return readWhole<string[]>(row.may_ask) ?? [];
}

/** One page of sources that are not revoked, oldest first; a connection is listed among connections. */
export async function listSources(db: Kysely<Schema>, after: string, limit: number): Promise<Page<Source>> {
  const rows = db
    .selectFrom('sources')
    .selectAll()
    .where('revoked_at', 'is', null)
    .where('id', 'not in', ofConnections)
    .where('id', '>', after)
    .orderBy('id');
  return readPage(rows, limit, (shown) => viewSources(db, shown));
}

/** Sources as the wire shows them. */
export async function viewSources(db: Kysely<Schema>, rows: Selectable<Schema['sources']>[]): Promise<Source[]> {
  const ids = [...new Set(rows.flatMap((row) => [row.owner_id, ...parseMayAsk(row)]))];
  const handles = new Map((await peopleAndGroups(db, 'id', ids)).map(({ id, handle }) => [id, handle]));
  return rows.map((row) => {
    const locale = Locale.safeParse(row.locale);
    const [texts, decider, escalate] = [row.texts, row.decider, row.escalate].map((text) => readWhole(text ?? 'null'));
    return {
      id: row.id,
      name: row.name,
      owner: handles.get(row.owner_id) ?? '',
      mayAsk: parseMayAsk(row).flatMap((id) => (id === EVERYBODY ? [id] : (handles.get(id) ?? []))),
      ...(row.webhook_url === null ? {} : { webhookUrl: row.webhook_url }),
      ...(row.webhooks_paused_at === null ? {} : { webhooksPausedAt: iso(row.webhooks_paused_at) }),
      ...(locale.success ? { locale: locale.data } : {}),
      ...(texts ? { texts: texts as OutcomeTexts } : {}),
      ...(decider ? { decider: decider as SourceDecider } : {}),
      ...(row.valid_for === null ? {} : { validFor: row.valid_for }),
      ...(escalate ? { escalate: escalate as Escalate } : {}),
      ...(row.approvals === null ? {} : { approvals: { count: row.approvals } }),
      ...viewTimeouts(row),
      ...(row.may_ask_yolo === 1 ? { mayAskYolo: true } : {}),
      ...(row.may_provision === 1 ? { mayProvision: true } : {}),
      createdAt: iso(row.created_at),
      ...(row.used_at === null ? {} : { usedAt: iso(row.used_at) }),
    };
  });
}

/** Revokes a source: its key is of no use from now on, and the caller withdraws what it has open. 404 `source.unknown`. */
export async function removeSource(database: Database, id: string): Promise<void> {
  const now = database.clock.now();
  const removed = await database.transaction(async (trx) => {
    await endFailures(trx, id, now);
    return trx
      .updateTable('sources')
      .set({ revoked_at: now })
      .where('id', '=', id)
      .where('revoked_at', 'is', null)
      .returning('id')
      .executeTakeFirst();
  });
  if (!removed) throw unknownSource();
}

export function unknownSource(): AppError {
  return new AppError(404, 'source.unknown', 'There is no such source here.');
}

/** The people and groups with one of these ids or handles. */
export async function peopleAndGroups(db: Kysely<Schema>, column: 'id' | 'handle', values: string[]) {
  if (values.length === 0) return [];
  return db
    .selectFrom('people')
    .select(['id', 'handle'])
    .where(column, 'in', values)
    .unionAll(db.selectFrom('groups').select(['id', 'handle']).where(column, 'in', values))
    .execute();
}
