import { computed } from '@preact/signals';
import type { Choices } from '#shared/preferences.ts';
import { me } from './session.ts';

export type Preferred = Required<{ [Choice in keyof Choices]: Exclude<Choices[Choice], undefined> }>;

/** The page's own way, where a person has chosen nothing. */
export const OWN_WAY: Preferred = { questions: 'one', density: 'roomy', editor: 'rich', confirm: false };

// What the hub stored has no member that is undefined.
type Stored = Partial<Preferred> & { sources?: Record<string, Partial<Preferred>> };
const chosen = computed(() => (me.value?.preferences ?? {}) as Stored);

/** How this person wants to be asked, wherever no source has a way of its own. */
export const preferred = computed<Preferred>(() => {
  const { sources: _own, ...everywhere } = chosen.value;
  return { ...OWN_WAY, ...everywhere };
});

/** How this person wants to be asked by one source; reading it inside a component follows changes from any device. */
export function preferencesFor(sourceId: string): Preferred {
  return { ...preferred.value, ...chosen.value.sources?.[sourceId] };
}
