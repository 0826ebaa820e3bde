import { readCommandHook } from '../coding/hook.ts';
import type { Read } from '../dialect.ts';

/** The stdin of Codex's PermissionRequest hook, which takes neither changed arguments nor rules. */
export function read(body: unknown): Read {
  return readCommandHook(body, {
    agent: 'Codex',
    asks: 'PermissionRequest',
    id: 'turn_id',
    names: 'a turn',
    allowed: ['approve', 'reject'],
    // Its other events bear the names of Claude Code's.
    own: (event) => 'turn_id' in event,
  });
}
