import { deepStrictEqual } from 'node:assert/strict';
import { test } from 'node:test';
import { addDevice } from '../../devices/admit.ts';
import { callerIn } from '../../devices/find.ts';
import { passkeyRoutes } from '../../people/passkeys/routes.ts';
import { relyingOn } from '../../people/passkeys/relying.ts';
import { createAuthenticator } from '../../people/passkeys/testing/authenticator.ts';
import { createHttp } from '../../platform/http/http.ts';
import { createLog } from '../../platform/log.ts';
import { openPlace } from '../testing/place.ts';
import { answerRoutes } from './people.ts';

const HUB = 'https://hub.test';

test('[APR3] [door] over HTTP a yes is signed and counts, and without or beside what was signed it is refused', async (t) => {
  const { place, close } = await openPlace();
  const { database, inquiries } = place;
  const app = await createHttp({
    log: createLog('silent'),
    findCaller: callerIn(database),
    origins: () => [],
    trustProxy: 0,
    rateLimit: 1000,
  });
  answerRoutes(app, inquiries);
  passkeyRoutes(app, { database, relying: () => relyingOn(HUB), tell: () => undefined });
  t.after(async () => {
    await app.close();
    await close();
  });
  const { accessToken } = await addDevice(database, place.phone.personId, 'Tablet');
  const post = async <T>(url: string, body: object) => {
    const headers = { authorization: `Bearer ${accessToken}` };
    const reply = await app.inject({ method: 'POST', url, headers, body });
    return { status: reply.statusCode, body: reply.json() as T & { code?: string } };
  };
  type Options = { challenge: string };
  const own = createAuthenticator(HUB);
  const options = (await post<Options>('/v1/passkeys/options', {})).body;
  await post('/v1/passkeys', { name: 'Key', response: own.make(options) });

  const id = await place.ask({ assurance: 'passkey', actions: [{ name: 'drop', args: {}, allowed: ['approve'] }] });
  const { digest } = await place.read(id);
  const yes = { digest, decisions: [{ type: 'approve' }] };
  const at = (what: string) => `/v1/inquiries/${id}/${what}`;
  const signed = async (body: object) => {
    const asked = await post<Options>(at('passkey-challenge'), body);
    return { assertion: own.sign(asked.body) };
  };
  const replies = [
    await post(at('answer'), yes),
    await post(at('answer'), { ...yes, ...(await signed({ outcome: 'declined' })) }),
    await post(at('answer'), { assertion: {}, unknown: 1 }),
    await post(at('passkey-challenge'), { ...yes, digest: 'other' }),
    await post<{ won: boolean }>(at('answer'), { ...yes, ...(await signed(yes)) }),
    await post(at('passkey-challenge'), yes),
  ];
  deepStrictEqual(
    replies.map(({ status, body }) => [status, body.code]),
    [
      [403, 'answer.needs_passkey'],
      [403, 'passkey.refused'],
      [422, 'answer.does_not_fit'],
      [422, 'answer.does_not_fit'],
      [200, undefined],
      [409, 'inquiry.already_resolved'],
    ],
  );
  const { by } = (await place.read(id)).resolution ?? {};
  deepStrictEqual(by?.kind === 'person' && [by.device.name, by.amr], ['Tablet', ['swk', 'user']]);
});
