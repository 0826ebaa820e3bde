import type { Database } from '../../platform/database.ts';
import { dropShown } from './want.ts';

/** Notes that a worker really drew a notification on this device (ms): the way there and back works. */
export async function notificationShown(database: Database, deviceId: string, subjectId: string): Promise<void> {
  const now = database.clock.now();
  await database.transaction(async (trx) => {
    await dropShown(trx, [{ subjectId, deviceId }]);
    await trx.updateTable('subscriptions').set({ shown_at: now }).where('device_id', '=', deviceId).execute();
  });
}
