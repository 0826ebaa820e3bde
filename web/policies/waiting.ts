import type { Inquiry } from '#shared/inquiry.ts';
import { isOpenHere } from '../live/inquiries.ts';
import { me } from '../live/session.ts';
import { entries } from '../live/store.ts';
import { offersAlways } from './always/extents.ts';
import { waitingToo } from './waiting-too.ts';

/** Asks about what waits: single calls of which a rule could approve each, and that this fits. */
export function offerWaiting(fits: (inquiry: Inquiry) => boolean | undefined): void {
  const handle = me.peek()?.person.handle;
  waitingToo.value = entries
    .peek()
    .filter(isOpenHere)
    .map(({ inquiry }) => inquiry)
    .filter((inquiry) => inquiry.actions?.length === 1 && offersAlways(inquiry, handle) && fits(inquiry));
}
