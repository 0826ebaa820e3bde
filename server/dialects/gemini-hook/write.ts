import { verdictOf } from '../coding/call.ts';
import type { Answered } from '../dialect.ts';

/** The hook's JSON. It has no word for "ask": where nobody decided the call is denied, with a reason that says so. */
export function write(keep: unknown, inquiries: Answered[]): unknown {
  const verdict = verdictOf(keep, inquiries);
  switch (verdict.type) {
    case 'allow':
      return {
        decision: 'allow',
        ...(verdict.input === undefined ? {} : { hookSpecificOutput: { tool_input: verdict.input } }),
      };
    case 'deny':
    case 'nobody':
      return denied(verdict.words);
  }
}

export function denied(reason: string): { decision: 'deny'; reason: string } {
  return { decision: 'deny', reason };
}
