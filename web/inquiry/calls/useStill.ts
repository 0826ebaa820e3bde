import { useEffect } from 'preact/hooks';

const LOOK_MS = 50;
const STILL_MS = 350;
const MOVED_PX = 4;
// What the person does moves the bar too, as lines grow that are written on.
const OWN_MS = 300;
const OWN = ['input', 'change', 'keydown'] as const;

/**
 * Lets no tap through to an inquiry's buttons for a moment after they were moved by something that arrived: it was meant
 * for what stood there before. Scrolling is no move, and keys do not aim.
 */
export function useStill(): void {
  useEffect(() => {
    let last: Place | undefined;
    let movedAt = -Infinity;
    let ownAt = -Infinity;
    const look = () => {
      const here = measurePlace(document.querySelector('.inquiry .bar-do'));
      // What came of the person's own press, a refusal above the buttons, moves them too.
      const moved =
        here?.refused === last?.refused &&
        here &&
        last &&
        [here.seen - last.seen, here.laid - last.laid].every((by) => Math.abs(by) > MOVED_PX);
      if (moved && performance.now() - ownAt > OWN_MS) movedAt = performance.now();
      last = here;
    };
    const own = () => (ownAt = performance.now());
    const tap = (event: MouseEvent) => {
      look();
      const aimed = event.detail > 0 && event.target instanceof Element && event.target.closest('.inquiry .bar');
      if (!aimed || performance.now() - movedAt > STILL_MS) return;
      event.preventDefault();
      event.stopPropagation();
    };
    const timer = setInterval(look, LOOK_MS);
    addEventListener('click', tap, true);
    for (const sign of OWN) addEventListener(sign, own, true);
    return () => {
      clearInterval(timer);
      removeEventListener('click', tap, true);
      for (const sign of OWN) removeEventListener(sign, own, true);
    };
  }, []);
}

type Place = { seen: number; laid: number; refused: boolean };

// Where it is in the window, and where in what scrolls; and whether a refusal stands above it.
function measurePlace(buttons: Element | null): Place | undefined {
  if (!buttons) return undefined;
  const seen = buttons.getBoundingClientRect().top;
  const scrolled = (buttons.closest('.inquiry')?.scrollTop ?? 0) + (document.scrollingElement?.scrollTop ?? 0);
  return { seen, laid: seen + scrolled, refused: document.querySelector('.inquiry .refused') !== null };
}
