import { hash, randomBytes } from 'node:crypto';
import { canonical } from '#shared/json.ts';
import { AppError } from '#shared/problem.ts';
import { batch, statement, type Statement, type Steps } from '../../platform/steps.ts';
import type { Relying } from './relying.ts';

/** Who signs, and on which device. */
export type Signer = { personId: string; deviceId: string };

/** What is signed: an answer to an inquiry, or something that is done with passkeys themselves. */
export type Subject =
  | { inquiryId: string; answer: unknown; digest: string }
  | { does: 'add' | 'new' | 'codes' | 'remove' | 'release'; id?: string | undefined };

/** A challenge counts this long. */
export const CHALLENGE_MS = 60_000;
const NONCE_BYTES = 32;

const insertChallenge = statement(
  `insert into passkey_challenges (id, person_id, device_id, bound, expires_at) values (?1, ?2, ?3, ?4, ?5)`,
);
const dropOld = statement('delete from passkey_challenges where person_id = ?1 and expires_at <= cast(?2 as bigint)');
const takeChallenge = statement<{ id: string }>(
  `delete from passkey_challenges where id = ?1 and person_id = ?2 and device_id = ?3 and bound = ?4
    and expires_at > cast(?5 as bigint) and expires_at <= cast(?5 as bigint) + ${2 * CHALLENGE_MS} returning id`,
);
const openChallenge = statement<{ expires_at: number }>(
  'select expires_at from passkey_challenges where id = ?1 and person_id = ?2 and device_id = ?3',
);

/** A nonce and the hash of all that is meant, so that a passkey which signs it signs exactly this. */
function bind(subject: Subject, nonce: Buffer, notAfter: number, { origin }: { origin: string }) {
  const digest = hash('sha256', canonical({ v: 1, ...subject, notAfter, hub: origin }), 'buffer');
  return { bytes: Buffer.concat([nonce, digest]), bound: digest.toString('base64url') };
}

/** A new challenge for this subject, with what writes it down; older ones that ran out go. */
export function newChallenge(
  { personId, deviceId }: Signer,
  subject: Subject,
  relying: { origin: string },
  now: number,
): { bytes: Uint8Array<ArrayBuffer>; statements: Statement[] } {
  const nonce = randomBytes(NONCE_BYTES);
  const notAfter = now + CHALLENGE_MS;
  const { bytes, bound } = bind(subject, nonce, notAfter, relying);
  const id = nonce.toString('base64url');
  return {
    bytes: new Uint8Array(bytes),
    statements: [dropOld(personId, now), insertChallenge(id, personId, deviceId, bound, notAfter)],
  };
}

/** The challenge that this signer was given with a nonce, if it was for this subject; `spend` uses it up. */
export function readChallenge(challenge: string, { personId, deviceId }: Signer) {
  const nonce = Buffer.from(challenge, 'base64url').subarray(0, NONCE_BYTES);
  const id = nonce.toString('base64url');
  return {
    row: openChallenge(id, personId, deviceId),
    expected(subject: Subject, notAfter: number, relying: { origin: string }) {
      const { bytes, bound } = bind(subject, nonce, notAfter, relying);
      return { challenge: bytes.toString('base64url'), spent: { id, personId, deviceId, bound } };
    },
  };
}

/** One challenge that was met, to be used up. */
export type Spent = { id: string; personId: string; deviceId: string; bound: string };

/** Uses a challenge up; throws 403 where it was used before, or its minute is over. */
export function* spendChallenge({ id, personId, deviceId, bound }: Spent, now: number): Steps<void> {
  const { taken } = yield* batch({ taken: takeChallenge(id, personId, deviceId, bound, now) });
  if (taken.length === 0) throw refusedProof();
}

/** One refusal for whatever is wrong: it tells nobody how near they came. */
export function refusedProof(): AppError {
  return new AppError(
    403,
    'passkey.refused',
    'This does not show that it is you: what was signed is not what was asked for here, was used already or is older than a minute, or the passkey or code is not one of yours. Try again.',
  );
}

/** The host and pages that passkeys are for; throws 409 with what to do where there can be none. */
export function requirePasskeys(relying: Relying): Exclude<Relying, { cannot: string }> {
  if (relying.cannot !== undefined) throw new AppError(409, 'passkey.cannot', relying.cannot);
  return relying;
}
