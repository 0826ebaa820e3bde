import type { Http } from '../../platform/http/server.ts';
import type { FastifyReply } from 'fastify';
import type { Inquiry } from '#shared/inquiry.ts';
import { AppError } from '#shared/problem.ts';
import { routeFor, sourceOf } from '../../platform/http/access.ts';
import { openEvents } from '../../platform/http/event-stream.ts';
import { clientGone, onceClosed } from '../../platform/http/late-reply.ts';
import { Id } from '../../platform/http/params.ts';
import type { Closing } from '../inquiries.ts';
import { readForSource } from '../read.ts';
import { waitForResolution } from '../hold.ts';

const route = routeFor('source', 'Sources');
const DESCRIPTION =
  'Server-sent events: `opened` at once and `resolved` in the end, after which the stream ends; the data of both is the ' +
  'inquiry, without secret answers. Whoever comes back is told both again, or 204 with `Last-Event-ID: resolved`. ' +
  'Listening neither keeps the inquiry open nor collects its resolution.';

/** A stream of one inquiry, for a platform that tells its own clients of it. */
export function eventRoutes(app: Http, inquiries: Closing): void {
  route(app, 'GET /v1/inquiries/:id/events', 'Hear when it is resolved, as server-sent events', {
    operationId: 'streamInquiry',
    problems: ['inquiry.unknown', 'stream.too_many'],
    headers: { 'Last-Event-ID': 'The event that came last: `resolved` is told nothing more.' },
    params: Id,
    description: DESCRIPTION,
    exposeHeadRoute: false,
    handler: async (request, reply) => {
      const signal = clientGone(reply.raw);
      const { id: callerId } = sourceOf(request);
      const { id: inquiryId } = request.params;
      // A stream is kept and copied in more places than a reply: secret answers are read by the inquiry's id alone.
      const read = () => readForSource({ database: inquiries.database }, inquiryId, callerId);
      onceClosed(reply.raw, inquiries.waiters.places.take('stream', callerId));
      const heardAll = request.headers['last-event-id'] === 'resolved';
      const events = await opened(reply, read, heardAll);
      if (!events) return reply.code(204).send();
      try {
        const wait = { inquiryId, read, callerId, by: 'reader', ms: Infinity, signal } as const;
        const { inquiry, ended } = await waitForResolution(inquiries, wait);
        if (ended === 'resolved') events.send('resolved', inquiry);
      } catch (error) {
        // Whoever was revoked reads why when it comes back.
        if (!(error instanceof AppError)) throw error;
      } finally {
        events.end();
      }
      return reply;
    },
  });
}

/** A frame of its own, so that no stream keeps what it told first; undefined where there is nothing left to tell. */
async function opened(reply: FastifyReply, read: () => Promise<Inquiry>, heardAll: boolean) {
  const inquiry = await read();
  if (inquiry.resolution && heardAll) return undefined;
  const events = openEvents(reply);
  events.send('opened', inquiry);
  return events;
}
