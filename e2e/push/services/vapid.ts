import { importJWK, jwtVerify } from 'jose';

const DAY_SECONDS = 86_400;

/**
 * Why a push service refuses a request's `Authorization` (RFC 8292), or undefined: the token must be signed by the key
 * the subscription was made with, for this service, for a day at most, and name somebody who can be reached.
 */
export async function refuseVapid(header: string, audience: string, subscribedWith: string): Promise<Refusal> {
  const [, token = '', key = ''] = /^vapid t=([\w.-]+), ?k=([\w-]+)$/.exec(header) ?? [];
  const point = Buffer.from(key, 'base64url');
  if (point.length !== 65 || point[0] !== 4) return { status: 401, why: 'no VAPID header' };
  if (!point.equals(Buffer.from(subscribedWith, 'base64url'))) return { status: 403, why: 'VapidPkHashMismatch' };
  const [x, y] = [point.subarray(1, 33), point.subarray(33)].map((half) => half.toString('base64url'));
  try {
    const signer = await importJWK({ kty: 'EC', crv: 'P-256', x: x ?? '', y: y ?? '' }, 'ES256');
    const { payload } = await jwtVerify(token, signer, { audience, algorithms: ['ES256'], requiredClaims: ['exp'] });
    if ((payload.exp ?? Infinity) > Date.now() / 1000 + DAY_SECONDS) return { status: 401, why: 'exp is too far' };
    if (!/^(mailto:|https:\/\/(?!localhost))/.test(payload.sub ?? '')) return { status: 401, why: 'sub is nobody' };
    return undefined;
  } catch (error) {
    return { status: 401, why: String(error) };
  }
}

export type Refusal = { status: number; why: string } | undefined;
