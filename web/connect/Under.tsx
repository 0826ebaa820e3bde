import { Places } from '../ui/shell/Places.tsx';
import { say } from '../ui/language.ts';
import { words } from './words.ts';

/** The places under Connect. */
export function Under({ here }: { here: '/connect' | '/sources' | '/connections' }) {
  const t = say(words);
  return (
    <Places
      sub
      label={t.title}
      here={here}
      places={[
        ['/connect', t.agent],
        ['/sources', t.sources],
        ['/connections', t.connections],
      ]}
    />
  );
}
