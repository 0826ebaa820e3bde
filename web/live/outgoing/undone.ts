const KEPT_MOST = 20;

/** Answers that were undone on this device: they are never to be sent. */
export const undone = noted('beckon.undone');
/** Answers that were held back and have left: they can be undone no more, also where their reply never came. */
export const gone = noted('beckon.left');

/**
 * Notes answers at once, on all pages of this device: what is kept of an answer itself is changed a moment later, and a
 * page that is closed in between would find it as it was.
 */
function noted(keptAs: string) {
  const read = (): string[] => {
    try {
      const ids: unknown = JSON.parse(localStorage.getItem(keptAs) ?? '[]');
      return Array.isArray(ids) ? ids.filter((id) => typeof id === 'string') : [];
    } catch {
      return [];
    }
  };
  return {
    has: (answerId: string) => read().includes(answerId),
    note(answerIds: readonly string[]): void {
      if (answerIds.length === 0) return;
      try {
        localStorage.setItem(keptAs, JSON.stringify([...read(), ...answerIds].slice(-KEPT_MOST)));
      } catch {
        // Then only the change itself counts.
      }
    },
  };
}
