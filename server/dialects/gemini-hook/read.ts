import { readCommandHook } from '../coding/hook.ts';
import type { Read } from '../dialect.ts';

/** The event before a tool runs. */
export const ASKS = 'BeforeTool';

/** The stdin of a hook of Gemini CLI. It names no call: its time does. */
export function read(body: unknown): Read {
  return readCommandHook(body, {
    agent: 'Gemini CLI',
    asks: ASKS,
    id: 'timestamp',
    names: 'a call',
    allowed: ['approve', 'edit', 'reject'],
  });
}
