import { allowed, verdictOf } from '../coding/call.ts';
import type { Answered } from '../dialect.ts';

/** The `PermissionResult`. A call without an `updatedInput` runs with the input it had. */
export function write(keep: unknown, inquiries: Answered[]): unknown {
  const verdict = verdictOf(keep, inquiries);
  switch (verdict.type) {
    case 'allow':
      return allowed(verdict);
    case 'deny':
    case 'nobody':
      return { behavior: 'deny', message: verdict.words };
  }
}
