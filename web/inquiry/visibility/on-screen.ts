import type { Edge } from './parts.ts';

// How much of a beginning and of an end has to be there to be read; a file begins with its path.
const TOP_PX = 40;
const FILE_TOP_PX = 84;
const END_PX = 24;
// The bar fades out what comes to lie under it (bar.css).
const FADE_PX = 22;
const INSET_PX = 6;
const FOLD = 'button[data-lines]';

/**
 * True when this end of a part can be read now. It asks the browser what stands at its corners, because an
 * IntersectionObserver does not know of a banner, dialog, sticky bar or keyboard that lies over it.
 */
export function isOnScreen(edge: Edge): boolean {
  const element = elementOf(edge);
  if (!element || document.visibilityState !== 'visible') return false;
  // What is folded in the middle has not been read, though the end is there.
  if (edge.endsWith(':end') && foldOf(element)) return false;
  const { top, bottom, left, right } = element.getBoundingClientRect();
  const strip = Math.min(bottom - top, stripOf(edge));
  const [from, to] = edge.endsWith(':top') ? [top, top + strip] : [bottom - strip, bottom];
  const inset = Math.min(INSET_PX, strip / 4);
  return (
    strip > 0 &&
    [from + inset, to - inset].every((y) =>
      [left + INSET_PX, (left + right) / 2, right - INSET_PX].every((x) => shows(element, x, y, edge)),
    )
  );
}

function stripOf(edge: Edge): number {
  return edge.endsWith(':end') ? END_PX : edge.includes('.file.') ? FILE_TOP_PX : TOP_PX;
}

/** How many px of a part lie below what the window shows; less than 0 when it ends above the bar or was passed. */
export function pxBelow(id: string): number {
  const element = elementOf(`${id}:end`);
  return element ? element.getBoundingClientRect().bottom - floor() : 0;
}

/** About how many lines of a part lie below, those included that are still folded. */
export function linesBelow(id: string): number {
  const element = elementOf(`${id}:end`);
  if (!element) return 0;
  const line = Number.parseFloat(getComputedStyle(element.querySelector('pre, td, .hunk > *') ?? element).lineHeight);
  const folded = [...element.querySelectorAll<HTMLElement>(FOLD)].map(({ dataset }) => dataset['lines']);
  const hidden = folded.reduce((sum, lines) => sum + Number(lines), 0);
  return Math.max(1, Math.round(Math.max(0, pxBelow(id)) / (line || 22)) + hidden);
}

/** True once the calls stand on the page and take taps: one that is just arriving takes none. */
export function isDrawn([first]: readonly Edge[]): boolean {
  return first === undefined || (elementOf(first) !== null && !document.querySelector('.inquiry .is-arriving'));
}

/** What opens the first of a part that is folded. */
export function foldOf(element: HTMLElement): HTMLElement | null {
  return element.querySelector(FOLD);
}

/** The element of a part. */
export function elementOf(edge: Edge): HTMLElement | null {
  const part = document.querySelector<HTMLElement>(`[data-part="${edge.slice(0, edge.lastIndexOf(':'))}"]`);
  // Words in a line have no corners of their own once they wrap.
  return part && getComputedStyle(part).display === 'inline' ? part.parentElement : part;
}

/** Where the bar begins, or the window ends. */
export function floor(): number {
  const view = window.visualViewport;
  const end = view ? view.offsetTop + view.height : innerHeight;
  return Math.min(end, (document.querySelector('.inquiry .bar')?.getBoundingClientRect().top ?? end) - FADE_PX);
}

function shows(element: HTMLElement, x: number, y: number, edge: Edge): boolean {
  const view = window.visualViewport;
  if (view && (x < view.offsetLeft || x > view.offsetLeft + view.width || y < view.offsetTop)) return false;
  const hit = y <= floor() ? document.elementFromPoint(x, y) : null;
  // A file's own jump stays at the window's top, and so may lie over its last lines.
  return element.contains(hit) && !(edge.endsWith(':end') && hit?.closest('.changes'));
}
