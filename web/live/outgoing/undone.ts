const KEPT_AS = 'beckon.undone';
const KEPT_MOST = 20;

/**
 * Notes at once that these answers are never to be sent: what is kept of them goes a moment later, and a page that is
 * closed in between would find them again.
 */
export function noteUndone(answerIds: readonly string[]): void {
  try {
    localStorage.setItem(KEPT_AS, JSON.stringify([...read(), ...answerIds].slice(-KEPT_MOST)));
  } catch {
    // Then only the removal counts.
  }
}

/** True for an answer that was undone on this device. */
export function isUndone(answerId: string): boolean {
  return read().includes(answerId);
}

function read(): string[] {
  try {
    const noted: unknown = JSON.parse(localStorage.getItem(KEPT_AS) ?? '[]');
    return Array.isArray(noted) ? noted.filter((id) => typeof id === 'string') : [];
  } catch {
    return [];
  }
}
