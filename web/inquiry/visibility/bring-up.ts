import { elementOf, floor, foldOf } from './on-screen.ts';
import type { Edge } from './parts.ts';

const MARGIN_PX = 24;

/** Scrolls to a part that was not seen, a window at a time where it is longer, and gives it the focus. */
export function bringUp(edge: Edge): void {
  const element = elementOf(edge);
  if (!element) return;
  const unfold = foldOf(element);
  if (edge.endsWith(':end')) unfold?.click();
  const scroller = scrollerOf(element);
  const ceiling = scroller === document.scrollingElement ? 0 : scroller.getBoundingClientRect().top;
  const { top, bottom } = element.getBoundingClientRect();
  const page = Math.max(MARGIN_PX, floor() - ceiling - 3 * MARGIN_PX);
  const toTop = top - ceiling - MARGIN_PX;
  const toEnd = bottom - floor() + MARGIN_PX;
  // Of what goes on below the next window is shown, not its end: everything between is to be read too.
  const begins = edge.endsWith(':top') || toTop > 0 || (unfold?.matches('.file-fold') ?? false);
  const by = begins ? toTop : toEnd < 0 ? toEnd : unfold ? page : Math.min(toEnd, page);
  scroller.scrollBy({ top: by, behavior: 'instant' });
  element.tabIndex = -1;
  element.focus({ preventScroll: true });
}

/** Opens every file of the calls that is folded. */
export function openFiles(): void {
  for (const fold of document.querySelectorAll<HTMLElement>('.inquiry .file-fold[aria-expanded=false]')) fold.click();
}

// A desktop scrolls inside its panel, a phone the whole page.
function scrollerOf(element: HTMLElement): Element {
  const view = element.closest('.inquiry');
  const inner = view && getComputedStyle(view).overflowY !== 'visible' && view.scrollHeight > view.clientHeight;
  return inner ? view : (document.scrollingElement ?? document.documentElement);
}
