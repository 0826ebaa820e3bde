import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Inquiry } from '#shared/inquiry.ts';
import { usable, validityHeader } from '../validity.ts';

type Asking = Pick<FastifyRequest, 'headers'>;

/** What the reference says of a reply to `Accept: text/plain`. */
export const AS_TEXT =
  'With `Accept: text/plain` the reply is the text of the resolution and nothing else: empty while nobody has answered, and without what was typed as a secret. While it waits it sends its headers after 15 seconds and then nothing, so behind a proxy that cuts silent connections wait less than the proxy does, 50 seconds for instance, and call again, with the same `key` where it asks.';

/** Whether a caller names plain text and no JSON among what it accepts. */
export function wantsText({ headers }: Asking): boolean {
  const accepted = headers.accept ?? '';
  return /\btext\/plain\b/i.test(accepted) && !/\bapplication\/json\b/i.test(accepted);
}

/** What a caller is sent of an inquiry: all of it, or the words of its resolution, where an approval that ended is none. */
export function asWanted(request: Asking, inquiry: Inquiry, now: number): Inquiry | string {
  return wantsText(request) ? (usable(inquiry, now).resolution?.text ?? '') : inquiry;
}

/** Sends it at once, as it is wanted. */
export function sendAsWanted(request: Asking, reply: FastifyReply, inquiry: Inquiry, now: number): FastifyReply {
  void reply.headers(validityHeader([inquiry]));
  return (wantsText(request) ? reply.type('text/plain; charset=utf-8') : reply).send(asWanted(request, inquiry, now));
}

/** Whether all that was answered is in what the caller is sent: a secret is in no text. */
export function saysAll(request: Asking, { questions = [] }: Inquiry): boolean {
  return !wantsText(request) || !questions.some((question) => question.type === 'text' && question.secret === true);
}
