import type { Inquiries } from '../inquiries.ts';

/**
 * Uses a resolution up, once on all nodes: true for the one call that may act on it. False when it was
 * collected before, or there is none. Written before it returns, so that no crash lets a second call act (ASK5).
 */
export async function claim({ database, collected }: Inquiries, inquiryId: string): Promise<boolean> {
  if (collected.has(inquiryId)) return false;
  const claimed = await database.transaction((trx) =>
    trx
      .updateTable('inquiries')
      .set({ collected_at: database.clock.now() })
      .where('id', '=', inquiryId)
      .where('resolution', 'is not', null)
      .where('collected_at', 'is', null)
      .returning('id')
      .executeTakeFirst(),
  );
  return claimed !== undefined;
}
