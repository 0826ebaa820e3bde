import { computed, signal } from '@preact/signals';
import { PLACES, PLACES_OF_MANY } from './places.ts';

export type Place = 'inbox' | (typeof PLACES)[number];
export type Route =
  | { page: Place; id?: string }
  | { page: 'inquiry'; inquiryId: string }
  | { page: 'enroll'; secret: string }
  | { page: 'unknown' };

const at = signal(whereWeAre());

/** What the address bar names. */
export const route = computed<Route>(() => readRoute(at.value));

/** The page that a path names; the secret of an enrolment stands in the fragment, which no server sees. */
export function readRoute(address: string): Route {
  const { pathname, hash } = new URL(address, 'http://page');
  const [, first = '', second, more] = pathname.split('/');
  if (more !== undefined) return { page: 'unknown' };
  if (first === 'i' && second) return { page: 'inquiry', inquiryId: decodeURIComponent(second) };
  if (second) {
    const of = PLACES_OF_MANY.find((place) => place === first);
    return of ? { page: of, id: decodeURIComponent(second) } : { page: 'unknown' };
  }
  if (first === '') return { page: 'inbox' };
  if (first === 'enroll') return { page: 'enroll', secret: hash.slice(1) };
  const place = PLACES.find((one) => one === first);
  return place ? { page: place } : { page: 'unknown' };
}

/** Goes to a path of this page. */
export function navigate(to: string, { replace = false } = {}): void {
  if (replace) window.history.replaceState(null, '', to);
  else window.history.pushState(null, '', to);
  at.value = whereWeAre();
  if (!replace) scrollTo(0, 0);
}

/** Follows links of this page without loading it again. */
export function followLinks(): void {
  addEventListener('popstate', () => (at.value = whereWeAre()));
  addEventListener('hashchange', () => (at.value = whereWeAre()));
  document.addEventListener('click', (event) => {
    const link = event.target instanceof Element ? event.target.closest('a[href]') : null;
    if (!(link instanceof HTMLAnchorElement) || link.target || link.hasAttribute('download')) return;
    if (
      event.defaultPrevented ||
      event.button !== 0 ||
      event.metaKey ||
      event.ctrlKey ||
      event.shiftKey ||
      event.altKey
    )
      return;
    const to = new URL(link.href);
    const path = to.pathname + to.hash;
    if (
      to.origin !== location.origin ||
      readRoute(path).page === 'unknown' ||
      (to.hash && to.pathname === location.pathname)
    )
      return;
    event.preventDefault();
    if (path !== location.pathname + location.hash) navigate(path);
  });
}

function whereWeAre(): string {
  return location.pathname + location.hash;
}
