import { HEARTBEAT_MS } from '#shared/live.ts';
import { tryNow } from '../deliveries/again.ts';
import { withdrawIfOpen } from '../inquiries/withdraw.ts';
import type { SimHub } from './hub.ts';
import type { Must, Page } from './page.ts';

/** An endpoint that hung rests for 30 s, a lease of a sender that died runs out in a minute. */
const ROUNDS = 5;
const ROUND_MS = 20_000;

/** Once all is healed everybody answers what they see, sources take the rest back, and owners try their webhooks at once. */
export async function comeToRest(hub: SimHub, pages: Page[]): Promise<void> {
  const { schedule, database, nodes } = hub;
  for (const page of pages)
    schedule.after(0, () => {
      for (const id of page.state.open.keys()) page.answer(id, false);
    });
  await schedule.pass(5_000);
  const open = await database.read
    .selectFrom('inquiries')
    .select(['id', 'source_id'])
    .where('resolution', 'is', null)
    .execute();
  for (const { id, source_id } of open)
    schedule.after(0, () => void withdrawIfOpen(nodes[0]!.inquiries, source_id, id).catch(() => undefined));
  for (let round = 0; round < ROUNDS; round++) {
    await schedule.pass(ROUND_MS);
    const owed = await database.read.selectFrom('deliveries').selectAll().where('state', '=', 'pending').execute();
    if (owed.length === 0) break;
    for (const { id, source_id: sourceId } of owed) {
      const { database: own, wakeDeliveries } = nodes[0]!.inquiries;
      // What is under way, or was tried a moment ago, is refused.
      const tried = () => tryNow(own, { id, viewer: { sourceId }, now: own.clock.now() }).then(wakeDeliveries);
      schedule.after(0, () => void tried().catch(() => undefined));
    }
  }
  await schedule.pass(2 * HEARTBEAT_MS);
}

/** What is left that anybody still waits for, once everything is answered and nothing fails any more; nothing is what must hold. */
export async function checkRest({ database, nodes }: SimHub, pages: Page[], must: Must): Promise<void> {
  const { read, clock } = database;
  const open = await read.selectFrom('inquiries').select('id').where('resolution', 'is', null).execute();
  for (const { id } of open) must(false, 'RES1: it never ends', id);
  const leased = await read.selectFrom('inquiries').select('id').where('lease_until', 'is not', null).execute();
  for (const { id } of leased) must(false, 'RES1: what ended is leased', id);
  const asked = await read.selectFrom('recipients').select('inquiry_id as id').where('open', '=', 1).execute();
  for (const { id } of asked) must(false, 'RES1: what ended is asked of somebody', id);
  const owed = await read
    .selectFrom('deliveries')
    .innerJoin('sources', 'sources.id', 'deliveries.source_id')
    .select('name')
    .where('state', '=', 'pending')
    .execute();
  for (const { name } of owed) must(name === 'poison', `DLV1: a webhook is owed for ever to ${name}`);
  // Those to devices without a subscription are dropped by the hour.
  const pushes = await read
    .selectFrom('pushes')
    .innerJoin('subscriptions', 'subscriptions.device_id', 'pushes.device_id')
    .select('subject_id')
    .where('pushes.due_at', '<', clock.now() - 5_000)
    .execute();
  must(pushes.length === 0, `WDR1: ${pushes.length} pushes are due and nobody sends them`);
  const proposals = await read.selectFrom('proposals').select('inquiry_id as id').execute();
  for (const { id } of proposals) must(false, 'POL8: a decider is to decide what ended', id);
  const yolos = await read.selectFrom('yolos').select('id').where('ended_at', 'is', null).execute();
  must(yolos.length === 0, 'POL6: YOLO runs for ever');
  for (const node of nodes) must(node.inquiries.answering.size === 0, 'RES1: an answer is under way for ever');
  for (const { device, state } of pages)
    must(state.open.size === 0, `LIV1: ${device.name} still shows ${state.open.size} of what ended`);
}
