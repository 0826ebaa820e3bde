import { wantShown } from '../../deliveries/push/want.ts';
import { batch, statement, type Steps } from '../../platform/steps.ts';
import { REACH_MS } from '../../inquiries/expire.ts';
import type { InquiryRow } from '../../inquiries/store.ts';
import { readRecipients } from '../../inquiries/versions.ts';

const tellSubscribed = statement(
  `update inquiry_devices set told_at = ?2 where inquiry_id = ?1 and told_at is null
  and exists (select 1 from subscriptions where subscriptions.device_id = inquiry_devices.device_id and trouble is null)`,
);
const awaitReach = statement('update inquiries set reach_due_at = ?2 where id = ?1 and resolution is null');

/** Wakes those who were asked quietly, as if they were asked now: nobody decides in their place. Returns how many pushes. */
export function* notify({ id, deadline_at: giveUpAt }: InquiryRow, now: number): Steps<number> {
  const personIds = yield* readRecipients(id);
  const { pushes } = yield* batch({
    pushes: wantShown({ subjectId: id, personIds, giveUpAt, now }),
    told: tellSubscribed(id, now),
    awaited: awaitReach(id, now + REACH_MS),
  });
  return pushes.length;
}
