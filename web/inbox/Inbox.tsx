import type { RefObject } from 'preact';
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import type { InquiryEntry } from '../live/entry.ts';
import { connection, entries } from '../live/store.ts';
import { now, useTicking } from '../ui/clock.ts';
import { Boundary } from '../ui/Boundary.tsx';
import { Head } from '../ui/shell/Head.tsx';
import { lazy, optional } from '../app/lazy.tsx';
import { route } from '../app/route.ts';
import { openInquiryId } from '../live/inquiries.ts';
import { arrange, type Card } from './arrange.ts';
import { Entry, Hide } from './Entry.tsx';
import { isLong, selection } from './many/long.ts';
import { PlainRow } from './PlainRow.tsx';
import { inboxWords } from './words.ts';

const Empty = lazy(() => import('./Empty.tsx').then(({ Empty: ready }) => ready), Looking);
// A short list needs none of them.
const Many = lazy(() => import('./many/Many.tsx').then(({ Many: ready }) => ready));
const ManyHead = lazy(() => import('./many/Many.tsx').then(({ ManyHead: ready }) => ready));
const fetchApart = () => import('./Apart.tsx');
// What waits is drawn first.
const LATER_MS = 500;
const Missed = lazy(async () => {
  await new Promise((done) => setTimeout(done, LATER_MS));
  return (await fetchApart()).Missed;
}, optional);
const Queued = lazy(() => import('./Queued.tsx').then(({ Queued: ready }) => ready), optional);
const FoldedEntries = lazy(() => fetchApart().then(({ FoldedEntries: ready }) => ready), optional);
const Later = lazy(() => fetchApart().then(({ Later: ready }) => ready), optional);
const Chosen = lazy(() => import('./select/Chosen.tsx').then(({ Chosen: ready }) => ready));

// Whether anything waits is not known yet.
function Looking() {
  return (
    <main class="page" id="open" aria-busy="true" aria-label={inboxWords().looking}>
      <section class="panel ruled" />
    </main>
  );
}

/** What waits: a head that says how many and until when, and an entry for each; beside an inquiry it is the index. */
export function Inbox({ beside }: { beside: boolean }) {
  const words = inboxWords();
  const { waiting, queued, cards, dismissed, cut, later } = arrange(entries.value);
  useTicking(waiting.length > 0);
  const list = useSavedScroll(beside);
  const grouped = isLong.value;
  if (waiting.length + queued.length + dismissed.length + cut.length + later.length === 0 && !beside)
    return connection.value === 'connecting' ? <Looking /> : <Empty />;
  const selecting = grouped && selection.value !== undefined;
  const look = selecting ? 'index is-selecting' : 'index';
  const lists = (
    <>
      {grouped ? (
        <ManyHead {...{ waiting, beside }} offline={queued.length > 0 ? clauses(waiting, queued) : undefined} />
      ) : (
        <Head clauses={clauses(waiting, queued)} level={beside ? 2 : 1} />
      )}
      <Boundary>
        <Missed />
      </Boundary>
      {queued.length > 0 && <Queued entries={queued} />}
      {grouped && (
        <Boundary
          of={waiting}
          otherwise={waiting.map(({ inquiry }) => (
            <PlainRow key={inquiry.id} inquiry={inquiry} />
          ))}
        >
          <Many />
        </Boundary>
      )}
      {queued.length > 0 && !grouped && cards.length > 0 && <p class="rubric">{words.waiting}</p>}
      {!grouped && cards.length > 0 && (
        <ul class="entries">
          {cards.map((card) => (
            <li key={card.key} class={card.entries.length > 1 ? 'group' : undefined}>
              <Inquiries card={card} />
            </li>
          ))}
        </ul>
      )}
      {later.length > 0 && <Later entries={later} />}
      {cut.length > 0 && <FoldedEntries cut={cut} />}
      {dismissed.length > 0 && <FoldedEntries dismissed={dismissed} />}
      {selecting && <Chosen />}
    </>
  );
  return beside ? (
    <aside class={look} ref={list} aria-label={words.waiting}>
      {lists}
    </aside>
  ) : (
    <main class={look} id="open">
      {lists}
    </main>
  );
}

function Inquiries({ card }: { card: Card }) {
  const words = inboxWords();
  const [only, ...more] = card.entries;
  if (only && more.length === 0) return <Swipeable entry={only} />;
  return (
    <>
      <p class="entry-group">{words.together(card.entries.length)}</p>
      <ul>
        {card.entries.map((entry) => (
          <li key={entry.inquiry.id}>
            <Swipeable entry={entry} />
          </li>
        ))}
      </ul>
    </>
  );
}

function Swipeable({ entry }: { entry: InquiryEntry }) {
  return (
    <div class="swipe">
      <Entry entry={entry} />
      <Hide inquiryId={entry.inquiry.id} />
    </div>
  );
}

function clauses(waiting: InquiryEntry[], queued: InquiryEntry[]): [string] | [string, string] {
  const words = inboxWords();
  if (connection.value === 'offline' && queued.length > 0) return [words.offline, words.offlineWaits(queued.length)];
  const [first] = waiting;
  if (!first) return [words.nothing];
  return [words.wait(waiting.length), words.first(Date.parse(first.inquiry.deadlineAt), now.value, waiting.length)];
}

// How far down the list was: the page of a phone, the column of a desktop.
const saved = { page: 0, column: 0 };

const SIGNS = ['wheel', 'pointerdown', 'focusin'] as const;

/** Puts the list back to where it was when somebody returns to it, and keeps the open question's row in view. */
function useSavedScroll(beside: boolean): RefObject<HTMLElement | null> {
  const list = useRef<HTMLElement>(null);
  useLayoutEffect(() => {
    if (beside) list.current?.scrollTo(0, saved.column);
    else scrollTo(0, saved.page);
    const keep = () => {
      // A page that goes to a question is scrolled up before its list is gone.
      if (!beside && route.peek().page === 'inbox') saved.page = scrollY;
      if (beside && list.current) saved.column = list.current.scrollTop;
    };
    const scroller = beside ? list.current : window;
    scroller?.addEventListener('scroll', keep, { passive: true });
    return () => scroller?.removeEventListener('scroll', keep);
  }, [beside]);
  const open = openInquiryId.value;
  useEffect(() => {
    const index = list.current;
    if (!beside || !index) return undefined;
    const show = () => index.querySelector('[aria-current=true]')?.scrollIntoView({ block: 'nearest' });
    show();
    // Rows that come later move it, until the person goes through the list.
    const watcher = new MutationObserver(show);
    watcher.observe(index, { childList: true, subtree: true });
    const stop = () => watcher.disconnect();
    for (const sign of SIGNS) index.addEventListener(sign, stop, { passive: true });
    return () => {
      stop();
      for (const sign of SIGNS) index.removeEventListener(sign, stop);
    };
  }, [open, beside]);
  return list;
}
