/** Answers that were undone on this device: they are never to be sent. */
export const undone = noted('beckon.undone');
/** Answers that were held back and have left: they can be undone no more, also where their reply never came. */
export const gone = noted('beckon.left');

type Answer = { answerId: string; inquiryId: string };

/**
 * Notes answers at once, on all pages of this device: what is kept of an answer itself is changed a moment later, and a
 * page that is closed in between would find it as it was. None is forgotten while its inquiry is open or it is kept
 * (`forget.ts`).
 */
function noted(keptAs: string) {
  const here = new Set<string>();
  return {
    keptAs,
    has: (answerId: string) => here.has(answerId) || isNoted(keptAs, answerId),
    /** False where this browser refuses: then only this page knows of it. */
    note(answers: readonly Answer[]): boolean {
      for (const { answerId } of answers) here.add(answerId);
      try {
        for (const { answerId, inquiryId } of answers)
          localStorage.setItem(`${keptAs}.${answerId}`, `${inquiryId} ${Date.now()}`);
        if (answers.length > 0)
          localStorage.setItem(keptAs, JSON.stringify([...listed(keptAs), ...answers.map(({ answerId }) => answerId)]));
        return true;
      } catch {
        return false;
      }
    },
  };
}

function isNoted(keptAs: string, answerId: string): boolean {
  try {
    return localStorage.getItem(`${keptAs}.${answerId}`) !== null || listed(keptAs).includes(answerId);
  } catch {
    return false;
  }
}

/** The list that a page of the version before reads and writes: it keeps the last 20. */
export function listed(keptAs: string): unknown[] {
  const ids: unknown = JSON.parse(localStorage.getItem(keptAs) || '[]');
  return Array.isArray(ids) ? ids : [];
}
