import { hash } from 'node:crypto';
import type {
  AuthenticationResponseJSON,
  AuthenticatorTransport,
  RegistrationResponseJSON,
} from '@simplewebauthn/server';
import { plain } from '#shared/json.ts';
import type { Proof } from '#shared/schemas/passkeys.ts';
import type { Database } from '../../platform/database.ts';
import { batch, statement, type Steps } from '../../platform/steps.ts';
import { codeHash } from './codes.ts';
import type { Relying } from './relying.ts';
import { readChallenge, refusedProof, spendChallenge, type Signer, type Spent, type Subject } from './challenge.ts';

/** Ed25519, ES256, RS256: what there is of passkeys. */
export const ALGORITHMS = [-8, -7, -257];
/** 27 MB that a hub without passkeys never reads. */
export const webauthn = () => import('@simplewebauthn/server');

type PasskeyRow = {
  id: string;
  credential_id: string;
  public_key: string;
  counter: number;
  device_type: string;
  transports: string;
};
const passkeyOf = statement<PasskeyRow>(
  `select id, credential_id, public_key, counter, device_type, transports from passkeys
  where credential_id = ?1 and person_id = ?2 and rp_id = ?3`,
);
// The counter once more: of two assertions at one moment the older one is refused. Without one it is always 0.
const usePasskey = statement<{ id: string }>(
  `update passkeys set counter = cast(?3 as bigint), used_at = cast(?4 as bigint)
  where id = ?1 and person_id = ?2 and (counter < cast(?3 as bigint) or (counter = 0 and cast(?3 as bigint) = 0))
  returning id`,
);
const useCode = statement<{ code_hash: string }>(
  'delete from passkey_codes where code_hash = ?1 and person_id = ?2 returning code_hash',
);

/** What was verified of a proof; it counts once `spend` ran in the transaction of what it is for. */
export type Verified = { amr: string[] } & (
  | { passkeyId: string; counter: number; spent: Spent }
  | { code: string; personId: string }
);

/**
 * Verifies that this person wants exactly `subject`: signed by a passkey of theirs with user verification, over a challenge
 * that this device was given for it; or a printed code, which counts for anything. One 403 for whatever is wrong.
 */
export async function verifyProof(
  database: Database,
  relying: Relying,
  { personId, deviceId }: Signer,
  subject: Subject,
  { assertion, code }: Proof,
): Promise<Verified> {
  if (assertion === undefined) {
    if (code === undefined) throw refusedProof();
    return { amr: ['otp', 'user'], code: codeHash(code), personId };
  }
  if (relying.cannot !== undefined) throw refusedProof();
  const signer = { personId, deviceId };
  const response = plain(assertion) as unknown as AuthenticationResponseJSON;
  const given = readChallenge(challengeIn(assertion), signer);
  const named = typeof response.id === 'string' ? response.id : '';
  const [[row], [passkey]] = await database.rows(given.row, passkeyOf(named, signer.personId, relying.rpId));
  if (!row || !passkey) throw refusedProof();
  const expected = given.expected(subject, row.expires_at, relying);
  const { verifyAuthenticationResponse } = await webauthn();
  const { verified, authenticationInfo } = await verifyAuthenticationResponse({
    response,
    expectedChallenge: expected.challenge,
    expectedOrigin: relying.origin,
    expectedRPID: relying.rpId,
    credential: {
      id: passkey.credential_id,
      publicKey: new Uint8Array(Buffer.from(passkey.public_key, 'base64url')),
      counter: passkey.counter,
      transports: JSON.parse(passkey.transports) as AuthenticatorTransport[],
    },
    requireUserVerification: true,
  }).catch(refuse);
  const { userHandle: handle } = response.response;
  if (!verified || (handle !== undefined && handle !== null && handle !== handleOf(signer.personId))) refuse();
  const amr = [passkey.device_type === 'singleDevice' ? 'hwk' : 'swk', 'user'];
  return { amr, passkeyId: passkey.id, counter: authenticationInfo.newCounter, spent: expected.spent };
}

/** Also in place of what the library throws, which names what is wrong. */
function refuse(): never {
  throw refusedProof();
}

/** The challenge that a browser says it was given. */
function challengeIn({ response }: Record<string, unknown>): string {
  try {
    const { clientDataJSON } = response as { clientDataJSON: string };
    const { challenge } = JSON.parse(Buffer.from(clientDataJSON, 'base64url').toString()) as { challenge: unknown };
    return typeof challenge === 'string' && challenge.length < 200 ? challenge : refuse();
  } catch {
    return refuse();
  }
}

/** Uses up what was verified, in the transaction of what it is for; throws 403 where it was used up before. */
export function* spend(verified: Verified, now: number): Steps<void> {
  if ('code' in verified) {
    const { used } = yield* batch({ used: useCode(verified.code, verified.personId) });
    if (used.length === 0) throw refusedProof();
    return;
  }
  const { passkeyId, counter, spent } = verified;
  yield* spendChallenge(spent, now);
  const { used } = yield* batch({ used: usePasskey(passkeyId, spent.personId, counter, now) });
  if (used.length === 0) throw refusedProof();
}

/** What an authenticator knows a person by: it tells nothing of them. */
export function handleOf(personId: string): string {
  return Buffer.from(userHandle(personId)).toString('base64url');
}

export function userHandle(personId: string): Uint8Array<ArrayBuffer> {
  return new Uint8Array(hash('sha256', personId, 'buffer'));
}

/** What is stored of a passkey that the browser has made over a challenge of this device; one 403 for whatever is wrong. */
export async function verifyNew(
  database: Database,
  relying: { rpId: string; origin: string },
  signer: Signer,
  made: Record<string, unknown>,
) {
  const given = readChallenge(challengeIn(made), signer);
  const [[row]] = await database.rows(given.row);
  if (!row) throw refusedProof();
  const expected = given.expected({ does: 'new' }, row.expires_at, relying);
  const { verifyRegistrationResponse } = await webauthn();
  const { verified, registrationInfo } = await verifyRegistrationResponse({
    response: plain(made) as unknown as RegistrationResponseJSON,
    expectedChallenge: expected.challenge,
    expectedOrigin: relying.origin,
    expectedRPID: relying.rpId,
    supportedAlgorithmIDs: ALGORITHMS,
    requireUserVerification: true,
  }).catch(refuse);
  if (!verified || !registrationInfo) return refuse();
  const { credential, credentialDeviceType, credentialBackedUp } = registrationInfo;
  return {
    spent: expected.spent,
    row: {
      credential_id: credential.id,
      public_key: Buffer.from(credential.publicKey).toString('base64url'),
      counter: credential.counter,
      transports: JSON.stringify(credential.transports ?? []),
      device_type: credentialDeviceType,
      backed_up: credentialBackedUp ? 1 : 0,
      rp_id: relying.rpId,
    },
  };
}
