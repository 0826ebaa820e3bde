import type { Dialect, Query, Read, Answered } from '../dialect.ts';
import { readCommandHook } from '../coding/hook.ts';
import { readVerdict } from '../coding/call.ts';

/** Codex ends its hook when its turn is stopped. */
export const codexHook: Dialect = {
  name: 'codex-hook',
  label: 'Codex',
  read,
  write,
  undecided: () => () => ({}),
  left: 'Stopped in the terminal.',
};

/** The stdin of Codex's PermissionRequest hook, which takes neither changed arguments nor rules. */
function read(body: unknown, { agent = 'Codex' }: Query): Read {
  return readCommandHook(body, {
    agent,
    asks: 'PermissionRequest',
    id: 'turn_id',
    names: 'a turn',
    allowed: ['approve', 'reject'],
    // Its other events bear the names of Claude Code's.
    own: (event) => 'turn_id' in event,
  });
}

/** The hook's JSON. Nobody decided: Codex asks itself. A member more than these, and it throws the reply away. */
function write(keep: unknown, inquiries: Answered[]): unknown {
  const verdict = readVerdict(keep, inquiries);
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
