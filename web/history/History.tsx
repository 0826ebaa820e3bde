import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { Inquiry } from '#shared/inquiry.ts';
import type { Problem } from '#shared/problem.ts';
import { me } from '../live/session.ts';
import { held, history } from '../live/store.ts';
import { now } from '../ui/clock.ts';
import { Head } from '../ui/desk/Head.tsx';
import { Icon } from '../ui/Icon.tsx';
import { language } from '../ui/language.ts';
import { Quiet } from '../ui/Slab.tsx';
import { dayName } from '../ui/times.ts';
import { Past } from './Past.tsx';
import { byDay, sift } from './sift.ts';
import { type HistoryFilter, historyWords } from './words.ts';

/** What was settled, newest first: outcome, who, on what, when, the answer, and what came late. */
export function History() {
  const words = historyWords();
  const read = useReading();
  const filter = useSignal<HistoryFilter>('all');
  const word = useSignal('');
  const shown = sift(read.items, filter.value, word.value, me.value?.person.handle);
  const unanswered = read.items.filter(({ resolution }) => resolution?.outcome === 'expired').length;
  const empty = read.items.length === 0;
  return (
    <>
      <aside class="side" aria-label={words.findLabel}>
        <Head
          clauses={empty ? [words.none, words.noneMore] : [words.head, words.headMore(read.items.length, unanswered)]}
        >
          <div class="find">
            <Icon name="search" />
            <input
              type="search"
              aria-label={words.findLabel}
              placeholder={words.find}
              value={word.value}
              onInput={(event) => (word.value = event.currentTarget.value)}
            />
          </div>
          <div class="filters" role="group" aria-label={words.filterLabel}>
            {(Object.keys(words.filters) as HistoryFilter[]).map((name) => (
              <Quiet key={name} pressed={filter.value === name} onPress={() => (filter.value = name)}>
                {words.filters[name]}
              </Quiet>
            ))}
          </div>
        </Head>
      </aside>
      <main class="page" id="open" aria-busy={read.busy ? 'true' : undefined} aria-label={words.head}>
        <section class="sheet">
          {byDay(shown, (at) => capital(dayName(at, now.value, language.value))).map(([day, items]) => (
            <div key={day}>
              <h2 class="day">{day}</h2>
              <ul class="rows rows--past">
                {items.map((inquiry) => (
                  <Past key={inquiry.id} inquiry={inquiry} />
                ))}
              </ul>
            </div>
          ))}
          {shown.length === 0 && <p class="say day">{read.busy ? words.loading : empty ? '' : words.nothingFound}</p>}
          {read.problem && (
            <p class="say" role="alert">
              {read.problem.detail} <Quiet onPress={() => void read.more()}>{words.retry}</Quiet>
            </p>
          )}
          {read.further && !read.problem && (
            <div class="say">
              <Quiet onPress={() => void read.more()}>{words.more}</Quiet>
            </div>
          )}
        </section>
      </main>
    </>
  );
}

function useReading() {
  const items = useSignal<Inquiry[]>([]);
  const cursor = useSignal<string | undefined>(undefined);
  const busy = useSignal(true);
  const problem = useSignal<Problem | undefined>(undefined);
  const more = async (from = cursor.value, before = items.value) => {
    busy.value = true;
    const page = await history(from);
    busy.value = false;
    problem.value = 'problem' in page ? page.problem : undefined;
    if ('problem' in page) return;
    const known = new Set(before.map(({ id }) => id));
    items.value = [...before, ...page.items.filter(({ id }) => !known.has(id))];
    cursor.value = page.nextCursor;
  };
  // What is settled while the history is open appears at its top.
  const open = held.value.filter(({ fate }) => !fate).length;
  useEffect(() => void more(undefined, []), [open]);
  return { items: items.value, busy: busy.value, problem: problem.value, further: cursor.value !== undefined, more };
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
