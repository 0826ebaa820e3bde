import { signal } from '@preact/signals';
import type { InquiryContext } from '#shared/history.ts';
import { call } from './api.ts';
import { withEntry } from './inquiries.ts';

/** What helps to decide an inquiry, as far as it was read; where it cannot be had, the inquiry does without. */
export const contexts = signal<ReadonlyMap<string, InquiryContext>>(new Map());

const KEPT = 50;
const asked = new Set<string>();

/** Reads it once for each inquiry. */
export async function readContext(inquiryId: string): Promise<void> {
  if (asked.has(inquiryId)) return;
  asked.add(inquiryId);
  const reply = await call<InquiryContext>('GET', `/v1/inquiries/${encodeURIComponent(inquiryId)}/context`);
  if (reply.problem) return void asked.delete(inquiryId);
  const recent = [...contexts.value].slice(1 - KEPT);
  contexts.value = withEntry(new Map(recent), inquiryId, reply.ok);
}
