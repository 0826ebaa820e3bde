import type { Inquiry } from '#shared/inquiry.ts';

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

export type DeliveryType = 'inquiry.resolved' | 'inquiry.unreachable' | 'inquiry.late_answer';
