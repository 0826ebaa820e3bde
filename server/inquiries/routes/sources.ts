import type { Http } from '../../platform/http/server.ts';
import { collectRead } from '../collected.ts';
import type { Wait } from '../waiters.ts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { Ask, Inquiry } from '#shared/inquiry.ts';
import { page } from '#shared/wire.ts';
import { Deliveries } from '#shared/schemas/deliveries.ts';
import { deviceDeliveries } from '../../deliveries/inquiry-devices.ts';
import { readDeliveries } from '../../deliveries/read.ts';
import { assertNotRevoked, deviceOf, routeFor, sourceOf } from '../../platform/http/access.ts';
import { counted } from '../../platform/http/admission.ts';
import { clientGone, onceClosed, replyLate } from '../../platform/http/late-reply.ts';
import { takingTurns } from '../../platform/loop.ts';
import { Id, paging, Waiting } from '../../platform/http/params.ts';
import { applyPreference, type CallWait, PREFER, readWait } from '../../platform/http/wait.ts';
import { ask } from '../ask.ts';
import type { Inquiries, Store, Closing } from '../inquiries.ts';
import { listForSource, readForSource, toViews } from '../read.ts';
import { refuseForeign } from '../state.ts';
import { readAsRecipient } from '../store.ts';
import { waitForResolution } from '../hold.ts';
import { withdrawInquiry } from '../withdraw.ts';
import { validityHeader } from '../validity.ts';
import { AS_TEXT, asWanted, saysAll, sendAsWanted, wantsText } from './as-text.ts';
import { eventRoutes } from './events.ts';

const sourceRoute = routeFor('source', 'Sources');
const anyRoute = routeFor('any', 'Sources', 'People');
const State = z.enum(['open', 'resolved', 'answered', 'declined', 'expired', 'withdrawn']);
export const Listing = paging('inq', 50);

/** What sources do: ask, wait, read their own, take it back. */
export function askRoutes(app: Http, inquiries: Inquiries): void {
  waitRoutes(app, inquiries);
  eventRoutes(app, inquiries);
  readRoutes(app, inquiries);
}

/** Calls that may wait for a resolution. */
function waitRoutes(app: Http, inquiries: Inquiries): void {
  sourceRoute(app, 'POST /v1/inquiries', 'Ask', {
    operationId: 'ask',
    problems: [
      'inquiry.key_reused',
      'inquiry.already_resolved',
      'source.too_many_open',
      'source.too_much_open',
      'schema.too_many',
      'wait.too_many',
      'hub.overloaded',
    ],
    asks: true,
    description: `Asks, and waits up to \`wait\` seconds for the resolution. ${AS_TEXT}`,
    headers: PREFER,
    querystring: Waiting,
    body: Ask,
    response: { 200: Inquiry, 201: Inquiry, 202: Inquiry },
    handler: async (request, reply) => {
      const signal = clientGone(reply.raw);
      const { id: sourceId } = sourceOf(request);
      const waits = readWait(request);
      const { ms } = waits;
      if (ms > 0 && signal.aborted) return reply.hijack();
      if (ms > 0) onceClosed(reply.raw, inquiries.waiters.places.take('wait', sourceId));
      const command = { sourceId, ask: request.body, waitMs: ms };
      const { inquiryId, created, inquiry } = await counted(request, () => ask(inquiries, command));
      const status = created ? 201 : 200;
      const read = () => readForSource(inquiries, inquiryId, sourceId);
      void reply.code(status);
      if (ms === 0) return sendNow(inquiries, request, reply, waits, inquiry ?? (await read()));
      // What was asked is stored: no call that waits keeps it.
      request.body = undefined as never;
      const wait = { inquiryId, read, first: inquiry, callerId: sourceId, by: 'asker', signal, ...waits } as const;
      return waitAndReply(inquiries, request, reply, wait);
    },
  });

  anyRoute(app, 'GET /v1/inquiries/:id', 'Read one inquiry, or wait for its resolution', {
    operationId: 'readInquiry',
    problems: ['inquiry.unknown', 'wait.too_many'],
    description: `Reads it at once, or waits up to \`wait\` seconds for its resolution. ${AS_TEXT}`,
    params: Id,
    headers: PREFER,
    querystring: Waiting,
    response: { 200: Inquiry, 202: Inquiry },
    handler: async (request, reply) => {
      const signal = clientGone(reply.raw);
      const { id } = request.params;
      const { caller } = request;
      const ofSource = caller?.kind === 'source';
      const read = ofSource
        ? () => readForSource(inquiries, id, caller.id)
        : () => readForDevice(inquiries, id, request);
      const waits = readWait(request);
      if (waits.ms === 0) {
        const inquiry = await read();
        if (ofSource) collectSent(inquiries, request, reply, inquiry);
        return sendNow(inquiries, request, reply, waits, inquiry);
      }
      onceClosed(reply.raw, inquiries.waiters.places.take('wait', caller?.id ?? ''));
      const by = ofSource ? 'source' : 'reader';
      const wait = { inquiryId: id, read, callerId: caller?.id ?? '', by, signal, ...waits } as const;
      return waitAndReply(inquiries, request, reply, wait);
    },
  });
}

