import { toUuid } from '#shared/ids.ts';
import type { Inquiry } from '#shared/inquiry.ts';
import { DAY_MS } from '../platform/clock.ts';

/**
 * The body in which a connection's platform takes an answer: its template, in whose texts "{inquiryId}" and "{response}"
 * stand for the platform's own id and the answer, or the words for a decline or a deadline that passed. Undefined where
 * it is told nothing: it knows by itself what it does not ask any more, and a late answer could pass for one in time.
 */
export function answerBody(template: string, type: DeliveryType, { id, key, resolution }: Inquiry): string | undefined {
  if (type !== 'inquiry.resolved' || !resolution || resolution.outcome === 'withdrawn') return undefined;
  const values: Record<string, string> = { inquiryId: key ?? id, response: resolution.text };
  const filled = (text: string): string =>
    text.replace(/\{(inquiryId|response)\}/g, (_all, name: string) => values[name] ?? '');
  return JSON.stringify(JSON.parse(template), (_name, value: unknown) =>
    typeof value === 'string' ? filled(value) : value,
  );
}

/**
 * The command that resumes the thread which asked, once all that it asked is resolved. Undefined where the framework has no
 * word for how that ended, so that the thread stays as it is, and where it waits for nothing any more.
 */
export function resumeBody({ resolution }: Inquiry, reply: { body?: unknown } | undefined): string | undefined {
  const command = reply?.body as { resume?: unknown } | undefined;
  if (resolution?.outcome === 'withdrawn' || command?.resume === undefined) return undefined;
  return JSON.stringify({ command });
}

/** The event of the Agent Approval Protocol, which does not say how a request ended; undefined for all that was not asked by it. */
export function eventBody(id: string, type: DeliveryType, reply: object | undefined): string | undefined {
  const { dialect, body } = (reply ?? {}) as { dialect?: string; body?: object };
  return type === 'inquiry.resolved' && dialect === AAP ? JSON.stringify({ id: toUuid(id), ...body }) : undefined;
}

/** The dialect of what was asked by the Agent Approval Protocol, and the protocol of its deliveries. */
export const AAP = 'aap';

/** The last attempt has to have ended by then, and what counted a moment before its deadline was written down after it. */
const MARGIN_MS = 30_000;

/** For how long it is tried: a day, and an event of the Agent Approval Protocol for seven (DLV1). */
export function windowMs({ protocol }: { protocol: string | null }): number {
  return protocol === null ? DAY_MS : 7 * DAY_MS - MARGIN_MS;
}

export type DeliveryType = 'inquiry.resolved' | 'inquiry.unreachable' | 'inquiry.late_answer';
