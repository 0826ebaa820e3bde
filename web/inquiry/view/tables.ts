import { effect } from '@preact/signals';
import { say } from '../../ui/language.ts';

const words = {
  en: {
    more: (count: number, names: string) =>
      `${count} more ${count === 1 ? 'column' : 'columns'}${names && `: ${names}`}`,
    and: ', ',
  },
  zh: { more: (count: number, names: string) => `右侧还有 ${count} 列${names && `：${names}`}`, and: '、' },
};
const NAMED = 4;
// A watcher for each of thousands would keep a phone busy; those can be scrolled all the same.
const WATCHED_MOST = 100;
/** Of a column that is cut so much can be read that it need not be named. */
const READABLE_PX = 24;

/**
 * Keeps the first column of each table in view that is wider than its place, and says below it which columns are out of
 * sight at its end; returns what stops that.
 */
export function watchTables(within: HTMLElement): () => void {
  const stops = Array.from(within.querySelectorAll('table')).slice(0, WATCHED_MOST).map(watch);
  return () => stops.forEach((stop) => stop());
}

function watch(table: HTMLTableElement): () => void {
  const told = document.createElement('p');
  told.className = 'columns-more';
  // Whoever listens hears the whole table.
  told.ariaHidden = 'true';
  table.after(told);
  const look = () => {
    table.classList.toggle('is-wide', table.scrollWidth > table.clientWidth + 1);
    const names = hidden(table);
    const t = say(words);
    const listed = names.filter(Boolean).slice(0, NAMED).join(t.and);
    told.textContent = names.length === 0 ? '' : t.more(names.length, names.length > NAMED ? `${listed}…` : listed);
  };
  const sizes = new ResizeObserver(look);
  sizes.observe(table);
  table.addEventListener('scroll', look, { passive: true });
  const stop = effect(look);
  return () => {
    sizes.disconnect();
    table.removeEventListener('scroll', look);
    stop();
    told.remove();
  };
}

function hidden(table: HTMLTableElement): string[] {
  const { left, right } = table.getBoundingClientRect();
  const isRtl = getComputedStyle(table).direction === 'rtl';
  const cells = Array.from(table.querySelector('tr')?.cells ?? []);
  return cells
    .filter((cell) => {
      const box = cell.getBoundingClientRect();
      return isRtl ? box.right < left + READABLE_PX : box.left > right - READABLE_PX;
    })
    .map((cell) => cell.textContent.trim());
}
