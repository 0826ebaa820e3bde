import { signal } from '@preact/signals';

/** The inquiry whose yes cannot be signed on this page; undefined where it can, or a printed code is typed. */
export const unable = signal<string | undefined>(undefined);
