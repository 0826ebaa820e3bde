import type { Inquiry } from '#shared/inquiry.ts';
import type { Call } from '../tools/call.ts';

/** Where the protocol wants what is ours (reverse DNS, as `_meta` asks for). */
const INQUIRY_META = 'dev.beckon/inquiry';

/**
 * Tells a client that gave a progress token at once what was asked, and then every so often that the call is alive.
 * The first frame carries the inquiry in `meta`, where readers of the article look, and in `_meta`, the protocol's place.
 */
export function startProgress({ request, parts, words }: Call, inquiry: Inquiry): { stop(): void } {
  const progressToken = request._meta?.progressToken;
  if (progressToken === undefined) return { stop: () => undefined };
  const about = { question: inquiry.prompt ?? inquiry.title, inquiryId: inquiry.id, type: 'INQUIRY' };
  const message = words.waitingFor(inquiry.to);
  const send = (params: object): void => {
    // A client that is gone is noticed by whoever waits.
    void request.notify({ method: 'notifications/progress', params: { progressToken, ...params } }).catch(() => {});
  };
  let progress = 0;
  send({ progress, message, meta: about, _meta: { [INQUIRY_META]: about, ...about } });
  const timer = setInterval(() => send({ progress: ++progress, message }), parts.pace.progressMs);
  return { stop: () => clearInterval(timer) };
}
