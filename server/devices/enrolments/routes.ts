import type { Http } from '../../platform/http/server.ts';
import type { FastifyRequest } from 'fastify';
import type { z } from 'zod';
import { fault, invalid } from '#shared/faults.ts';
import { AppError } from '#shared/problem.ts';
import { list } from '#shared/wire.ts';
import {
  AccessRequest,
  AllowEnrolment,
  Claimed,
  ConfirmEnrolment,
  EnrolmentAllowed,
  AccessRequested,
  EnrolmentLink,
  EnrolmentState,
  Enrolled,
  FirstEnrolment,
  NewEnrolment,
  RedeemEnrolment,
} from '#shared/schemas/enrolments.ts';
import { deviceOf, routeFor } from '../../platform/http/access.ts';
import type { Database } from '../../platform/database.ts';
import { DONE, Id } from '../../platform/http/params.ts';
import type { TrustedIssuer } from '../../platform/settings.ts';
import type { Admitted, Announce } from '../admit.ts';
import { describeDevice, type NewDevice } from '../new-device.ts';
import { addressRoute } from './address.ts';
import { allow, openAccessRequests, redeemCode, requestAccess } from './access-request.ts';
import { jwtVerifier, redeemJwt, type VerifyJwt } from './jwt.ts';
import { isUnused, linkFromDevice } from './link.ts';
import { confirm, redeemClaim, redeemLink } from './open-link.ts';
import { allowSource } from './source-request.ts';
import { readEnrolment, withdrawEnrolment } from './state.ts';

const TAG = 'Letting a device in';
const route = routeFor('device', TAG);
const publicRoute = routeFor('public', TAG);

export type EnrolmentDeps = {
  database: Database;
  announce: Announce;
  /** Where people open the hub; asked at each call, because the port may be chosen at start. */
  publicUrl: () => string;
  issuers: readonly TrustedIssuer[];
};

/** The calls by which devices sign in. */
export function enrolmentRoutes(app: Http, deps: EnrolmentDeps): void {
  newDeviceRoutes(app, deps);
  ownDeviceRoutes(app, deps);
  addressRoute(app, deps.publicUrl);
}

/** The calls of a new device, which holds no token yet. */
function newDeviceRoutes(app: Http, { database, announce, publicUrl, issuers }: EnrolmentDeps): void {
  const verify = jwtVerifier(issuers, database.clock);

  publicRoute(app, 'POST /v1/enrolments', 'Make a link for another device, or ask to sign in as a new one', {
    operationId: 'enroll',
    description:
      'With a device’s token: 201 and a link. Without one and with a handle: 202, and every device of that person is asked.',
    problems: ['credential.missing', 'credential.wrong_kind', 'enrolment.too_many'],
    body: NewEnrolment,
    response: { 201: EnrolmentLink, 202: AccessRequested },
    handler: async (request, reply) => {
      refuseSource(request);
      const { caller, body } = request;
      if (caller?.kind === 'device')
        return reply
          .code(201)
          .send(await linkFromDevice(database, publicUrl(), { issuerId: caller.id, personId: caller.person.id }));
      if (body.handle === undefined)
        throw new AppError(
          401,
          'credential.missing',
          'Send the token of a device that is in, or "handle": whose device you are.',
        );
      return reply
        .code(202)
        .send(await requestAccess(database, announce, body.handle, describeDevice(request, body.deviceName)));
    },
  });

  publicRoute(app, 'POST /v1/enrolments/redeem', 'Come in with a link, six digits, a confirmed number or a JWT', {
    operationId: 'redeemEnrolment',
    description:
      '200: the device is in, and its token is shown this once. 202: show `number`, and call again with `claim` until 200.',
    problems: [
      'credential.wrong_kind',
      'enrolment.unknown',
      'enrolment.expired',
      'enrolment.used',
      'enrolment.refused',
      'enrolment.wrong_code',
      'jwt.refused',
    ],
    body: RedeemEnrolment,
    response: { 200: Enrolled, 202: Claimed },
    handler: async (request, reply) => {
      refuseSource(request);
      const device = describeDevice(request, request.body.deviceName);
      const outcome = await redeem(request.body, device, { database, announce, verify });
      if (!('enrolled' in outcome)) return reply.code(202).send(outcome);
      const { enrolled, announcement, retired } = outcome;
      // RES5: no device comes in unseen by the others of its person.
      announce.toPerson(announcement.personId, 'enrolled', announcement.event);
      for (const enrolmentId of retired)
        announce.toPerson(announcement.personId, 'access_request_withdraw', { enrolmentId });
      return reply.code(200).send(enrolled);
    },
  });

  publicRoute(app, 'GET /v1/enrolments/first', 'Read whether the hub waits for its first device', {
    operationId: 'readFirstEnrolment',
    description: 'The link of the first device is where the hub was started.',
    problems: ['credential.wrong_kind'],
    response: { 200: FirstEnrolment },
    handler: async (request) => {
      refuseSource(request);
      return { waiting: await isUnused(database.read, database.clock.now()) };
    },
  });
}

