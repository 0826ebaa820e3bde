import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { fromUuid, newId } from '#shared/ids.ts';
import type { Inquiry } from '#shared/inquiry.ts';
import { Locale } from '#shared/wire.ts';
import { ask } from '../../inquiries/ask.ts';
import { collectRead } from '../../inquiries/collected.ts';
import { waitForResolution } from '../../inquiries/hold.ts';
import type { Inquiries } from '../../inquiries/inquiries.ts';
import { readForSource } from '../../inquiries/read.ts';
import { askedBySource } from '../../inquiries/store.ts';
import { withdrawInquiry } from '../../inquiries/withdraw.ts';
import { routeFor, sourceOf } from '../../platform/http/access.ts';
import { counted } from '../../platform/http/admission.ts';
import { clientGone, onceClosed } from '../../platform/http/late-reply.ts';
import { Id } from '../../platform/http/params.ts';
import type { Http } from '../../platform/http/server.ts';
import { readInTurn } from '../../platform/turns.ts';
import { idempotencyKey, Refused } from './errors.ts';
import {
  CreateRequest,
  DIALECT,
  Duration,
  isSameRequest,
  toAsk,
  toKept,
  toKey,
  toRequest,
  toSeconds,
} from './request.ts';

const MOST_WAIT_SECONDS = 30;
/** So long an approval may be started by whoever polls for it. What is told by a webhook has the hub's own default, a week. */
const VALID_SECONDS = 300;

const Waiting = z.strictObject({ wait: Duration.optional() });

/** The calls of an instance, which is any source that is no provisioner. */
export function requestRoutes(scope: Http, inquiries: Inquiries): void {
  const route = routeFor('source', 'AAP');

  route(scope, 'POST /v1/requests', 'Create an approval request', {
    operationId: 'aapCreateRequest',
    description: 'Asks people to approve or to reject one call.',
    asks: true,
    body: CreateRequest,
    handler: async (request, reply) => {
      const asker = await readAsker(inquiries, request);
      const asked = () => create(inquiries, asker, idempotencyKey(request), request.body);
      const { created, kept, inquiry } = await counted(request, asked);
      collectRead(inquiries, reply.raw, inquiry);
      return reply.code(created ? 201 : 200).send(toRequest(kept, inquiry));
    },
  });

  route(scope, 'GET /v1/requests/:id', 'Retrieve an approval request', {
    operationId: 'aapReadRequest',
    description: 'At once, or when it has ended.',
    params: Id,
    querystring: Waiting,
    exposeHeadRoute: false,
    handler: async (request, reply) => {
      const signal = clientGone(reply.raw);
      const asker = await readAsker(inquiries, request);
      const { wait } = request.query;
      const { id, kept } = await find(inquiries, asker, request.params.id);
      const seconds = Math.min(wait === undefined ? 0 : toSeconds(wait), MOST_WAIT_SECONDS);
      const inquiry = await read(inquiries, reply, { id, sourceId: asker.id, seconds, signal });
      if (signal.aborted) return reply.hijack();
      collectRead(inquiries, reply.raw, inquiry);
      return toRequest(kept, inquiry);
    },
  });

  route(scope, 'DELETE /v1/requests/:id', 'Cancel an approval request', {
    operationId: 'aapCancelRequest',
    description: 'It ends as cancelled, unless it has ended already.',
    params: Id,
    handler: async (request) => {
      const asker = await readAsker(inquiries, request);
      const { id, kept } = await find(inquiries, asker, request.params.id);
      return toRequest(kept, await withdrawInquiry(inquiries, asker.id, id));
    },
  });
}

type Asker = { id: string; validFor: number | undefined; locale: 'en' | 'zh' | undefined };

async function readAsker({ database }: Inquiries, request: FastifyRequest): Promise<Asker> {
  const { id } = sourceOf(request);
  const row = await database.read
    .selectFrom('sources')
    .select(['may_provision', 'valid_for', 'webhook_url', 'locale'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  if (row.may_provision === 1) throw new Refused(403, 'provisioner_may_not_ask', 'A provisioner makes no requests.');
  const validFor = row.valid_for === null && row.webhook_url === null ? VALID_SECONDS : undefined;
  return { id, validFor, locale: Locale.safeParse(row.locale).data };
}

async function create(
  inquiries: Inquiries,
  { id: sourceId, ...asker }: Asker,
  idempotencyKey: string,
  body: CreateRequest,
): Promise<{ created: boolean; kept: string; inquiry: Inquiry }> {
  const { database } = inquiries;
  const [key, kept] = [toKey(idempotencyKey), toKept(body)];
  const known = await database.read
    .selectFrom('inquiries')
    .select(['id', 'kept'])
    .where('source_id', '=', sourceId)
    .where('key', '=', key)
    .executeTakeFirst();
  if (known && !isSameRequest(known.kept ?? '', kept))
    throw new Refused(409, 'idempotency_conflict', 'The idempotency key was already used for a different request.');
  const stored = (id: string) => readForSource({ database }, id, sourceId);
  if (known) return { created: false, kept: known.kept ?? '', inquiry: await stored(known.id) };
  const through = { id: newId('ask', database.clock.now()), dialect: DIALECT, kept, about: null, further: [] };
  const asked = await ask(inquiries, { sourceId, ask: toAsk(body, { key, ...asker }), waitMs: 0, through });
  const { created, inquiryId, inquiry } = asked;
  return { created, kept, inquiry: inquiry ?? (await stored(inquiryId)) };
}

/** What is told of a request by its adapter's own id; 404 for what this source did not ask by the protocol. */
async function find({ database }: Inquiries, { id: sourceId }: Asker, uuid: string) {
  const id = fromUuid('inq', uuid);
  const [[row]] = id === undefined ? [[]] : await readInTurn(() => database.rows(askedBySource(id, sourceId)));
  const { dialect } = JSON.parse(row?.transport ?? '{}') as Partial<Inquiry>;
  if (id === undefined || !row?.kept || dialect?.name !== DIALECT.name)
    throw new Refused(404, 'request_not_found', 'There is no such request of this instance.', 'id');
  return { id, kept: row.kept };
}

async function read(
  inquiries: Inquiries,
  { raw }: FastifyReply,
  { id, sourceId, seconds, signal }: { id: string; sourceId: string; seconds: number; signal: AbortSignal },
): Promise<Inquiry> {
  const reading = () => readForSource(inquiries, id, sourceId);
  if (seconds === 0) return reading();
  onceClosed(raw, inquiries.waiters.places.take('wait', sourceId));
  const wait = { inquiryId: id, read: reading, callerId: sourceId, by: 'reader', ms: seconds * 1000, signal } as const;
  return (await waitForResolution(inquiries, wait)).inquiry;
}
