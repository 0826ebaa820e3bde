import type { InquiryEntry } from '../live/entry.ts';
import { connection, entries } from '../live/store.ts';
import { now, useTicking } from '../ui/clock.ts';
import { Head } from '../ui/shell/Head.tsx';
import { arrange, type Card } from './arrange.ts';
import { lazy } from '../app/lazy.tsx';
import { Entry, QueuedEntry } from './Entry.tsx';
import { Hide } from './Hide.tsx';
import { isLong, selection } from './many/long.ts';
import { useSavedScroll } from './useSavedScroll.ts';
import { inboxWords } from './words.ts';

const Empty = lazy(() => import('./Empty.tsx').then(({ Empty: ready }) => ready), Looking);
// A short list needs none of them.
const Many = lazy(() => import('./many/Many.tsx').then(({ Many: ready }) => ready));
const ManyHead = lazy(() => import('./many/ManyHead.tsx').then(({ ManyHead: ready }) => ready));
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
  const { waiting, queued, cards, dismissed } = arrange(entries.value);
  useTicking(waiting.length > 0);
  const list = useSavedScroll(beside);
  const grouped = isLong.value;
  if (waiting.length + queued.length + dismissed.length === 0 && !beside)
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
      {queued.length > 0 && (
        <ul class="entries">
          {queued.map((entry) => (
            <li key={entry.inquiry.id}>
              <QueuedEntry entry={entry} />
            </li>
          ))}
        </ul>
      )}
      {grouped && <Many />}
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
      {dismissed.length > 0 && <HiddenHere entries={dismissed} />}
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

function HiddenHere({ entries }: { entries: InquiryEntry[] }) {
  const words = inboxWords();
  return (
    <details class="folded">
      <summary>
        <span class="link">{words.dismissed(entries.length)}</span>
      </summary>
      <ul class="entries">
        {entries.map((entry) => (
          <li key={entry.inquiry.id}>
            <Entry entry={entry} />
          </li>
        ))}
      </ul>
    </details>
  );
}

function clauses(waiting: InquiryEntry[], queued: InquiryEntry[]): [string] | [string, string] {
  const words = inboxWords();
  if (connection.value === 'offline' && queued.length > 0) return [words.offline, words.offlineWaits(queued.length)];
  const [first] = waiting;
  if (!first) return [words.nothing];
  return [
    words.waitForYou(waiting.length),
    words.first(Date.parse(first.inquiry.deadlineAt), now.value, waiting.length),
  ];
}
