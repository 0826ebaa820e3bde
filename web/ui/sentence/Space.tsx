import { say } from '../language.ts';

/** What stands between two sentences of the page: nothing in Chinese, whose full stop is as wide as one with a space. */
export function Space() {
  return <>{say({ en: ' ', zh: '' })}</>;
}
