import { PLACES, PLACES_OF_MANY } from './places.ts';

/** Every path at which the page shows something; the build writes it into the service worker, which opens these offline. */
export const PAGES = new RegExp(
  `^/(?:(?:${[...PLACES, 'enroll'].join('|')})/?|(?:${['i', ...PLACES_OF_MANY].join('|')})/[^/]+)?$`,
);
