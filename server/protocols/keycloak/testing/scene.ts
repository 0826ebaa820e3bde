import type { TestContext } from 'node:test';
import type { Inquiry } from '#shared/inquiry.ts';
import { dispatcherFor } from '../../../deliveries/testing/scene.ts';
import { readOpen } from '../../../inquiries/read.ts';
import type { Place } from '../../../inquiries/testing/place.ts';
import { tieAccount } from '../../../people/store.ts';
import { createHttp } from '../../../platform/http/http.ts';
import { createLog } from '../../../platform/log.ts';
import type { Post } from '../../../platform/outbound/post.ts';
import { openKeycloak } from '../routes.ts';
import { tellKeycloak } from '../tell.ts';
import { openRealm, SENT, SUBJECT } from './realm.ts';

/** A place whose owner is tied to a user of a realm that speaks to it. */
export async function openScene(t: TestContext, place: Place) {
  const realm = await openRealm();
  t.after(realm.close);
  const { database, inquiries, phone } = place;
  await tieAccount(database, phone.personId, { issuer: realm.issuer, subject: SUBJECT });
  const http = await createHttp({
    log: createLog('silent'),
    findCaller: async () => 'unknown',
    origins: () => ['http://127.0.0.1'],
    trustProxy: 0,
    rateLimit: 1_000_000,
  });
  await openKeycloak(http, inquiries, [realm.issuer]);
  const url = await http.listen({ port: 0, host: '127.0.0.1' });
  t.after(() => http.close());
  const send = async (token: string, body: unknown = SENT): Promise<number> => {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    const reply = await fetch(`${url}/keycloak/v1/authentication`, {
      method: 'POST',
      headers,
      body: typeof body === 'string' ? body : JSON.stringify(body),
    });
    await reply.arrayBuffer();
    return reply.status;
  };
  const open = async (): Promise<Inquiry[]> =>
    (await readOpen(database.read, phone, { limit: 100, now: database.clock.now() })).items.toReversed();
  return {
    ...place,
    realm,
    url,
    asks: http.asks,
    send,
    open,
    /** Sends what the realm would send for a new request with this id, and stores it as the realm does. */
    async begin(id: string, body: unknown = SENT): Promise<Inquiry> {
      const status = await send(await realm.token(id, database.clock.now()), body);
      if (status !== 201) throw new Error(`refused with ${status}`);
      realm.store(id);
      return (await open()).at(-1) as Inquiry;
    },
    decide: ({ id, digest }: Inquiry, type: 'approve' | 'reject') =>
      place.answer(id, { decisions: [{ type, optionId: type === 'approve' ? 'yes' : 'no' }], digest }),
    /** A node that sends what is due. */
    node: ({ post, issuers = [realm.issuer] }: { post?: Post; issuers?: string[] } = {}) => {
      const tellIssuer = tellKeycloak(() => inquiries, issuers);
      const node = dispatcherFor(database, { tellIssuer, ...(post ? { post } : {}) });
      t.after(() => node.stop(0));
      return node;
    },
    /** What became of the deliveries, oldest first. */
    told: () =>
      database.read
        .selectFrom('deliveries')
        .leftJoin('delivery_attempts', 'delivery_id', 'deliveries.id')
        .select(['type', 'state', 'status', 'error'])
        .orderBy('deliveries.id')
        .orderBy('number')
        .execute(),
  };
}
