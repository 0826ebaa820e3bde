import { dismiss } from '../live/store.ts';
import { inboxWords } from './words.ts';

/** What a swipe to the left uncovers: only a press on it hides the question here, and it says what the agent gets. */
export function Hide({ inquiryId }: { inquiryId: string }) {
  const words = inboxWords();
  return (
    <button type="button" tabIndex={-1} onClick={() => void dismiss(inquiryId)}>
      {words.dismiss}
      <small>{words.dismissMore}</small>
    </button>
  );
}
