import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import type { Inquiry } from '#shared/inquiry.ts';
import type { Problem } from '#shared/problem.ts';
import { history } from '../live/history.ts';
import { connection, entries } from '../live/store.ts';
import { serverNow } from '../ui/clock.ts';
import { toFilter, search } from './search.ts';

const TYPING_MS = 250;

export type Reading = {
  items: Inquiry[];
  busy: boolean;
  /** Something was read, or could not be. */
  begun: boolean;
  problem: Problem | undefined;
  /** There may be earlier ones. */
  further: boolean;
  more: () => void;
};

/** Reads what the search seeks, page by page; what is settled meanwhile, here or elsewhere, appears at its top. */
export function useReading(): Reading {
  const items = useSignal<Inquiry[]>([]);
  const cursor = useSignal<string | undefined>(undefined);
  const busy = useSignal(true);
  const begun = useSignal(false);
  const problem = useSignal<Problem | undefined>(undefined);
  const turn = useRef(0);
  const read = async (from: string | undefined) => {
    const thisTurn = ++turn.current;
    busy.value = true;
    const page = await history(toFilter(search.peek(), serverNow()), from);
    // Meanwhile something else is sought.
    if (thisTurn !== turn.current) return;
    busy.value = false;
    begun.value = true;
    problem.value = 'problem' in page ? page.problem : undefined;
    if ('problem' in page) return;
    const before = from === undefined ? [] : items.peek();
    const known = new Set(before.map(({ id }) => id));
    items.value = [...before, ...page.items.filter(({ id }) => !known.has(id))];
    cursor.value = page.nextCursor;
  };
  const open = entries.value.filter(({ resolution }) => !resolution).length;
  const first = useRef(true);
  useEffect(() => {
    const wait = first.current ? 0 : TYPING_MS;
    first.current = false;
    const timer = setTimeout(() => void read(undefined), wait);
    return () => clearTimeout(timer);
  }, [search.value, open, connection.value === 'live']);
  return {
    items: items.value,
    busy: busy.value,
    begun: begun.value,
    problem: problem.value,
    further: cursor.value !== undefined,
    more: () => void read(cursor.peek()),
  };
}
