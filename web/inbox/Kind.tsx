import { kindOf } from '#shared/fit.ts';
import type { Inquiry } from '#shared/inquiry.ts';
import { Icon } from '../ui/Icon.tsx';
import { inboxWords, type KindName } from './words.ts';

/** What is at stake: nothing that is said, a call that destroys, one with caution, or one that is urgent. */
type Stake = 'urgent' | 'caution';

/** Which of the six kinds an inquiry is for whoever answers it. */
export function readKind(inquiry: Inquiry): KindName {
  const kind = kindOf(inquiry);
  if (kind === 'actions') return 'approval';
  if (kind === 'document' || kind === 'link') return kind;
  const [only, more] = inquiry.questions ?? [];
  if (more || only?.type === 'form') return 'form';
  return only && only.type !== 'text' ? 'choice' : 'question';
}

/** All that is at stake, the most pressing first. */
export function readStakes({ urgency, actions = [] }: Inquiry): Stake[] {
  return [
    ...(urgency === 'high' ? (['urgent'] as const) : []),
    ...(actions.some(({ caution }) => caution) ? (['caution'] as const) : []),
  ];
}

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
