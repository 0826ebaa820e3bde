import { createCipheriv, createDecipheriv, hash, randomBytes, timingSafeEqual } from 'node:crypto';

/** A new opaque credential: the prefix (`bks_`, `bkd_`, …) and 256 random bits in base64url. */
export function newToken(prefix: string): string {
  return prefix + randomBytes(32).toString('base64url');
}

/** How a credential stands in the database. It has 256 bits, so one round of SHA-256 is enough. */
export function hashToken(token: string): string {
  return hash('sha256', token);
}

/** Compares two texts in a time that does not depend on where they differ. */
export function sameText(a: string, b: string): boolean {
  const [left, right] = [hash('sha256', a, 'buffer'), hash('sha256', b, 'buffer')];
  return timingSafeEqual(left, right);
}

/** Seals a text with AES-256-GCM under a 32-byte key; `unseal` gives it back or throws if it was touched. Never two texts with one `iv`. */
export function seal(key: Buffer, text: string, iv: Buffer = randomBytes(12)): string {
  const cipher = createCipheriv('aes-256-gcm', key, iv);
  const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
  return Buffer.concat([iv, cipher.getAuthTag(), sealed]).toString('base64url');
}

export function unseal(key: Buffer, sealed: string): string {
  const bytes = Buffer.from(sealed, 'base64url');
  const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, 12));
  decipher.setAuthTag(bytes.subarray(12, 28));
  return Buffer.concat([decipher.update(bytes.subarray(28)), decipher.final()]).toString('utf8');
}
