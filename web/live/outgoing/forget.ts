import { known } from '../inquiries.ts';
import { recallAll } from '../stored.ts';
import { gone, listed, undone } from './undone.ts';

// A page of this device that slept may still hold an answer that is kept nowhere.
const SLEPT_MS = 86_400_000;
const OLDER_MOST = 20;

/** Forgets notes that nothing needs any more, by what is open and kept on this device. */
export async function forgetOlderNotes(): Promise<void> {
  const kept = new Set((await recallAll('answer:')).map(([answerId]) => answerId));
  const { open } = known.peek();
  forgetNotes(
    (inquiryId) => open.has(inquiryId),
    (answerId) => kept.has(answerId),
  );
}

/** Forgets what was noted a day ago or longer of answers whose inquiry is not open any more and that are not kept. */
export function forgetNotes(isOpen: (inquiryId: string) => boolean, isKept: (answerId: string) => boolean): void {
  for (const { keptAs } of [undone, gone]) {
    for (const key of Object.keys(localStorage)) {
      if (!key.startsWith(`${keptAs}.`)) continue;
      const [inquiryId = '', at] = (localStorage.getItem(key) ?? '').split(' ');
      const isOld = !(Math.abs(Date.now() - Number(at)) < SLEPT_MS);
      if (isOld && !isOpen(inquiryId) && !isKept(key.slice(keptAs.length + 1))) localStorage.removeItem(key);
    }
    const list = listed(keptAs);
    const left = list.filter(
      (id, at) => at >= list.length - OLDER_MOST || localStorage.getItem(`${keptAs}.${String(id)}`) !== null,
    );
    if (left.length < list.length) localStorage.setItem(keptAs, JSON.stringify(left));
  }
}
