import { CLIENT_CAPABILITIES_META_KEY } from '@modelcontextprotocol/server';
import type { Pace } from '../pace.ts';
import type { Call } from '../tools/call.ts';

/** The extension that lets a call return at once and be asked after (SEP-2663). */
export const TASKS = 'io.modelcontextprotocol/tasks';

/** How one call waits, and what it becomes when `ms` are over. */
export type Wait = { becomes: 'nothing' | 'task' | 'leg' | 'pending'; ms: number };

/**
 * Chooses by what the client can take. What it knows of tasks or progress keeps its own timer from ending the call;
 * without either the call must return before the 60 s after which clients of both lines give up.
 */
export function chooseWait({ era, request, visit: { overrides } }: Call, pace: Pace): Wait {
  if (declaresTasks(request) && overrides.tasks) return { becomes: 'task', ms: pace.taskGraceMs };
  if (overrides.waitSeconds !== undefined) {
    return overrides.waitSeconds === 0
      ? { becomes: 'nothing', ms: Infinity }
      : { becomes: 'pending', ms: overrides.waitSeconds * 1000 };
  }
  // 0 is a token: the v2 client starts there.
  if (request._meta?.progressToken !== undefined) return { becomes: 'nothing', ms: Infinity };
  return era === 'modern' ? { becomes: 'leg', ms: pace.legMs } : { becomes: 'pending', ms: pace.pendingMs };
}

/** Whether this very request says that its client knows tasks; only modern requests can. */
export function declaresTasks({ envelope }: Call['request']): boolean {
  const declared = (envelope as Record<string, unknown> | undefined)?.[CLIENT_CAPABILITIES_META_KEY];
  return (declared as { extensions?: Record<string, unknown> } | undefined)?.extensions?.[TASKS] !== undefined;
}
