import { CompactSign, importJWK } from 'jose';
import type { Algorithm, SigningKey } from './keys.ts';

/** The claims as a compact JWS (RFC 7515) of this `typ`; by EdDSA always the same text. */
export async function signClaims(
  { kid, privateKey }: SigningKey,
  { alg, typ }: { alg: Algorithm; typ: string },
  claims: object,
): Promise<string> {
  return new CompactSign(Buffer.from(JSON.stringify(claims)))
    .setProtectedHeader({ alg, kid, typ })
    .sign(await importJWK(privateKey, alg));
}

/** Whether each part is the one base64url of its bytes: some readers pass over bits that a last character has too many. */
export function isCanonicalJws(text: string): boolean {
  return text.split('.').every((part) => Buffer.from(part, 'base64url').toString('base64url') === part);
}
