import { signal } from '@preact/signals';

/** The inquiry of which a decline is being given its words. */
export const decliningOf = signal<string | undefined>(undefined);
