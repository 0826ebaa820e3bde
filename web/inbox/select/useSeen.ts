import { useSignal } from '@preact/signals';
import type { RefObject } from 'preact';
import { useEffect } from 'preact/hooks';

const LOOK_MS = 50;
// As much of a call's beginning and end as has to be there to be read.
const STRIP_PX = 20;

// What its sender says of it stands below what runs.
const EDGES = ['top', 'ran', 'end'];

/** Which calls of a list were on the screen from beginning to end, and how to bring up the first that was not. */
export type Seen = { unseen: readonly string[]; show: () => void };

/** Watches the children of a scrolling list, each with its id in `data-call`. */
export function useSeen(list: RefObject<HTMLElement | null>, ids: readonly string[]): Seen {
  const seen = useSignal<ReadonlySet<string>>(new Set());
  const unseen = ids.filter((id) => EDGES.some((edge) => !seen.value.has(`${id}:${edge}`)));
  const done = unseen.length === 0;
  useEffect(() => {
    if (done) return undefined;
    let last: ReadonlySet<string> = new Set();
    const look = () => {
      const here = new Set(list.current ? edgesOnScreen(list.current) : []);
      // Twice in a row, for what only flew past was not seen.
      const stayed = [...here].filter((edge) => last.has(edge) && !seen.peek().has(edge));
      last = here;
      if (stayed.length > 0) seen.value = new Set([...seen.peek(), ...stayed]);
    };
    const timer = setInterval(look, LOOK_MS);
    return () => clearInterval(timer);
  }, [done]);
  return {
    unseen,
    show() {
      const box = list.current;
      const next = [...(box?.children ?? [])].find((call) => unseen.includes(idOf(call)));
      if (!box || !next) return;
      const [call, window] = [next.getBoundingClientRect(), box.getBoundingClientRect()];
      // A call longer than the list is shown a window at a time once its beginning was seen, to its last part of a px.
      const toEnd = Math.ceil(call.bottom - window.bottom);
      const goesOn = seen.peek().has(`${idOf(next)}:top`) && toEnd > 0;
      const by = goesOn ? Math.min(box.clientHeight - STRIP_PX, toEnd) : call.top - window.top;
      box.scrollBy({ top: by, behavior: 'instant' });
    },
  };
}

function edgesOnScreen(list: HTMLElement): string[] {
  if (document.visibilityState !== 'visible') return [];
  const view = window.visualViewport;
  const box = list.getBoundingClientRect();
  const ceiling = Math.max(box.top, view?.offsetTop ?? 0) - 1;
  const floor = Math.min(box.bottom, view ? view.offsetTop + view.height : innerHeight) + 1;
  if (view && (view.offsetLeft > box.left + STRIP_PX || view.offsetLeft + view.width < box.right - STRIP_PX)) return [];
  return [...list.children].flatMap((call) => {
    const { top, bottom } = call.getBoundingClientRect();
    const begins = top >= ceiling && top + STRIP_PX <= floor;
    const shows = (end: number) => end <= floor && end - STRIP_PX >= ceiling;
    const ends = shows(bottom);
    const ran = shows((call.querySelector('.call-code') ?? call).getBoundingClientRect().bottom);
    // What fits is seen whole; only what is longer than the list is seen by its ends.
    const fits = bottom - top <= floor - ceiling;
    if (fits && !(begins && ends)) return [];
    const here = [begins, ran, ends];
    return EDGES.filter((_edge, at) => here[at]).map((edge) => `${idOf(call)}:${edge}`);
  });
}

function idOf(call: Element): string {
  return (call instanceof HTMLElement && call.dataset['call']) || '';
}