function sendNow(
  { database }: Inquiries,
  request: FastifyRequest,
  reply: FastifyReply,
  waits: CallWait,
  inquiry: Inquiry,
): FastifyReply {
  applyPreference(reply, waits, stillOpen(inquiry));
  return sendAsWanted(request, reply, inquiry, database.clock.now());
}

/** Replies with the status that is set, or where a wait was preferred with 202 to what is undecided. */
function waitAndReply(
  inquiries: Inquiries,
  request: FastifyRequest,
  reply: FastifyReply,
  wait: Wait & CallWait,
): Promise<FastifyReply> {
  const read = async (): Promise<Inquiry | string> => {
    const { inquiry } = await waitForResolution(inquiries, wait);
    if (wait.by !== 'reader') collectSent(inquiries, request, reply, inquiry);
    // What was resolved before is told before any headers go out.
    if (!reply.sent) void reply.headers(validityHeader([inquiry]));
    applyPreference(reply, wait, stillOpen(inquiry));
    return asWanted(request, inquiry, inquiries.database.clock.now());
  };
  return replyLate(reply, wait.preferred ? undefined : reply.statusCode, read(), { text: wantsText(request) });
}

function stillOpen({ id, resolution }: Inquiry): string | false {
  return resolution === undefined && `/v1/inquiries/${id}`;
}

/** HEAD carries nothing that could be collected. */
function collectSent(inquiries: Inquiries, request: FastifyRequest, { raw }: FastifyReply, inquiry: Inquiry): void {
  if (request.method !== 'HEAD' && saysAll(request, inquiry)) collectRead(inquiries, raw, inquiry);
}

function readRoutes(app: Http, inquiries: Closing): void {
  sourceRoute(app, 'POST /v1/inquiries/:id/withdraw', 'Take it back', {
    operationId: 'withdrawInquiry',
    description:
      'It disappears from all devices and ends as withdrawn. What is resolved already stays as it is: 409 says how.',
    problems: ['inquiry.unknown', 'inquiry.already_resolved'],
    params: Id,
    body: z.strictObject({ reason: z.string().max(2000).optional().describe('Why, in a few words.') }),
    response: { 200: Inquiry },
    handler: (request) => withdrawInquiry(inquiries, sourceOf(request).id, request.params.id, request.body.reason),
  });

  sourceRoute(app, 'GET /v1/inquiries', 'List its own, newest first', {
    operationId: 'listInquiries',
    description: 'What this source asked, without secret answers. Listing collects no resolution.',
    querystring: Listing.extend({
      state: State.optional().describe('Only those in this state; resolved: all that are not open.'),
    }),
    response: { 200: page(Inquiry) },
    handler: (request, reply) =>
      listForSource(inquiries.database.read, sourceOf(request).id, request.query, takingTurns(clientGone(reply.raw))),
  });

  anyRoute(app, 'GET /v1/inquiries/:id/deliveries', 'Which devices were told, and how far it came', {
    operationId: 'readReach',
    description:
      'For each device when it was told, accepted, showed and opened the inquiry, and what became of its push; for the source its webhooks too.',
    problems: ['inquiry.unknown'],
    params: Id,
    response: { 200: Deliveries },
    handler: async (request) => {
      const { database } = inquiries;
      const { read } = database;
      const { id } = request.params;
      const { caller } = request;
      if (caller?.kind === 'source') {
        await refuseForeign(database, id, { sourceId: caller.id });
        return { items: await deviceDeliveries(read, id), webhooks: await readDeliveries(read, id) };
      }
      await refuseForeign(database, id, { personId: deviceOf(request).person.id });
      return { items: await deviceDeliveries(read, id) };
    },
  });
}

async function readForDevice(
  { database }: Store,
  inquiryId: string,
  request: Parameters<typeof deviceOf>[0],
): Promise<Inquiry> {
  const device = deviceOf(request);
  const row = await readAsRecipient(database, inquiryId, device.person.id);
  const [view] = await toViews(database.read, [row], { personId: device.person.id, deviceId: device.id });
  await assertNotRevoked(database.read, device);
  return view as Inquiry;
}
