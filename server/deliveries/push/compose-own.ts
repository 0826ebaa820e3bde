import type { Compose } from './compose.ts';
import { readReader } from './reader.ts';
import { inDigest } from './sending/digest.ts';
import { digestMessage, testMessage } from './wording.ts';

/** Many questions as one: how many wait for the person, for as long as one of the digest is open. */
export const composeDigest: Compose = async (db, { wanted, device }) => {
  const reader = await readReader(db, device.personId);
  const inside = await inDigest(db, device.id);
  if (reader === undefined || inside > 0 !== (wanted === 'ask')) return undefined;
  return digestMessage(reader.locale, wanted === 'ask' ? reader.badge : 0, reader.badge);
};

/** A test that the person asked for; nothing takes it back. */
export const composeTest: Compose = async (db, { subjectId, wanted, device }) => {
  const reader = await readReader(db, device.personId);
  return reader && wanted === 'ask' ? testMessage(reader.locale, subjectId) : undefined;
};
