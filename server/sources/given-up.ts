import type { Selectable } from 'kysely';
import { wrongOrder } from '#shared/connections/timeouts.ts';
import type { Source } from '#shared/wire.ts';
import { iso } from '../platform/clock.ts';
import type { Database } from '../platform/database.ts';
import type { Schema } from '../platform/schema.ts';
import { commitWith, statement } from '../platform/steps.ts';

/** A call that ends sooner was ended by somebody, and not by a clock. */
const LEAST_MS = 5_000;
/** So far apart two calls may end that the same clock ended. */
const ALIKE_MS = 1_500;
/** After so many in a row it is the client's clock. */
const ENOUGH = 3;

const note = statement(
  `update sources set
    gave_up_count = case when abs(gave_up_ms - cast(?2 as bigint)) <= ${ALIKE_MS} then gave_up_count + 1 else 1 end,
    gave_up_ms = ?2, gave_up_of_ms = ?3, gave_up_at = ?4
  where id = ?1`,
);
const forget = statement(
  `update sources set gave_up_count = 0 where id = ?1 and gave_up_count > 0 and gave_up_ms + ${ALIKE_MS} < cast(?2 as bigint)`,
);

/** Notes that a client waited so long and gave up while its question, of `ofMs`, was open. */
export async function noteGivenUp(
  { steps, clock }: Database,
  sourceId: string,
  waitedMs: number,
  ofMs: number,
): Promise<void> {
  if (waitedMs < LEAST_MS) return;
  await steps(() => commitWith({ noted: note(sourceId, Math.round(waitedMs), Math.round(ofMs), clock.now()) }));
}

/** Forgets it where a client now waited longer and got its answer. */
export async function noteWaited({ steps }: Database, sourceId: string, waitedMs: number): Promise<void> {
  if (waitedMs < LEAST_MS) return;
  await steps(() => commitWith({ forgotten: forget(sourceId, Math.round(waitedMs)) }));
}

/** The time-outs of a source whose client gave up again and again after the same time, before the hub did. */
export function viewTimeouts(row: Selectable<Schema['sources']>): Pick<Source, 'timeouts'> {
  const { gave_up_count: count, gave_up_ms: ms, gave_up_of_ms: ofMs, gave_up_at: at } = row;
  if (count < ENOUGH || ms === null || ofMs === null || at === null) return {};
  const order = wrongOrder(Math.round(ms / 1000), Math.round(ofMs / 1000));
  return order ? { timeouts: { client: order.client, hub: order.hub, device: order.device, at: iso(at) } } : {};
}
