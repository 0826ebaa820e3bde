import type { Action, AskOptions } from './beckon.mjs';

/** `validUntil`: whoever does not act at once may not act from then on. */
export type Decided =
  | { type: 'approve'; validUntil: string | undefined }
  | { type: 'edit'; args: unknown; validUntil: string | undefined }
  | { type: 'refuse'; text: string };

/** What people decided about one call. Whatever is no person's yes to this call is `refuse`, with words for its model. */
export declare function decide(action: Action, options: AskOptions & { runId?: string | undefined }): Promise<Decided>;
