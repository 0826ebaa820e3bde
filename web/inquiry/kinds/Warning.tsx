import { dialogWords } from '../words.ts';

/** The ruled warning over a call that cannot be taken back. */
export function Warning() {
  const words = dialogWords();
  return (
    <p class="warn">
      <span>
        <b>{words.call.caution}</b>
        {words.call.cautionMore}
      </span>
    </p>
  );
}
