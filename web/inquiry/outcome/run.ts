import type { Inquiry } from '#shared/inquiry.ts';
import { signal } from '@preact/signals';
import { type Given, given, openInquiryId } from '../../live/inquiries.ts';
import { entries } from '../../live/store.ts';

/** The answers, given together, of which the person wants to see what became. */
export const looking = signal<Given | undefined>(undefined);

/** The run that an inquiry belongs to: the same source and its run, thread or group; undefined where its source names none. */
export function readRun({ source, context, group }: Pick<Inquiry, 'source' | 'context' | 'group'>): string | undefined {
  const run = context?.runId ?? context?.threadId ?? group;
  return run === undefined ? undefined : JSON.stringify([source.id, run]);
}

/**
 * True where the bar that tells of the last answer stands in the open inquiry, above its buttons: always on a phone, and
 * on a desktop where it is that inquiry or the next of its run. Elsewhere it stands at the foot of the list.
 */
export function undoBarInInquiry(wide: boolean): boolean {
  const [first = ''] = given.value?.inquiryIds ?? [];
  const open = openInquiryId.value;
  if (open === undefined) return false;
  if (!wide || given.value?.inquiryIds.includes(open)) return true;
  const run = runIn(first);
  return run !== undefined && run === runIn(open);
}

function runIn(inquiryId: string): string | undefined {
  const one = entries.value.find(({ inquiry }) => inquiry.id === inquiryId);
  return one && readRun(one.inquiry);
}
