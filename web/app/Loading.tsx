import { say } from '../ui/language.ts';
import { words } from './words.ts';

/** Stands where the page's main part will, until that has come: there is always one to go to. */
export function Loading() {
  return <main class="inquiry" id="open" aria-busy="true" aria-label={say(words).loading} />;
}
