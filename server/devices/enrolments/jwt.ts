import { createRemoteJWKSet, decodeJwt, errors, jwtVerify, type JWTPayload, type RemoteJWKSet } from 'jose';
import { AppError } from '#shared/problem.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database.ts';
import type { TrustedIssuer } from '../../platform/settings.ts';
import { admit, type Admitted } from '../admit.ts';
import type { NewDevice } from '../new-device.ts';

/** An account at a trusted issuer. */
type Account = { issuer: string; subject: string };

/** The account that a JWT of a trusted issuer names, or 401 `jwt.refused` with the reason. */
export type VerifyJwt = (jwt: string) => Promise<Account>;

/** Checks JWTs against the key sets of the issuers that the operator trusts: signature, issuer, audience and `exp`. */
export function jwtVerifier(issuers: readonly TrustedIssuer[], clock: Clock): VerifyJwt {
  const trusted = issuers.map((issuer) => ({ ...issuer, keys: createRemoteJWKSet(new URL(issuer.jwksUrl)) }));
  return async (jwt) => {
    const named = readIssuer(jwt);
    // One issuer may stand for several audiences, each with its own claim.
    const candidates = trusted.filter(({ issuer }) => issuer === named);
    if (candidates.length === 0)
      throw refused(
        named === undefined ? 'It is not a JWT, or names no issuer.' : 'This hub does not trust its issuer.',
      );
    const reasons: string[] = [];
    for (const candidate of candidates) {
      const verified = await verify(jwt, candidate, new Date(clock.now()));
      if (typeof verified !== 'string') return readAccount(verified, candidate);
      reasons.push(verified);
    }
    // What is wrong with it for the audience that it is for.
    throw refused(reasons.find((reason) => !reason.startsWith('Its "aud"')) ?? reasons[0] ?? '');
  };
}

async function verify(
  jwt: string,
  { issuer, audience, keys }: TrustedIssuer & { keys: RemoteJWKSet },
  currentDate: Date,
): Promise<JWTPayload | string> {
  try {
    const checks = { issuer, audience, requiredClaims: ['exp'], clockTolerance: 5, currentDate };
    return (await jwtVerify(jwt, keys, checks)).payload;
  } catch (error) {
    return explain(error);
  }
}

// By default `sub`: it is the issuer's to give and never given twice (OpenID Connect Core, 2); others people may choose.
function readAccount(payload: JWTPayload, { issuer, subjectClaim }: TrustedIssuer): Account {
  const subject = payload[subjectClaim];
  if (typeof subject !== 'string' || subject === '')
    throw refused(`It names nobody: its "${subjectClaim}" is missing.`);
  if (/\p{C}/u.test(subject)) throw refused(`Its "${subjectClaim}" holds characters that nobody sees.`);
  return { issuer, subject };
}

/** 401 with why this JWT lets nobody in. */
function refused(reason: string): AppError {
  return new AppError(401, 'jwt.refused', `This JWT lets nobody in. ${reason}`);
}

/** The issuer that a JWT names, before anything of it is believed. */
export function readIssuer(jwt: string): string | undefined {
  try {
    return decodeJwt(jwt).iss;
  } catch {
    return undefined;
  }
}

/** Why a JWT was not taken, in one sentence. */
export function explain(error: unknown): string {
  if (error instanceof errors.JWTExpired) return 'It ran out.';
  if (error instanceof errors.JWTClaimValidationFailed)
    return `Its "${error.claim}" is missing or not what this hub expects.`;
  if (error instanceof errors.JWSSignatureVerificationFailed) return 'Its signature is not right.';
  if (error instanceof errors.JWKSNoMatchingKey || error instanceof errors.JWKSMultipleMatchingKeys)
    return 'Its issuer has no such key.';
  if (error instanceof errors.JOSEAlgNotAllowed || error instanceof errors.JOSENotSupported)
    return 'Its algorithm is not taken.';
  if (error instanceof errors.JWSInvalid || error instanceof errors.JWTInvalid) return 'It is not a signed JWT.';
  return 'The keys of its issuer cannot be read right now.';
}

/**
 * Lets a device in for the person to whom the owner tied the account that a trusted issuer's JWT names; 401 `jwt.refused`.
 * A handle alone lets nobody in.
 */
export async function redeemJwt(
  database: Database,
  verify: VerifyJwt,
  jwt: string,
  device: NewDevice,
): Promise<Admitted> {
  const { issuer, subject } = await verify(jwt);
  return database.transaction(async (trx) => {
    const person = await trx
      .selectFrom('people')
      .select('id')
      .where('jwt_issuer', '=', issuer)
      .where('jwt_subject', '=', subject)
      .executeTakeFirst();
    if (person) return admit(trx, person.id, device, database.clock.now());
    const tie = `beckon person tie HANDLE ${quoted(issuer)} ${quoted(subject)}`;
    throw refused(`Its account is tied to no person here; the owner does that once: ${tie}`);
  });
}

function quoted(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}
