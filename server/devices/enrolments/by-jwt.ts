import type { Enrolled } from '#shared/wire.ts';
import type { Database } from '../../platform/database.ts';
import { admit, announceEnrolled, type Newcomer } from '../admit.ts';
import type { DeviceAnnounce } from '../announce.ts';
import { refused, type VerifyJwt } from './jwt.ts';

/** Lets a device in for the person whom a trusted issuer's JWT names; 401 `jwt.refused`. Nobody is invited by a JWT. */
export async function redeemJwt(
  database: Database,
  announce: DeviceAnnounce,
  verify: VerifyJwt,
  jwt: string,
  newcomer: Newcomer,
): Promise<Enrolled> {
  const handle = await verify(jwt);
  const now = database.clock.now();
  const enrolled = await database.transaction(async (trx) => {
    const person = await trx.selectFrom('people').select('id').where('handle', '=', handle).executeTakeFirst();
    return person && admit(trx, person.id, newcomer, now);
  });
  if (!enrolled) throw refused(`There is no person "${handle}" here; the owner can invite them.`);
  announceEnrolled(announce, enrolled, newcomer.deviceName, now);
  return enrolled;
}
