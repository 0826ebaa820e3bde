import type { AccessRequest, EnrolmentLink } from '#shared/schemas/enrolments.ts';
import { call } from '../live/api.ts';
import { allowed, dropAccessRequest, dropAllowed, dropClaim } from '../live/enrolments.ts';

/** Allows an access request: the hub replies with the six digits to type there, if it is a device. The first device wins. */
export async function allow(request: AccessRequest) {
  const reply = await call<{ code?: string; expiresAt: string }>(
    'POST',
    `/v1/enrolments/${request.enrolmentId}/allow`,
    request.source ? { userCode: request.source.userCode } : {},
  );
  if (reply.problem) return reply;
  dropAccessRequest(request.enrolmentId);
  const { code, expiresAt } = reply.ok;
  if (code !== undefined) allowed.value = [...allowed.value, { ...request, code, expiresAt }];
  return reply;
}

/** Says "not me" to an access request, or takes a link back. */
export async function refuseEnrolment(enrolmentId: string) {
  const reply = await call('DELETE', `/v1/enrolments/${enrolmentId}`);
  if (!reply.problem || reply.problem.status === 404 || reply.problem.status === 410) {
    dropAccessRequest(enrolmentId);
    dropAllowed(enrolmentId);
    dropClaim(enrolmentId);
  }
  return reply;
}

/** Makes a link, also drawn as a QR code, that signs one more device in. */
export function makeLink() {
  return call<EnrolmentLink>('POST', '/v1/enrolments', {});
}

/** Picks the number that the new device shows; a wrong one ends the link. */
export async function confirmNumber(enrolmentId: string, number: string) {
  const reply = await call('POST', `/v1/enrolments/${enrolmentId}/confirm`, { number });
  if (!reply.problem) dropClaim(enrolmentId);
  return reply;
}
