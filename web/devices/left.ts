import { signal } from '@preact/signals';
import type { LeftBehind } from '#shared/wire.ts';

/** What the device that was removed last made, until somebody has looked through it. */
export const left = signal<LeftBehind | undefined>(undefined);
