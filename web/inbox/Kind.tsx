import type { Inquiry } from '#shared/inquiry.ts';
import { Icon } from '../ui/Icon.tsx';
import { readKind, readStakes } from './stakes.ts';
import { inboxWords } from './words.ts';

/** Begins a row: what the inquiry is, on a ground that says what is at stake. */
export function Kind({ inquiry }: { inquiry: Inquiry }) {
  const looks = readStakes(inquiry).map((stake) => ` kind--${stake}`);
  return (
    <span class={`kind${looks.join('')}`} aria-hidden="true">
      <Icon name={readKind(inquiry)} />
    </span>
  );
}

/** The same as words before a title, for who reads by ear. */
export function KindAloud({ inquiry }: { inquiry: Inquiry }) {
  const { kinds, stakes, comma, colon } = inboxWords();
  const said = [kinds[readKind(inquiry)], ...readStakes(inquiry).map((stake) => stakes[stake].toLowerCase())];
  return <span class="sr">{said.join(comma) + colon}</span>;
}
