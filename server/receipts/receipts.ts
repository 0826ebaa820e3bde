import { createLocalJWKSet, jwtVerify, type JWK } from 'jose';
import type { Inquiry } from '#shared/inquiry.ts';
import { AppError } from '#shared/problem.ts';
import type { Database } from '../platform/database.ts';
import { isCanonicalJws, signClaims } from './jws.ts';
import { ALGORITHMS, keyFor, type Algorithm } from './keys.ts';
import { digestCall, toClaims, type Claims, type ReceiptCall } from './claims.ts';

/** The `typ` of a receipt, so that no other JWT of the hub passes for one. */
export const TYPE = 'beckon-receipt+jwt';

type Signing = { database: Database; sealingKey: Buffer; issuer: string };

/**
 * The receipt of a resolved inquiry, a compact JWS (RFC 7515), signed as it is read with the key of the instant at which it
 * was resolved: by EdDSA always the same text. Throws 404 where nobody decided, or all of that time is forgotten.
 */
export async function signReceipt(
  { issuer, ...keys }: Signing,
  inquiry: Inquiry,
  { alg = 'EdDSA', audience }: { alg?: Algorithm | undefined; audience?: string | undefined } = {},
): Promise<string> {
  const claims = toClaims(inquiry, { issuer, audience });
  const key = claims && (await keyFor(keys, alg, Date.parse(inquiry.resolution?.at ?? '')));
  if (!key) throw new AppError(404, 'receipt.none', 'This inquiry has no receipt: nobody decided it, or not yet.');
  return signClaims(key, { alg, typ: TYPE }, claims);
}

export type Checking = { keys: JWK[]; issuer?: string | undefined; audience?: string | undefined; now: number };

/**
 * The claims of a receipt that one of these keys signed and that has not ended, by `now` (ms). Undefined for anything else,
 * whatever is wrong with it.
 */
export async function checkReceipt(
  receipt: string,
  { keys, issuer, audience, now }: Checking,
): Promise<Claims | undefined> {
  if (!isCanonicalJws(receipt)) return undefined;
  try {
    const { payload } = await jwtVerify(receipt, createLocalJWKSet({ keys }), {
      typ: TYPE,
      algorithms: [...ALGORITHMS],
      currentDate: new Date(now),
      requiredClaims: ['iss', 'sub', 'iat', 'jti', 'authorization_details'],
      ...(issuer === undefined ? {} : { issuer }),
      ...(audience === undefined ? {} : { audience }),
    });
    return payload as unknown as Claims;
  } catch {
    return undefined;
  }
}

/** The places of those calls of a receipt that let exactly this one run. */
export function placesOf({ exp, authorization_details }: Claims, tool: string, args: unknown): number[] {
  const digest = digestCall(tool, args);
  const calls = authorization_details as ReceiptCall[];
  return exp === undefined
    ? []
    : calls.flatMap(({ run, type }, at) => (type === 'beckon_call' && run === digest ? [at] : []));
}
