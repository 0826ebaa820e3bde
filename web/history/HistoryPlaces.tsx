import { Places } from '../ui/shell/Places.tsx';
import { historyWords } from './words.ts';

/** The places under History, as words. */
export function HistoryPlaces({ here }: { here: '/history' | '/attention' }) {
  const t = historyWords();
  return (
    <Places
      sub
      label={t.places}
      here={here}
      places={[
        ['/history', t.answers],
        ['/attention', t.attention],
      ]}
    />
  );
}
