import type { AuthenticatorTransport } from '@simplewebauthn/server';
import { AppError } from '#shared/problem.ts';
import type { Database } from '../../platform/database.ts';
import { batch, within } from '../../platform/steps.ts';
import { CHALLENGE_MS, newChallenge, type Signer, type Subject } from './challenge.ts';
import { rowsOf } from './store.ts';
import { ALGORITHMS, userHandle, webauthn } from './verify.ts';

type Here = { rpId: string; origin: string };

/**
 * What the browser needs to have this subject signed by one of the person's passkeys, with user verification. Throws 409
 * `passkey.none` where they have none of this host.
 */
export async function requestOptions(database: Database, here: Here, signer: Signer, subject: Subject) {
  const own = (await rowsOf(database.read, signer.personId)).filter(({ rp_id }) => rp_id === here.rpId);
  if (own.length === 0)
    throw new AppError(409, 'passkey.none', 'You have no passkey for this address. Add one under Settings, Passkeys.');
  const challenge = await storeChallenge(database, here, signer, subject);
  const { generateAuthenticationOptions } = await webauthn();
  const options = await generateAuthenticationOptions({
    rpID: here.rpId,
    challenge,
    userVerification: 'required',
    timeout: CHALLENGE_MS,
    allowCredentials: own.map(described),
  });
  return { ...options };
}

/** What the browser needs to make a passkey for this person; one that they have already is refused by its device. */
export async function creationOptions(
  database: Database,
  here: Here,
  signer: Signer,
  person: { id: string; handle: string; name: string },
) {
  const own = await rowsOf(database.read, signer.personId);
  const challenge = await storeChallenge(database, here, signer, { does: 'new' });
  const { generateRegistrationOptions } = await webauthn();
  const options = await generateRegistrationOptions({
    rpName: 'Beckon',
    rpID: here.rpId,
    challenge,
    userID: userHandle(person.id),
    userName: person.handle,
    userDisplayName: person.name,
    attestationType: 'none',
    supportedAlgorithmIDs: ALGORITHMS,
    timeout: CHALLENGE_MS,
    excludeCredentials: own.map(described),
    authenticatorSelection: { residentKey: 'preferred', userVerification: 'required' },
  });
  return { ...options };
}

function described({ credential_id: id, transports }: { credential_id: string; transports: string }) {
  return { id, transports: JSON.parse(transports) as AuthenticatorTransport[] };
}

async function storeChallenge(database: Database, here: Here, signer: Signer, subject: Subject) {
  const { bytes, statements } = newChallenge(signer, subject, here, database.clock.now());
  await database.transaction((trx) => within(trx, batch({ stored: statements })));
  return bytes;
}
