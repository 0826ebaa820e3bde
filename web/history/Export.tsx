import { useState } from 'preact/hooks';
import { historyFile } from '../live/history.ts';
import { serverNow } from '../ui/clock.ts';
import { Quiet } from '../ui/Button.tsx';
import { filterOf, search } from './search.ts';
import { historyWords } from './words.ts';

type State = 'ready' | 'fetching' | 'failed';

/** What is sought, as one file for a spreadsheet or a program. */
export function Export() {
  const words = historyWords();
  const [state, turn] = useState<State>('ready');
  const take = async (format: 'csv' | 'json') => {
    if (state === 'fetching') return;
    turn('fetching');
    const file = await historyFile(filterOf(search.peek(), serverNow()), format);
    if (file) save(file, `beckon-history.${format}`);
    turn(file ? 'ready' : 'failed');
  };
  return (
    <p class="export">
      {words.export}{' '}
      <Quiet label={words.asCsv} onPress={() => void take('csv')}>
        CSV
      </Quiet>{' '}
      <Quiet label={words.asJson} onPress={() => void take('json')}>
        JSON
      </Quiet>
      <span role="status">
        {state === 'fetching' && words.fetching}
        {state === 'failed' && words.notFetched}
      </span>
    </p>
  );
}

// The token stands in a header, which no plain link can carry.
function save(file: Blob, name: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(file);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}
