import { computed, signal } from '@preact/signals';
import { entries } from '../../live/store.ts';
import { arrange } from '../arrange.ts';

// A list this long is shown in bunches, and stays so until it is short.
const LONG_FROM = 7;
const LONG_UNTIL = 4;

const saved = { long: false };

/** True while so much waits that the list is shown in bunches. */
export const isLong = computed(() => {
  saved.long = arrange(entries.value).waiting.length >= (saved.long ? LONG_UNTIL : LONG_FROM);
  return saved.long;
});

/** While calls are selected: which. */
export const selection = signal<ReadonlySet<string> | undefined>(undefined);

/** The ids in the order in which a long list shows them; undefined until it was made. */
export const shownOrder = signal<string[] | undefined>(undefined);
