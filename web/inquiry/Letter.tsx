import { Awaited } from '../app/Awaited.tsx';
import { later } from '../app/later.tsx';
import type { Held } from '../live/held.ts';
import { held } from '../live/store.ts';
import { Calls } from './kinds/parts.ts';
import { fetchForms, needsForms } from './reply/form/ready.ts';

// The list needs none of it, so a page that shows only the list does not wait for it.
const fetchBody = async () => {
  const [{ LetterBody: ready }, { fetchWords }] = await Promise.all([import('./LetterBody.tsx'), import('./words.ts')]);
  await fetchWords();
  return ready;
};
const bodyWith = (...more: (() => Promise<void>)[]) =>
  later(() => Promise.all([fetchBody(), ...more.map((fetchMore) => fetchMore())]).then(([ready]) => ready), Awaited);
const LetterBody = bodyWith();
const LetterWithForms = bodyWith(fetchForms);
const LetterWithCalls = bodyWith(Calls.fetch);

/** Fetches what every letter is shown with, and those that wait; where it cannot, they fetch it themselves. */
export async function fetchAhead(): Promise<void> {
  await Promise.allSettled([...new Set([LetterBody, ...held.peek().map(bodyOf)])].map((body) => body.fetch()));
}

/** One inquiry as a letter: open, on its way, or settled. Give it a `key` of the inquiry's id. */
export function Letter({ inquiryId }: { inquiryId: string }) {
  const one = held.value.find(({ inquiry }) => inquiry.id === inquiryId);
  if (!one) return null;
  const Body = bodyOf(one);
  return <Body held={one} />;
}

function bodyOf(one: Held | undefined) {
  return one?.inquiry.actions ? LetterWithCalls : one && needsForms(one.inquiry) ? LetterWithForms : LetterBody;
}
