import { isOpenHere } from '../../live/inquiries.ts';
import { entries } from '../../live/store.ts';

/** How many panels show their edges under this one: none, one or two, as an attribute. */
export function beneath(inquiryId: string): '1' | '2' | undefined {
  const others = entries.value.filter((one) => isOpenHere(one) && one.inquiry.id !== inquiryId).length;
  return others === 0 ? undefined : others === 1 ? '1' : '2';
}
