import './history.css';
import { useState } from 'preact/hooks';
import { me } from '../live/session.ts';
import { now, serverNow } from '../ui/clock.ts';
import { Head } from '../ui/shell/Head.tsx';
import { language } from '../ui/language.ts';
import { Quiet } from '../ui/Button.tsx';
import { capital, dayName } from '../ui/times.ts';
import { explain } from '../app/form/explain.ts';
import { historyFile } from '../live/history.ts';
import { byDay } from './byDay.ts';
import { HistoryPlaces } from './HistoryPlaces.tsx';
import { Past } from './Past.tsx';
import { toFilter, search, seekAs } from './search.ts';
import { Seek } from './Seek.tsx';
import { useReading } from './useReading.ts';
import { historyWords } from './words.ts';

/** What was settled, newest first, and the way to find it again and to export it. */
export function History() {
  const words = historyWords();
  seekAs(me.value?.person.id);
  const read = useReading();
  const sought = Object.keys(toFilter(search.value, now.value)).length > 0;
  const unanswered = read.items.filter(({ resolution }) => resolution?.outcome === 'expired').length;
  const empty = read.items.length === 0 && !sought;
  const clauses = empty
    ? ([words.none, words.noneMore] as const)
    : sought
      ? ([words.found(read.items.length, read.further)] as const)
      : ([words.head, words.headMore(read.items.length, unanswered)] as const);
  // Drawn as an empty panel; the head has said it.
  const nothing = empty && !read.busy && !read.problem;
  return (
    <>
      <aside class="side" aria-label={words.findLabel}>
        <Head clauses={clauses}>
          <HistoryPlaces here="/history" />
          <Seek />
          {!empty && <Export />}
        </Head>
      </aside>
      <main class="page" id="open" aria-busy={read.busy ? 'true' : undefined} aria-label={words.head}>
        <section class={`panel${nothing ? ' ruled' : ''}`}>
          <p class="sr" role="status">
            {!read.busy && sought ? words.found(read.items.length, read.further) : ''}
          </p>
          {byDay(read.items, (at) => capital(dayName(at, now.value, language.value))).map(([day, items]) => (
            <div key={day}>
              <h2 class="day">{day}</h2>
              <ul class="rows rows--past">
                {items.map((inquiry) => (
                  <Past key={inquiry.id} inquiry={inquiry} whole />
                ))}
              </ul>
            </div>
          ))}
          {read.items.length === 0 && !nothing && (
            <p class="say day">{read.busy ? words.loading : sought ? words.nothingFound : ''}</p>
          )}
          {read.problem && (
            <p class="say" role="alert">
              {explain(read.problem)} <Quiet onPress={read.more}>{words.retry}</Quiet>
            </p>
          )}
          {read.further && !read.problem && (
            <div class="say">
              <Quiet onPress={read.more}>{words.more}</Quiet>
            </div>
          )}
        </section>
      </main>
    </>
  );
}

type State = 'ready' | 'fetching' | 'failed';

/** What is sought, as one file for a spreadsheet or a program. */
function Export() {
  const words = historyWords();
  const [state, turn] = useState<State>('ready');
  const take = async (format: 'csv' | 'json') => {
    if (state === 'fetching') return;
    turn('fetching');
    const file = await historyFile(toFilter(search.peek(), serverNow()), format);
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
