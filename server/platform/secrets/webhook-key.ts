import { createPrivateKey, createPublicKey, hkdfSync, type KeyObject, sign } from 'node:crypto';

/** What stands before the 32 bytes of an Ed25519 key in PKCS #8 (RFC 8410). */
const PKCS8 = Buffer.from('302e020100300506032b657004220420', 'hex');

/**
 * The key of one source's webhooks, derived from the sealing key: the same on every node, and never another one, since a
 * receiver pins it. A key of each source, so that what one source had signed is no webhook of another; and not derived
 * from its signing secret, since whoever verifies by that could sign with it.
 */
function keyOf(sealingKey: Buffer, sourceId: string): KeyObject {
  const seed = Buffer.from(hkdfSync('sha256', sealingKey, '', `webhook v1a ${sourceId}`, 32));
  return createPrivateKey({ key: Buffer.concat([PKCS8, seed]), format: 'der', type: 'pkcs8' });
}

/** The public key that a receiver of this source's webhooks pins: `whpk_` and the base64 of its 32 bytes. */
export function webhookKey(sealingKey: Buffer, sourceId: string): string {
  const { x = '' } = createPublicKey(keyOf(sealingKey, sourceId)).export({ format: 'jwk' });
  return `whpk_${Buffer.from(x, 'base64url').toString('base64')}`;
}

/** The signature `v1a` of a webhook (Standard Webhooks) over its id, its timestamp and its body. */
export function signWebhook(
  sealingKey: Buffer,
  sourceId: string,
  { id, timestamp, body }: { id: string; timestamp: string; body: string },
): string {
  const signed = sign(null, Buffer.from(`${id}.${timestamp}.${body}`), keyOf(sealingKey, sourceId));
  return `v1a,${signed.toString('base64')}`;
}
