import { fault, invalid } from '#shared/faults.ts';
import type { Escalate } from '#shared/schemas/escalate.ts';
import type { ChangeSource, Source } from '#shared/wire.ts';
import type { Database, Transaction } from '../platform/database.ts';
import type { Schema } from '../platform/schema.ts';
import { within } from '../platform/steps.ts';
import { judgeEscalations } from './escalation.ts';
import { pauseWebhooks } from './pause.ts';
import { ofConnections, unknownSource, viewSources } from './store.ts';

/** Changes what is sent, for what ends from now on. 404 `source.unknown`; 422 where there is no such
 * decider, or whom it is to ask by itself it may not ask. */
export async function changeSource(
  database: Database,
  id: string,
  {
    webhookUrl,
    webhooksPaused,
    locale,
    texts,
    decider,
    validFor,
    escalate,
    approvals,
    mayAskYolo,
    mayProvision,
  }: ChangeSource,
): Promise<Source> {
  return database.transaction(async (trx) => {
    if (decider && !(await trx.selectFrom('deciders').select('id').where('id', '=', decider.id).executeTakeFirst()))
      throw invalid([fault('/decider/id', 'decider.unknown', 'is no decider of this hub')]);
    const rows = await trx
      .updateTable('sources')
      .set({
        // Without a member nothing is changed, and the row is read all the same.
        id,
        ...(webhookUrl === undefined ? {} : { webhook_url: webhookUrl }),
        ...(locale === undefined ? {} : { locale }),
        ...(texts === undefined ? {} : { texts: texts && JSON.stringify(texts) }),
        ...(decider === undefined ? {} : { decider: decider && JSON.stringify(decider) }),
        ...(validFor === undefined ? {} : { valid_for: validFor }),
        ...(escalate === undefined ? {} : { escalate: escalate && JSON.stringify(escalate) }),
        ...(approvals === undefined ? {} : { approvals: approvals && approvals.count }),
        ...(mayAskYolo === undefined ? {} : { may_ask_yolo: mayAskYolo ? 1 : 0 }),
        ...(mayProvision === undefined ? {} : { may_provision: mayProvision ? 1 : 0 }),
      })
      .where('id', '=', id)
      .where('revoked_at', 'is', null)
      .where('id', 'not in', ofConnections)
      .returningAll()
      .execute();
    const [row] = rows;
    if (row && escalate) await refuseEscalation(trx, row, escalate);
    if (row && webhooksPaused !== undefined)
      row.webhooks_paused_at = await pauseWebhooks(trx, id, webhooksPaused, database.clock.now());
    const [source] = await viewSources(trx, rows);
    if (!source) throw unknownSource();
    return source;
  });
}

async function refuseEscalation(
  trx: Transaction,
  row: Pick<Schema['sources'], 'may_ask'>,
  steps: Escalate,
): Promise<void> {
  const [judged] = await within(trx, judgeEscalations([steps], row, { personIds: [], seconds: Infinity }));
  if (judged && judged.faults.length > 0) throw invalid(judged.faults);
}
