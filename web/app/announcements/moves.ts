import type { Inquiry } from '#shared/inquiry.ts';
import { isOpenHere, openInquiryId, takesWords } from '../../live/inquiries.ts';
import { dismiss } from '../../live/acts.ts';
import { entries } from '../../live/store.ts';
import { isHeld } from '../../ui/held-key.ts';
import { go } from '../../ui/place.ts';
import { titleOf } from '../../inquiry/view/Title.tsx';
import { shownOrder } from '../../inbox/many/long.ts';

const ROW = 'a.entry, a.row:not(.missed a)';
// Where words can be written no letter walks: it was meant to be typed.
const FIELDS = '.inquiry :is(textarea, [contenteditable], input:not([type=radio], [type=checkbox]))';
// Nor right after others, as when typing runs on.
const PAUSE_MS = 600;

/** Arrows walk the list and from inquiry to inquiry, Delete puts the focused one away on this device; returns how to stop. */
export function listenForKeys(onHelp: () => void): () => void {
  let typedAt = -Infinity;
  const hear = (event: KeyboardEvent) => {
    const walks = event.key === 'j' || event.key === 'k';
    const act = isFree(event) && (!walks || event.timeStamp - typedAt > PAUSE_MS) ? findAct(event, onHelp) : undefined;
    if (!act) return;
    event.preventDefault();
    act();
  };
  const note = ({ key, timeStamp }: KeyboardEvent) => {
    if (!/^([jk]|Arrow.*)$/.test(key)) typedAt = timeStamp;
  };
  // What is typed in fields too.
  addEventListener('keydown', note, true);
  addEventListener('keydown', hear);
  return () => {
    removeEventListener('keydown', note, true);
    removeEventListener('keydown', hear);
  };
}

function isFree(event: KeyboardEvent): boolean {
  const { target } = event;
  if (event.defaultPrevented || isHeld(event) || event.isComposing || event.metaKey || event.ctrlKey || event.altKey)
    return false;
  if (document.querySelector('dialog[open]')) return false;
  return !(target instanceof Element && target.closest('input, textarea, select, [contenteditable], [role=toolbar]'));
}

function findAct({ key, target }: KeyboardEvent, onHelp: () => void): (() => void) | undefined {
  const open = openInquiryId.peek() !== undefined;
  const entry = target instanceof Element ? target.closest(ROW) : null;
  switch (key) {
    case '?':
      return open && (!entry || takesWords.peek()) ? undefined : onHelp;
    case 'ArrowLeft':
      return inquiryAct(open ? neighbours().before?.id : undefined);
    case 'ArrowRight':
      return inquiryAct(open ? neighbours().after?.id : undefined);
    case 'k':
    case 'j':
      return takesWords.peek() || document.querySelector(FIELDS)
        ? undefined
        : stepAct(key === 'j' ? 1 : -1, open, entry);
    case 'ArrowUp':
      return entry || !open ? entryAct(entry, -1) : undefined;
    case 'ArrowDown':
      return entry || !open ? entryAct(entry, 1) : undefined;
    case 'Delete':
    case 'Backspace':
      return entry instanceof HTMLAnchorElement ? awayAct(entry) : undefined;
    default:
      return undefined;
  }
}

function stepAct(by: 1 | -1, open: boolean, entry: Element | null): (() => void) | undefined {
  if (entry || !open) return entryAct(entry, by);
  return inquiryAct(by === 1 ? neighbours().after?.id : neighbours().before?.id);
}

function inquiryAct(id: string | undefined): (() => void) | undefined {
  return id === undefined ? undefined : () => go(`/i/${id}`);
}

function entryAct(from: Element | null, by: 1 | -1): (() => void) | undefined {
  const to = entryBeside(from, by);
  return to && (() => to.focus());
}

function entryBeside(from: Element | null, by: 1 | -1): HTMLAnchorElement | undefined {
  const entries = [...document.querySelectorAll<HTMLAnchorElement>(ROW)].filter((entry) => entry.checkVisibility());
  return entries[from ? entries.indexOf(from as HTMLAnchorElement) + by : 0];
}

function awayAct(entry: HTMLAnchorElement): () => void {
  return () => {
    (entryBeside(entry, 1) ?? entryBeside(entry, -1))?.focus();
    void dismiss(decodeURIComponent(entry.pathname.slice('/i/'.length)));
  };
}

