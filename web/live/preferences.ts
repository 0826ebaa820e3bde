import { computed } from '@preact/signals';
import type { Choices } from '#shared/preferences.ts';
import type { Me } from '#shared/wire.ts';
import { me } from './session.ts';

export type Preferred = Required<{ [Choice in keyof Choices]: Exclude<Choices[Choice], undefined> }>;

/** The page's own way, where a person has chosen nothing. */
export const OWN_WAY: Preferred = {
  questions: 'one',
  density: 'roomy',
  editor: 'rich',
  confirm: false,
  undoSeconds: 4,
  readToEnd: false,
};

// What the hub stored has no member that is undefined; what an older page kept has no preferences at all.
type Stored = Partial<Preferred> & { sources?: Record<string, Partial<Preferred>> };
const chosen = computed(() => ((me.value as Partial<Me> | undefined)?.preferences ?? {}) as Stored);

/** The sources that have a way of their own. */
export const ownWays = computed(() => chosen.value.sources ?? {});

/** How this person wants to be asked, wherever no source has a way of its own. */
export const preferred = computed<Preferred>(() => {
  const { sources: _own, ...everywhere } = chosen.value;
  return { ...OWN_WAY, ...everywhere };
});

/** How this person wants to be asked by one source; reading it inside a component follows changes from any device. */
export function preferencesFor(sourceId: string): Preferred {
  return { ...preferred.value, ...ownWays.value[sourceId] };
}
