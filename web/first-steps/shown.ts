import { signal } from '@preact/signals';

/** The list of first steps is on the screen: what it says itself needs no banner. */
export const stepsShown = signal(false);