// The system's own back gesture begins at the edge.
const EDGE_PX = 28;
const BEGINS_PX = 14;
const SHARE = 0.3;

type Swipe = { panel: HTMLElement; x: number; y: number; dx: number; on: boolean };

/** An inquiry swiped aside shows the one beside it, whose name stands on the page meanwhile; nothing is decided or lost. Returns how to stop. */
export function followSwipes(): () => void {
  let swipe: Swipe | undefined;
  const label = document.createElement('p');
  label.className = 'swipe-to';
  label.ariaHidden = 'true';
  const start = (event: TouchEvent) => {
    const [touch, second] = event.touches;
    const panel = event.target instanceof Element ? event.target.closest<HTMLElement>('.inquiry > .panel') : null;
    const free = touch && !second && panel && mayBegin(event.target as Element, touch);
    swipe = free ? { panel, x: touch.clientX, y: touch.clientY, dx: 0, on: false } : undefined;
  };
  const move = (event: TouchEvent) => {
    const [touch] = event.touches;
    if (!swipe || !touch) return;
    const [dx, dy] = [touch.clientX - swipe.x, touch.clientY - swipe.y];
    if (!swipe.on && Math.abs(dy) > BEGINS_PX) swipe = undefined;
    else if (swipe.on || Math.abs(dx) > Math.max(BEGINS_PX, 2 * Math.abs(dy))) drag(swipe, dx, event, label);
  };
  const end = () => {
    label.remove();
    if (swipe?.on) release(swipe);
    swipe = undefined;
  };
  document.addEventListener('touchstart', start, { passive: true });
  document.addEventListener('touchmove', move, { passive: false });
  document.addEventListener('touchend', end);
  document.addEventListener('touchcancel', end);
  return () => {
    document.removeEventListener('touchstart', start);
    document.removeEventListener('touchmove', move);
    document.removeEventListener('touchend', end);
    document.removeEventListener('touchcancel', end);
  };
}

function mayBegin(target: Element, touch: Touch): boolean {
  if (touch.clientX < EDGE_PX || touch.clientX > innerWidth - EDGE_PX) return false;
  if ((visualViewport?.scale ?? 1) > 1.05 || getSelection()?.isCollapsed === false) return false;
  if (target.closest('input, textarea, select, [contenteditable], dialog')) return false;
  for (let one: Element | null = target; one && !one.matches('.panel'); one = one.parentElement)
    if (one.scrollWidth > one.clientWidth + 1 && /auto|scroll/.test(getComputedStyle(one).overflowX)) return false;
  return true;
}

function drag(swipe: Swipe, dx: number, event: TouchEvent, label: HTMLElement): void {
  event.preventDefault();
  swipe.on = true;
  swipe.dx = dx;
  const to = towards(dx);
  swipe.panel.style.transform = `translateX(${to ? dx : dx / 5}px)`;
  label.textContent = to ? titleOf(to) : '';
  label.dataset['side'] = dx < 0 ? 'end' : 'start';
  label.classList.toggle('is-far', isFar(swipe));
  if (!label.isConnected) swipe.panel.parentElement?.append(label);
}

function release(swipe: Swipe): void {
  const { panel, dx } = swipe;
  const to = isFar(swipe) ? towards(dx) : undefined;
  if (to) return go(`/i/${to.id}`);
  panel.classList.add('is-back');
  panel.style.transform = '';
  setTimeout(() => panel.classList.remove('is-back'), 200);
}

function towards(dx: number) {
  const { before, after } = neighbours();
  return dx < 0 ? after : before;
}

function isFar({ panel, dx }: Swipe): boolean {
  return Math.abs(dx) > panel.clientWidth * SHARE;
}

/** The waiting inquiries before and after the open one, in the order of the inbox. */
function neighbours(): { before?: Inquiry; after?: Inquiry } {
  const open = openInquiryId.peek();
  const waiting = entries
    .peek()
    .filter((one) => one.inquiry.id === open || isOpenHere(one))
    .map(({ inquiry }) => inquiry);
  const order = shownOrder.peek();
  const place = (id: string) => order?.indexOf(id) ?? 0;
  if (order && place(open ?? '') >= 0) waiting.sort((a, b) => place(a.id) - place(b.id));
  const at = waiting.findIndex(({ id }) => id === open);
  if (at < 0) return {};
  const [before, after] = [waiting[at - 1], waiting[at + 1]];
  return { ...(before ? { before } : {}), ...(after ? { after } : {}) };
}
