import type { Kysely } from 'kysely';
import type { PushMessage } from '#shared/push.ts';
import type { Schema } from '../../platform/schema.ts';

export type Composing = {
  /** An inquiry, a notice, a test, or `digest`. */
  subjectId: string;
  wanted: 'ask' | 'withdraw';
  device: { id: string; personId: string };
  now: number;
};

/** Says what a push holds at this moment; undefined: it is no longer wanted. `app.ts` passes in those of the features. */
export type Compose = (reader: Kysely<Schema>, composing: Composing) => Promise<PushMessage | undefined>;

/** What stands in the subject's id, up to the underscore: `inq`, `ntc`, `tst`, `digest`. */
export function kindOfSubject(subjectId: string): string {
  return subjectId.split('_', 1)[0] ?? '';
}
