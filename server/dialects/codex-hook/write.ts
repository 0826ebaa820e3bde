import { verdictOf } from '../coding/call.ts';
import type { Answered } from '../dialect.ts';

/** The hook's JSON. Nobody decided: Codex asks itself. A member more than these, and it throws the reply away. */
export function write(keep: unknown, inquiries: Answered[]): unknown {
  const verdict = verdictOf(keep, inquiries);
  switch (verdict.type) {
    case 'allow':
      // An approval of other arguments than these cannot be told.
      return verdict.input === undefined ? decision({ behavior: 'allow' }) : {};
    case 'deny':
      return decision({ behavior: 'deny', message: verdict.words });
    case 'nobody':
      return {};
  }
}

function decision(members: object): unknown {
  return { hookSpecificOutput: { hookEventName: 'PermissionRequest', decision: members } };
}
