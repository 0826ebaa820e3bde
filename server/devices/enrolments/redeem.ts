import type { z } from 'zod';
import { invalid } from '#shared/faults.ts';
import type { Claimed, Enrolled, RedeemEnrolment } from '#shared/wire.ts';
import type { Database } from '../../platform/database.ts';
import type { Newcomer } from '../admit.ts';
import type { DeviceAnnounce } from '../announce.ts';
import { redeemClaim } from './by-claim.ts';
import { redeemCode } from './by-code.ts';
import { redeemJwt } from './by-jwt.ts';
import { redeemLink } from './by-link.ts';
import type { VerifyJwt } from './jwt.ts';

export type RedeemDeps = { database: Database; announce: DeviceAnnounce; verify: VerifyJwt };

/** Lets a newcomer in by exactly one of the ways, or says what it must wait for; 422 for none or several of them. */
export async function redeem(
  body: z.infer<typeof RedeemEnrolment>,
  newcomer: Newcomer,
  { database, announce, verify }: RedeemDeps,
): Promise<Enrolled | Claimed> {
  const { deviceName: _, ...given } = body;
  const { secret, enrolmentId, claim, code, jwt } = given;
  switch (Object.keys(given).sort().join(' ')) {
    case 'secret':
      return redeemLink(database, announce, secret ?? '', newcomer);
    case 'claim enrolmentId':
      return redeemClaim(database, announce, { enrolmentId: enrolmentId ?? '', claim: claim ?? '' });
    case 'code enrolmentId':
      return redeemCode(database, announce, { enrolmentId: enrolmentId ?? '', code: code ?? '' });
    case 'jwt':
      return redeemJwt(database, announce, verify, jwt ?? '', newcomer);
    default:
      throw invalid([
        {
          path: '',
          code: 'enrolment.form',
          message: 'must have exactly one of: secret; enrolmentId and code; enrolmentId and claim; jwt',
        },
      ]);
  }
}
