import { useMemo, useState } from 'preact/hooks';
import { me } from '../live/session.ts';
import { now, serverNow } from '../ui/clock.ts';
import { Head } from '../ui/shell/Head.tsx';
import { language } from '../ui/language.ts';
import { Quiet } from '../ui/Button.tsx';
import { capital, dayName } from '../ui/times.ts';
import { SourceIcon } from '../ui/post/SourceIcon.tsx';
import { UntrustedText } from '../ui/UntrustedText.tsx';
import { useWide } from '../app/browser/wide.ts';
import { explain } from '../app/form/explain.ts';
import { historyFile } from '../live/history.ts';
import { HistoryPlaces } from './HistoryPlaces.tsx';
import { Record } from './Record.tsx';
import { countOutcomes, type Day, toDays } from './records.ts';
import { everything, toFilter, search, seekAs } from './search.ts';
import { Seek } from './Seek.tsx';
import { type Reading, useReading } from './useReading.ts';
import { historyWords } from './words.ts';

/** What was decided or missed, newest first, and the way to find it again and to export it. */
export function History() {
  const words = historyWords();
  seekAs(me.value?.person.id);
  const wide = useWide();
  const read = useReading();
  const sought = Object.keys(toFilter(search.value, now.value)).length > 0;
  const empty = read.items.length === 0;
  const today = new Date(now.value).toDateString();
  const days = useMemo(
    () => toDays(read.items, (at) => capital(dayName(at, now.peek(), language.value))),
    [read.items, language.value, today],
  );
  return (
    <>
      <aside class="side" aria-label={words.findLabel}>
        <Head clauses={[sayHead(read, sought)]}>
          {/* How many lines the head has is known only then; what stands below it would move. */}
          <div hidden={!read.begun}>
            <HistoryPlaces here="/history" />
            <Seek />
            {wide && !empty && <Export />}
          </div>
        </Head>
      </aside>
      <main class="page" id="open" aria-busy={read.busy ? 'true' : undefined} aria-label={words.places}>
        <section class="panel" hidden={!read.begun}>
          <p class="sr" role="status">
            {!read.busy && sought ? sayHead(read, sought) : ''}
          </p>
          {days.map((day) => (
            <OfDay key={day.day} {...day} />
          ))}
          {empty && !read.problem && <Nothing sought={sought} />}
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
          {!wide && !empty && (
            <div class="say">
              <Export />
            </div>
          )}
        </section>
      </main>
    </>
  );
}

/** How things stand, or what was found. */
function sayHead({ items, begun, further }: Reading, sought: boolean): string {
  const words = historyWords();
  const { words: typed } = search.value;
  if (!begun) return words.places;
  if (items.length === 0) return sought ? words.notFound(typed.trim()) : words.none;
  const { answered, missed } = countOutcomes(items);
  return typed.trim() === '' && answered + missed > 0
    ? words.head(answered, missed, further ? items.length : undefined)
    : words.found(items.length, further);
}

function OfDay({ day, runs }: Day) {
  const words = historyWords();
  return (
    <>
      <h2>{day}</h2>
      {runs.map(({ key, inquiry: { source }, name, count, ofCalls, records }) => (
        <div key={key}>
          <h3 class="run-head">
            <SourceIcon sourceId={source.id} name={source.name} />
            <span dir="auto">
              <UntrustedText text={source.name} />
            </span>
            {name && (
              <small dir="auto">
                <UntrustedText text={name} />
              </small>
            )}
            <small>{ofCalls ? words.calls(count) : words.count(count)}</small>
          </h3>
          <ul class="recs">
            {records.map((alike) => (
              <Record key={alike[0]?.id} alike={alike} whole />
            ))}
          </ul>
        </div>
      ))}
    </>
  );
}

/** Says what will stand here, or how to look further. */
function Nothing({ sought }: { sought: boolean }) {
  const words = historyWords();
  if (!sought) return <p class="blank">{words.noneMore}</p>;
  const { when } = search.value;
  return (
    <div class="blank">
      <Quiet onPress={() => (search.value = everything)}>{words.clear}</Quiet>
      {when !== 'any' && (
        <Quiet onPress={() => (search.value = { ...search.peek(), when: 'any' })}>{words.allTime}</Quiet>
      )}
    </div>
  );
}

/** What is sought, as one file for a spreadsheet or a program. */
function Export() {
  const words = historyWords();
  const [state, turn] = useState<'ready' | 'fetching' | 'failed'>('ready');
  const take = async (format: 'csv' | 'json') => {
    if (state === 'fetching') return;
    turn('fetching');
    const file = await historyFile(toFilter(search.peek(), serverNow()), format);
    if (file) save(file, `beckon-history.${format}`);
    turn(file ? 'ready' : 'failed');
  };
  return (
    <p class="export">
      <Quiet onPress={() => void take('csv')}>{words.asCsv}</Quiet>{' '}
      <Quiet onPress={() => void take('json')}>{words.asJson}</Quiet>
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
