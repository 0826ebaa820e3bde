import { titleOf } from '../../inquiry/view/Title.tsx';
import { go } from '../../ui/place.ts';
import { neighbours } from './neighbours.ts';

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
