import type { Inquiry } from '#shared/inquiry.ts';
import { HOUR_MS } from '../../platform/clock.ts';
import type { Parts } from '../parts.ts';
import type { Words } from '../words/words.ts';

/** The members that every message about a task has; the inquiry's id is the task's, and only its source can read it. */
export function taskFields(inquiry: Inquiry, { pace, inquiries }: Parts) {
  const { id: taskId, openedAt, deadlineAt, resolution } = inquiry;
  return {
    taskId,
    createdAt: openedAt,
    lastUpdatedAt: resolution?.at ?? openedAt,
    ttlMs: Math.max(0, Date.parse(deadlineAt) - inquiries.database.clock.now()) + KEPT_MS,
    pollIntervalMs: pace.taskPollMs,
  };
}

// An answer in the last moment can still be fetched; the inquiry itself stays for as long as the hub retains it.
const KEPT_MS = HOUR_MS;

/** The reply of a call that goes on as a task (SEP-2663). */
export function taskOf({ parts, words }: { parts: Parts; words: Words }, inquiry: Inquiry) {
  return {
    resultType: 'task' as const,
    status: 'working',
    statusMessage: words.waitingFor(inquiry.to),
    ...taskFields(inquiry, parts),
  };
}
