import { CLIENT_CAPABILITIES_META_KEY } from '@modelcontextprotocol/server';
import { type ClientWait, type Pace, waitFor } from '../pace.ts';
import type { Call } from '../tools/call.ts';

/** The extension that lets a call return at once and be asked after (SEP-2663). */
export const TASKS = 'io.modelcontextprotocol/tasks';

/** How one call waits, and what it becomes when `ms` are over. */
export type Wait = ClientWait | { becomes: 'task'; ms: number };

/** Chooses by what the client can take: as a task where it knows tasks, else by its clock. */
export function chooseWait({ era, request, visit: { overrides } }: Call, pace: Pace): Wait {
  if (declaresTasks(request) && overrides.tasks) return { becomes: 'task', ms: pace.taskGraceMs };
  const { waitSeconds } = overrides;
  return waitFor({ modern: era === 'modern', progressToken: request._meta?.progressToken, waitSeconds }, pace);
}

/** Whether this very request says that its client knows tasks; only modern requests can. */
export function declaresTasks({ envelope }: Call['request']): boolean {
  const declared = (envelope as Record<string, unknown> | undefined)?.[CLIENT_CAPABILITIES_META_KEY];
  return (declared as { extensions?: Record<string, unknown> } | undefined)?.extensions?.[TASKS] !== undefined;
}