/** What a device that is in sees and decides of those that want in. */
function ownDeviceRoutes(app: Http, { database, announce }: EnrolmentDeps): void {
  route(app, 'GET /v1/enrolments', 'List the devices that ask to sign in now, and the agents that ask for a key', {
    operationId: 'listAccessRequests',
    description: 'Each can be allowed or refused on any of my devices.',
    response: { 200: list(AccessRequest) },
    handler: async (request) => ({ items: await openAccessRequests(database, deviceOf(request).person.id) }),
  });

  route(app, 'GET /v1/enrolments/:id', 'Read how far a link or an access request has come', {
    operationId: 'readEnrolment',
    description: 'For the device that made it or that may decide it.',
    problems: ['enrolment.unknown'],
    params: Id,
    response: { 200: EnrolmentState },
    handler: (request) => readEnrolment(database, request.params.id, deviceOf(request)),
  });

  route(app, 'POST /v1/enrolments/:id/allow', 'Allow an access request; shows the digits to type on it', {
    operationId: 'allowEnrolment',
    description:
      'The first device that allows it shows six digits for five minutes; an agent that asks for a key gets it instead.',
    problems: [
      'enrolment.wrong_code',
      'enrolment.unknown',
      'enrolment.expired',
      'enrolment.refused',
      'enrolment.used',
      'enrolment.already_allowed',
    ],
    params: Id,
    body: AllowEnrolment,
    response: { 200: EnrolmentAllowed },
    handler: (request) => {
      const { id } = request.params;
      const { userCode } = request.body;
      return userCode === undefined
        ? allow(database, announce, id, deviceOf(request))
        : allowSource(database, announce, { id, userCode }, deviceOf(request));
    },
  });

  route(app, 'POST /v1/enrolments/:id/confirm', 'Pick the number that the new device shows', {
    operationId: 'confirmEnrolment',
    description: 'Only the device that made the link can; a wrong number ends it.',
    problems: [
      'enrolment.unknown',
      'enrolment.expired',
      'enrolment.refused',
      'enrolment.used',
      'enrolment.wrong_number',
    ],
    params: Id,
    body: ConfirmEnrolment,
    response: DONE,
    handler: (request) => confirm(database, request.params.id, request.body.number, deviceOf(request)),
  });

  route(app, 'DELETE /v1/enrolments/:id', 'Refuse an access request, or take a link back', {
    operationId: 'removeEnrolment',
    description: 'It leads nowhere from now on.',
    problems: ['enrolment.unknown'],
    params: Id,
    response: DONE,
    handler: (request) => withdrawEnrolment(database, announce, request.params.id, deviceOf(request)),
  });
}

/** Lets a device in by exactly one of the ways, or says what it must wait for; 422 for none or several of them. */
async function redeem(
  body: z.infer<typeof RedeemEnrolment>,
  device: NewDevice,
  { database, announce, verify }: { database: Database; announce: Announce; verify: VerifyJwt },
): Promise<Admitted | Claimed> {
  const { deviceName: _, ...given } = body;
  const { secret = '', enrolmentId = '', claim = '', code = '', jwt = '' } = given;
  switch (Object.keys(given).sort().join(' ')) {
    case 'secret':
      return redeemLink(database, announce, secret, device);
    case 'claim enrolmentId':
      return redeemClaim(database, enrolmentId, claim);
    case 'code enrolmentId':
      return redeemCode(database, announce, enrolmentId, code);
    case 'jwt':
      return redeemJwt(database, verify, jwt, device);
    default: {
      const message = 'must have exactly one of: secret; enrolmentId and code; enrolmentId and claim; jwt';
      throw invalid([fault('', 'enrolment.form', message)]);
    }
  }
}

// RES5: what lets devices in is no business of a source, not even where a caller without credential may try.
function refuseSource(request: FastifyRequest): void {
  if (request.caller?.kind === 'source')
    throw new AppError(
      403,
      'credential.wrong_kind',
      'A source can ask, read its own and withdraw its own; it lets no device in.',
    );
}
