import { readArgsText } from '../../live/inquiries.ts';
import { isDestructive } from '#shared/call-name/destructive.ts';
import type { Action, Inquiry } from '#shared/inquiry.ts';
import { isCautious } from '../reply/state.ts';
import { toFiles } from './diff.ts';
import { readExact } from './exact.ts';
import { listStretches } from './stretches.ts';

/**
 * One thing to look at: what is asked and told, or a call's name, its arguments, a text that it puts into a file, or one
 * file, as `data-part` names it in the page.
 */
export type Part = { id: string; call: number; kind: 'prose' | 'name' | 'args' | 'text' | 'file' };
/** One end of a part, as it is remembered when it was on the screen. */
export type Edge = `${string}:${'top' | 'end'}`;

/** What stands in the page for these calls, in its order. */
export function listParts(inquiry: Inquiry): Part[] {
  const prose: Part = { id: 'prose', call: 0, kind: 'prose' };
  const calls = (inquiry.actions ?? []).flatMap((action, call): Part[] => [
    ...(isCautious(inquiry) && tellsMore(inquiry, action)
      ? [{ id: `${call}.prose`, call, kind: 'prose' } as const]
      : []),
    { id: `${call}.name`, call, kind: 'name' },
    ...(showsArgs(action, readArgsText(inquiry, call))
      ? listStretches(action, readExact(readArgsText(inquiry, call))).map(
          ({ id, kind }) => ({ id: `${call}.${id}`, call, kind }) as const,
        )
      : []),
    ...toFiles(action.diff).map((_, at) => ({ id: `${call}.file.${at}`, call, kind: 'file' }) as const),
  ]);
  // With caution all that is said of it is read first.
  return isCautious(inquiry) ? [prose, ...calls] : calls;
}

/** True for one of several calls that stands below a description of its own. */
function tellsMore({ actions = [] }: Inquiry, { description }: Action): boolean {
  return actions.length > 1 && description !== undefined && description.trim() !== '';
}

/** A call that says all in its diff shows no empty arguments. */
export function showsArgs(action: Action, argsText: string): boolean {
  return !action.diff?.length || !/^\s*\{\s*\}\s*$/.test(argsText);
}

/** True where the end of files is to be seen too: several calls, one that cannot be taken back, or one that destroys. */
function isStrict(inquiry: Inquiry): boolean {
  return (inquiry.actions?.length ?? 0) > 1 || isCautious(inquiry) || (inquiry.actions ?? []).some(isDestructive);
}

/**
 * What must have been on the screen before any of these calls can be approved: what runs to its end, of a file's text and
 * of a diff the head that counts its lines; their ends too where `toEnd` or the calls want it.
 */
export function required(inquiry: Inquiry, toEnd = false): Edge[] {
  const strict = toEnd || isStrict(inquiry);
  return listParts(inquiry).flatMap((part): Edge[] => {
    const headOnly = !strict && (part.kind === 'file' || part.kind === 'text');
    return headOnly ? [`${part.id}:top`] : toEdges(part);
  });
}

export function toEdges({ id }: Part): Edge[] {
  return [`${id}:top`, `${id}:end`];
}

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
  const element = findElement(edge);
  if (!element || document.visibilityState !== 'visible') return false;
  // What is folded in the middle has not been read, though the end is there.
  if (edge.endsWith(':end') && findFold(element)) return false;
  const { top, bottom, left, right } = element.getBoundingClientRect();
  const strip = Math.min(bottom - top, stripHeight(edge));
  const [from, to] = edge.endsWith(':top') ? [top, top + strip] : [bottom - strip, bottom];
  const inset = Math.min(INSET_PX, strip / 4);
  return (
    strip > 0 &&
    [from + inset, to - inset].every((y) =>
      [left + INSET_PX, (left + right) / 2, right - INSET_PX].every((x) => shows(element, x, y, edge)),
    )
  );
}

function stripHeight(edge: Edge): number {
  return edge.endsWith(':end') ? END_PX : edge.includes('.file.') ? FILE_TOP_PX : TOP_PX;
}

