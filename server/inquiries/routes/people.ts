import type { Http } from '../../platform/http/server.ts';
import { z } from 'zod';
import { AnswerBody, AnswerReply } from '#shared/answer.ts';
import { HandReply } from '#shared/hands.ts';
import { Inquiry } from '#shared/inquiry.ts';
import { LiveExtend, SetApart } from '#shared/live.ts';
import { NotificationMark } from '#shared/push.ts';
import { RequestOptions } from '#shared/schemas/passkeys.ts';
import { page } from '#shared/wire.ts';
import { notificationShown } from '../../deliveries/push/want.ts';
import { mark } from '../../deliveries/inquiry-devices.ts';
import { deviceOf, routeFor, type DeviceCaller } from '../../platform/http/access.ts';
import { clientGone } from '../../platform/http/late-reply.ts';
import { takingTurns } from '../../platform/loop.ts';
import { Id } from '../../platform/http/params.ts';
import { toAnswerer } from '../answerer.ts';
import type { Inquiries, Store } from '../inquiries.ts';
import { answerInquiry } from '../answer.ts';
import { challengeAnswer } from '../assured.ts';
import { refuseStrangeAnswer } from '../check.ts';
import { extendInquiry } from '../extend.ts';
import { takeBack } from '../hands.ts';
import { setApart } from '../later.ts';
import { readOpen } from '../read.ts';
import { Listing } from './sources.ts';
import { refuseForeign } from '../state.ts';

const route = routeFor('device', 'People');

/** What people do from a device: answer, move the deadline, dismiss, look through. */
export function answerRoutes(app: Http, inquiries: Inquiries): void {
  markRoutes(app, inquiries);
  laterRoute(app, inquiries);
  approvalRoute(app, inquiries);

  route(app, 'GET /v1/inbox', 'What is open, newest first', {
    operationId: 'listInbox',
    description: 'What waits for me, as this device shows it.',
    querystring: Listing,
    response: { 200: page(Inquiry) },
    handler: async (request, reply) => {
      const { read, clock } = inquiries.database;
      const listing = { ...request.query, now: clock.now() };
      return readOpen(read, toAnswerer(deviceOf(request), 'http'), listing, takingTurns(clientGone(reply.raw)));
    },
  });

  route(app, 'POST /v1/inquiries/:id/answer', 'Answer or decline', {
    operationId: 'answerInquiry',
    description:
      'The first valid answer wins: 200 and `won: true`. Who comes later is told who won: 409 and `won: false`. An answer that does not fit leaves the inquiry open. Where `approvals` wants several people, a yes is counted: 202 with how it stands, until the last one wins.',
    problems: [
      'inquiry.unknown',
      'answer.does_not_fit',
      'answer.needs_passkey',
      'answer.edited',
      'passkey.refused',
      'yolo.running',
      'yolo.not_allowed',
    ],
    params: Id,
    body: AnswerBody,
    response: { 200: AnswerReply, 202: HandReply, 409: AnswerReply },
    preValidation: async ({ body }) => refuseStrangeAnswer(body),
    handler: async (request, reply) => {
      const answered = await answerInquiry(
        inquiries,
        toAnswerer(deviceOf(request), request.body.via ?? 'http'),
        request.params.id,
        request.body,
        request.arrivedAt,
      );
      if ('inquiry' in answered) return reply.code(202).send(answered);
      return reply.code(answered.won ? 200 : 409).send(answered);
    },
  });

  route(app, 'POST /v1/inquiries/:id/passkey-challenge', 'Begin to sign an answer with a passkey', {
    operationId: 'challengeAnswer',
    description:
      'Where `assurance` is `passkey`: send the answer as you will send it. What the browser signs with these options shows exactly this answer, on this device, once, for a minute; it goes with the answer as `assertion`.',
    problems: ['inquiry.unknown', 'inquiry.already_resolved', 'answer.does_not_fit', 'passkey.cannot', 'passkey.none'],
    params: Id,
    body: AnswerBody,
    response: { 200: RequestOptions },
    preValidation: async ({ body }) => refuseStrangeAnswer(body),
    handler: (request) =>
      challengeAnswer(inquiries, toAnswerer(deviceOf(request), 'http'), request.params.id, request.body),
  });

  route(app, 'POST /v1/inquiries/:id/extend', 'Move the deadline later', {
    operationId: 'extendInquiry',
    description: 'Everybody who was asked sees it; it goes no further than `latestAt`.',
    problems: ['inquiry.unknown', 'inquiry.already_resolved'],
    params: Id,
    body: LiveExtend.omit({ inquiryId: true }),
    response: { 200: z.object({ deadlineAt: z.string().describe('When it expires now.') }) },
    handler: (request) =>
      extendInquiry(inquiries, toAnswerer(deviceOf(request), 'http'), request.params.id, request.body.seconds),
  });
}

function laterRoute(app: Http, inquiries: Inquiries): void {
  route(app, 'POST /v1/inquiries/:id/later', 'Set it apart until later', {
    operationId: 'setInquiryApart',
    description:
      'For me alone, on all of my devices: it stands under Later and rings again at that time, which is at most 15 minutes before its deadline. It stays open, and others who were asked are told nothing.',
    problems: ['inquiry.unknown', 'inquiry.already_resolved'],
    params: Id,
    body: SetApart,
    response: { 204: z.null() },
    handler: (request) =>
      setApart(
        inquiries,
        toAnswerer(deviceOf(request), 'http'),
        request.params.id,
        request.body.at === null ? undefined : Date.parse(request.body.at),
      ),
  });
}

function approvalRoute(app: Http, inquiries: Inquiries): void {
  route(app, 'DELETE /v1/inquiries/:id/approval', 'Take my approval back', {
    operationId: 'takeApprovalBack',
    description:
      'Where `approvals` wants several people, until the last of them has approved. Everybody who is asked sees it.',
    problems: ['inquiry.unknown', 'approval.none', 'inquiry.already_resolved'],
    params: Id,
    response: { 204: z.null() },
    handler: (request) => takeBack(inquiries, toAnswerer(deviceOf(request), 'http'), request.params.id),
  });
}

function markRoutes(app: Http, { database }: Store): void {
  async function note(inquiryId: string, device: DeviceCaller, { kind }: NotificationMark): Promise<void> {
    await refuseForeign(database, inquiryId, { personId: device.person.id });
    if (kind === 'shown') await notificationShown(database, device.id, inquiryId);
    await mark(database, [{ inquiryId, deviceId: device.id, kind, at: database.clock.now() }]);
  }

  route(app, 'POST /v1/inquiries/:id/dismiss', 'Put it away on this device', {
    operationId: 'dismissInquiry',
    description: 'Hides it here and resolves nothing; other devices still show it.',
    problems: ['inquiry.unknown'],
    params: Id,
    response: { 204: z.null() },
    handler: (request) => note(request.params.id, deviceOf(request), { kind: 'dismissed' }),
  });

  route(app, 'POST /v1/inquiries/:id/marks', 'Report what became of its notification on this device', {
    operationId: 'markInquiry',
    description: 'A service worker says that its notification was shown, opened or dismissed.',
    problems: ['inquiry.unknown'],
    params: Id,
    body: NotificationMark,
    response: { 204: z.null() },
    handler: (request) => note(request.params.id, deviceOf(request), request.body),
  });
}
