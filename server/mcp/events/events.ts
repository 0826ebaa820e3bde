import type { Server } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { AppError } from '#shared/problem.ts';
import { allowedEndpoints } from '../../devices/subscription/endpoints.ts';
import type { Inquiries } from '../../inquiries/inquiries.ts';
import { refuseForeign } from '../../inquiries/state.ts';
import { iso } from '../../platform/clock.ts';
import type { Database } from '../../platform/database.ts';
import type { SourceCaller } from '../../platform/http/access.ts';
import { PerMinute } from '../../platform/http/rate-limits.ts';
import { createOutbound } from '../../platform/outbound/post.ts';
import { unseal } from '../../platform/secrets/secrets.ts';
import { CATALOGUE } from './catalogue.ts';
import { terminate, toSubscriber, verify, type Outside } from './endpoint.ts';
import { List, Poll, readParams, Subscribe, Unsubscribe } from './params.ts';
import { poll } from './poll.ts';
import { codeOf, EventRefusal } from './refusal.ts';
import { drop, endOver, isTold, keep, lookUp, readStatus, subscriptionId, tooMany } from './subscriptions.ts';

/** Challenges a minute of one source, and to one host, from each node. */
const CHALLENGES = 30;

type Hub = { inquiries: Pick<Inquiries, 'database' | 'sealingKey'> };
type Method = (source: SourceCaller, params: unknown) => Promise<Record<string, unknown>>;

export type Events = ReturnType<typeof createEvents>;

/** MCP Events (SEP-3415): a client of a source is told by webhook, or polls, what became of that source's inquiries. */
export function createEvents({ inquiries, hosts }: Hub & { hosts: string[] }) {
  const { database, sealingKey } = inquiries;
  const outbound = createOutbound();
  const outside: Outside = { post: outbound.post, isListed: allowedEndpoints(hosts).isListed };
  const methods: Record<string, Method> = {
    'events/list': async (_source, params) => (readParams(List, params), { events: CATALOGUE }),
    'events/subscribe': subscribing({ inquiries }, outside),
    async 'events/unsubscribe'({ id: sourceId }, params) {
      const id = subscriptionId(sourceId, readParams(Unsubscribe, params, 'webhook'));
      if (await drop(database, sourceId, id)) return {};
      throw new EventRefusal('NotFound', 'There is no such subscription.', { kind: 'subscription' });
    },
    async 'events/poll'({ id: sourceId }, params) {
      const wanted = readParams(Poll, params, 'poll');
      await refuseUnknown(database, sourceId, wanted.arguments.inquiryId);
      return poll(database, sourceId, wanted);
    },
  };
  return {
    /** Adds the methods to the server of one request of this source. */
    register(server: Server, source: SourceCaller): void {
      for (const [method, work] of Object.entries(methods))
        server.setRequestHandler(method, { params: z.unknown() }, (params, context) =>
          work(source, params).catch((error: unknown) => {
            throw error instanceof EventRefusal ? error.toProtocolError(context) : error;
          }),
        );
    },
    isTold: async ({ id, subscribed }: SourceCaller, inquiryId: string) =>
      subscribed === true && isTold(database, id, inquiryId),
    toSubscriber: toSubscriber(database, sealingKey, outside.isListed),
    /** Ends what is over; the endpoints of a revoked source are told once, and nobody waits for them. */
    async endOver(): Promise<void> {
      const error = { code: codeOf('Forbidden', true), message: 'Forbidden', data: { reason: 'Access revoked' } };
      for (const { id, url, secret } of await endOver(database))
        void terminate(outside, { id, url, secret: unseal(sealingKey, secret) }, error, database.clock.now());
    },
    stop: outbound.close,
  };
}

/** `events/subscribe`: an endpoint that this source did not bring before is asked first whether it wants to be told. */
function subscribing({ inquiries: { database, sealingKey } }: Hub, outside: Outside): Method {
  const challenges = new PerMinute();
  const refuseFlood = (key: string): void => {
    if (challenges.add(key) <= CHALLENGES) return;
    const limit = { limit: 'verifications', max: CHALLENGES };
    throw new EventRefusal('ResourceExhausted', `Try again in ${challenges.secondsLeft()} s.`, limit);
  };
  return async ({ id: sourceId }, params) => {
    const { cursor, ttlMs, ...wanted } = readParams(Subscribe, params, 'webhook');
    const { url, secret } = wanted.delivery;
    if (!url.startsWith('https://') && !outside.isListed(url))
      throw new EventRefusal('InvalidParams', 'Invalid params: delivery.url is not https.');
    await refuseUnknown(database, sourceId, wanted.arguments.inquiryId);
    const id = subscriptionId(sourceId, wanted);
    const now = database.clock.now();
    const { known, full, verified } = await lookUp(database, sourceId, id, url, now);
    if (full) throw tooMany();
    if (!verified) {
      refuseFlood(sourceId);
      refuseFlood(new URL(url).host);
      const reason = await verify(outside, { id, url, secret }, now);
      if (reason) throw new EventRefusal('CallbackEndpointError', `The endpoint did not agree: ${reason}.`, { reason });
    }
    const status = known ? { deliveryStatus: await readStatus(database, sourceId, id) } : {};
    const { expiresAt } = await keep(database, sealingKey, sourceId, { wanted, secret, ttlMs });
    // Nothing is replayed to an endpoint: who comes with a place of before has missed what was since.
    const truncated = !known && typeof cursor === 'string';
    return { id, refreshBefore: iso(expiresAt), cursor: null, truncated, ...status };
  };
}

async function refuseUnknown(database: Database, sourceId: string, inquiryId: string | undefined): Promise<void> {
  if (inquiryId === undefined) return;
  await refuseForeign(database, inquiryId, { sourceId }).catch((error: unknown) => {
    if (!(error instanceof AppError) || error.status !== 404) throw error;
    throw new EventRefusal('NotFound', 'There is no such inquiry for you.', { kind: 'inquiry' });
  });
}
