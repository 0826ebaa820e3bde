import type { Inquiry } from '#shared/inquiry.ts';
import { openLetter } from '../../live/letters.ts';
import { held } from '../../live/store.ts';

/** The waiting letters before and after the open one, in the order of the inbox. */
export function neighbours(): { before?: Inquiry; after?: Inquiry } {
  const open = openLetter.peek();
  const letters = held
    .peek()
    .filter(({ inquiry, fate }) => inquiry.id === open || (!fate && !inquiry.dismissed))
    .map(({ inquiry }) => inquiry);
  const at = letters.findIndex(({ id }) => id === open);
  if (at < 0) return {};
  const [before, after] = [letters[at - 1], letters[at + 1]];
  return { ...(before ? { before } : {}), ...(after ? { after } : {}) };
}
