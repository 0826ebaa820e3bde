import type { OwnHeaders } from '../deliveries/dispatch.ts';
import { readNotTaken } from '../deliveries/read.ts';
import type { Inquiries } from '../inquiries/inquiries.ts';
import { ownHeaders, unsealed } from './config.ts';

/** What sending webhooks needs of the hub: what signs them, the owner's headers, and telling people what was not taken. */
export function createAnswers(inquiries: () => Inquiries) {
  return {
    sealingKey: () => inquiries().sealingKey,
    ownHeaders: ((sealed, url) => ownHeaders(unsealed(inquiries().sealingKey, sealed), url)) satisfies OwnHeaders,
    /** Tells the devices of those who were asked that the platform had another answer. A hint: their history says it too. */
    async notTaken(inquiryId: string): Promise<void> {
      const { database, announce } = inquiries();
      if (!(await readNotTaken(database.read, [inquiryId])).has(inquiryId)) return;
      const people = database.read.selectFrom('recipients').select('person_id').where('inquiry_id', '=', inquiryId);
      announce.notTaken({ inquiryId, personIds: (await people.execute()).map((row) => row.person_id) });
    },
  };
}
