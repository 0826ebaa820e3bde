import type { Deciding } from './deciders/deciding.ts';
import type { AnnounceYolo } from './yolo/store.ts';

/** What settles by itself, with what it needs of the hub. */
export type Automation = Deciding & { announce: Deciding['announce'] & { yolo: AnnounceYolo } };
