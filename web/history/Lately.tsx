import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { Inquiry } from '#shared/inquiry.ts';
import { history } from '../live/history.ts';
import { connection } from '../live/store.ts';
import { clockTime } from '../ui/times.ts';
import { visible } from '#shared/visible.ts';
import { Record } from './Record.tsx';
import { historyWords } from './words.ts';

const SHOWN = 3;

/** What was decided last, beside an inbox in which nothing waits. */
export function Lately() {
  const words = historyWords();
  const items = useSignal<Inquiry[]>([]);
  const live = connection.value === 'live';
  useEffect(() => {
    if (live) void history().then((page) => 'items' in page && (items.value = page.items.slice(0, SHOWN)));
  }, [live]);
  const last = items.value.find(({ resolution }) => resolution?.by.kind === 'person')?.resolution;
  if (items.value.length === 0) return null;
  return (
    <aside class="side lately" aria-label={words.lately}>
      {last?.by.kind === 'person' && (
        <p class="aside lede">{words.lastAnswered(clockTime(Date.parse(last.at)), visible(last.by.device.name))}</p>
      )}
      <ul class="recs">
        {items.value.map((inquiry) => (
          <Record key={inquiry.id} alike={[inquiry]} />
        ))}
      </ul>
    </aside>
  );
}
