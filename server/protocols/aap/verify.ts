import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { UUID } from '#shared/ids.ts';
import { readChallenge, signedHeaders } from '../../platform/secrets/signed.ts';
import type { PostOnce } from '../../deliveries/worker.ts';
import { bareHost, isLocalName, isPublic, PRIVATE, refusedUrl } from '../../platform/outbound/addresses.ts';
import { iso } from '../../platform/clock.ts';
import { PerMinute, TooMany } from '../../platform/http/rate-limits.ts';
import { sameText } from '../../platform/secrets/secrets.ts';
import { Refused } from './errors.ts';

const MOST_URL = 2048;

/** Where an instance's events are to go, with the secret that they are signed with. */
export const Delivery = z.strictObject({
  type: z.string(),
  url: z.string(),
  registration_id: z.string().regex(UUID, 'is not a UUID'),
  signing_secret: z
    .string()
    .regex(/^whsec_[A-Za-z0-9+/]{42}[AEIMQUYcgkosw048]=$/, 'is not whsec_ and 32 bytes in base64'),
});
export type Delivery = z.infer<typeof Delivery>;

/** Throws 400 for a way of delivery or an address that the hub never uses. */
export function refuseUnsafe({ type, url }: Delivery): void {
  if (type !== 'webhook') throw new Refused(400, 'unsupported_delivery_type', 'Only webhook is delivered.', 'delivery');
  const parsed = /^https:\/\/[^/?#@\s]+([/?][^#\s]*)?$/.test(url) && url.length <= MOST_URL ? URL.parse(url) : null;
  if (!parsed || refusedUrl(parsed, isPublic) !== undefined || isLocalName(bareHost(parsed))) throw unsafe();
}

function unsafe(): Refused {
  const message = 'The receiver must be a public https address without user name and fragment.';
  return new Refused(400, 'invalid_webhook_url', message, 'delivery');
}

const MOST_A_MINUTE = 30;
const MOST_REPLY = 4_096;

/** Asks a receiver whether it expects this registration: one signed challenge, which only exactly its echo in 200 meets. */
export function createVerify(post: PostOnce) {
  const attempts = new PerMinute();
  return async (
    { url, registration_id, signing_secret }: Delivery,
    { provisionerId, instanceId, now }: { provisionerId: string; instanceId: string; now: number },
  ): Promise<void> => {
    for (const key of [`from ${provisionerId}`, `to ${new URL(url).host}`])
      if (attempts.add(key) > MOST_A_MINUTE)
        throw new TooMany('request.too_many', 'Too many registrations; try again later.', attempts.secondsLeft());
    const [id, challenge] = [randomUUID(), randomUUID()];
    const message = { id, type: 'webhook.verification', registration_id, instance_id: instanceId };
    const body = JSON.stringify({ ...message, created_at: iso(now), challenge });
    const { status, error, text } = await post({
      url,
      headers: signedHeaders({ id, at: now, body, secrets: [signing_secret] }),
      body,
      trust: 'untrusted',
      readBytes: MOST_REPLY,
    });
    if (error === PRIVATE) throw unsafe();
    if (status !== 200 || error !== undefined || !sameText(readChallenge(text), challenge))
      throw new Refused(422, 'webhook_verification_failed', 'The webhook receiver could not be verified.', 'delivery');
  };
}
