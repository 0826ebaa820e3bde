import type { Inquiry } from '#shared/inquiry.ts';
import { isOpenHere, openInquiryId } from '../../live/inquiries.ts';
import { entries } from '../../live/store.ts';
import { shownOrder } from '../../inbox/many/view.ts';

/** The waiting inquiries before and after the open one, in the order of the inbox. */
export function neighbours(): { before?: Inquiry; after?: Inquiry } {
  const open = openInquiryId.peek();
  const waiting = entries
    .peek()
    .filter((one) => one.inquiry.id === open || isOpenHere(one))
    .map(({ inquiry }) => inquiry);
  const order = shownOrder.peek();
  const place = (id: string) => order?.indexOf(id) ?? 0;
  if (order && place(open ?? '') >= 0) waiting.sort((a, b) => place(a.id) - place(b.id));
  const at = waiting.findIndex(({ id }) => id === open);
  if (at < 0) return {};
  const [before, after] = [waiting[at - 1], waiting[at + 1]];
  return { ...(before ? { before } : {}), ...(after ? { after } : {}) };
}