/** How many px of a part lie below what the window shows; less than 0 when it ends above the bar or was passed. */
export function pxBelow(id: string): number {
  const element = findElement(`${id}:end`);
  return element ? element.getBoundingClientRect().bottom - floor() : 0;
}

/** About how many lines of a part lie below, those included that are still folded. */
export function linesBelow(id: string): number {
  const element = findElement(`${id}:end`);
  if (!element) return 0;
  const line = Number.parseFloat(getComputedStyle(element.querySelector('pre, td, .hunk > *') ?? element).lineHeight);
  const folded = [...element.querySelectorAll<HTMLElement>(FOLD)].map(({ dataset }) => dataset['lines']);
  const hidden = folded.reduce((sum, lines) => sum + Number(lines), 0);
  return Math.max(1, Math.round(Math.max(0, pxBelow(id)) / (line || 22)) + hidden);
}

/** True once the calls stand on the page and take taps: one that is just arriving takes none. */
export function isDrawn([first]: readonly Edge[]): boolean {
  return first === undefined || (findElement(first) !== null && !document.querySelector('.inquiry .is-arriving'));
}

/** What opens the first of a part that is folded. */
export function findFold(element: HTMLElement): HTMLElement | null {
  return element.querySelector(FOLD);
}

/** The element of a part. */
export function findElement(edge: Edge): HTMLElement | null {
  const part = document.querySelector<HTMLElement>(`[data-part="${edge.slice(0, edge.lastIndexOf(':'))}"]`);
  // Words in a line have no corners of their own once they wrap.
  return part && getComputedStyle(part).display === 'inline' ? part.parentElement : part;
}

/** Where the bar begins, or the window ends. */
function floor(): number {
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

const MARGIN_PX = 24;

/** Scrolls to a part that was not seen, a window at a time where it is longer, and gives it the focus. */
export function bringUp(edge: Edge): void {
  const element = findElement(edge);
  if (!element) return;
  const unfold = findFold(element);
  if (edge.endsWith(':end')) unfold?.click();
  const ceiling = ceilingOf(element);
  const { top, bottom } = element.getBoundingClientRect();
  const page = Math.max(MARGIN_PX, floor() - ceiling - 3 * MARGIN_PX);
  const toTop = top - ceiling - MARGIN_PX;
  const toEnd = bottom - floor() + MARGIN_PX;
  // Of what goes on below the next window is shown, not its end: everything between is to be read too.
  const begins = edge.endsWith(':top') || toTop > 0 || (unfold?.matches('.file-fold') ?? false);
  const by = begins ? toTop : toEnd < 0 ? toEnd : unfold ? page : Math.min(toEnd, page);
  scroll(element, by);
}

/** Opens all that is folded of the calls and goes to this edge at once, for who will not read a window at a time. */
export function goTo(edge: Edge): void {
  for (const fold of document.querySelectorAll<HTMLElement>(`.inquiry ${FOLD}`)) fold.click();
  // Once it is drawn.
  requestAnimationFrame(() => {
    const element = findElement(edge);
    if (!element) return;
    const { top, bottom } = element.getBoundingClientRect();
    scroll(element, edge.endsWith(':end') ? bottom - floor() + MARGIN_PX : top - ceilingOf(element) - MARGIN_PX);
  });
}

function scroll(element: HTMLElement, by: number): void {
  findScroller(element).scrollBy({ top: by, behavior: 'instant' });
  element.tabIndex = -1;
  element.focus({ preventScroll: true });
}

function ceilingOf(element: HTMLElement): number {
  const scroller = findScroller(element);
  return scroller === document.scrollingElement ? 0 : scroller.getBoundingClientRect().top;
}

// A desktop scrolls inside its panel, a phone the whole page.
function findScroller(element: HTMLElement): Element {
  const view = element.closest('.inquiry');
  const inner = view && getComputedStyle(view).overflowY !== 'visible' && view.scrollHeight > view.clientHeight;
  return inner ? view : (document.scrollingElement ?? document.documentElement);
}
