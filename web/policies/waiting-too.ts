import { signal } from '@preact/signals';
import type { Inquiry } from '#shared/inquiry.ts';

/** Calls that wait and that something which was just turned on would have approved, until they are decided or left. */
export const waitingToo = signal<readonly Inquiry[]>([]);
