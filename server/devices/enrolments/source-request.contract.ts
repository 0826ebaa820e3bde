import { deepStrictEqual, strictEqual } from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import type { AccessRequest } from '#shared/schemas/enrolments.ts';
import type { Database } from '../../platform/database.ts';
import { addDevice } from '../admit.ts';
import { findDevice } from '../find.ts';
import { revokeDevice } from '../revoke.ts';
import { openScene, recorder, type Scene } from '../testing/scene.ts';
import { allowSource, collectSource, requestSource } from './source-request.ts';

const AT_ONCE = 8;
const CLIENT = 'release-bot';

/** What must hold of requests for a key on either engine, when several do the same at the same moment. */
export function sourceRequestContract(open: (t: TestContext) => Promise<Database>): void {
  test('[race] of devices that say yes to one request for a key at once one wins, and of polls one gets the key', async (t) => {
    const scene = await openScene(t, { opened: await open(t) });
    const devices = await Promise.all(atOnce((at) => addDevice(scene.database, scene.owner.id, `Device ${at}`)));
    const { deviceCode } = await begin(scene);
    const [{ enrolmentId, source }] = await waiting(scene);
    const replies = await Promise.all(
      devices.map(({ accessToken: token }) =>
        scene.call('POST', `/v1/enrolments/${enrolmentId}/allow`, { token, body: { userCode: source?.userCode } }),
      ),
    );
    deepStrictEqual(
      [200, 409].map((wanted) => replies.filter(({ status }) => status === wanted).length),
      [1, AT_ONCE - 1],
    );
    const winner = `Device ${replies.findIndex(({ status }) => status === 200)}`;
    deepStrictEqual(new Set(replies.map(({ body }) => body['allowedOn'])), new Set([undefined, winner]));
    const polls = await Promise.all(atOnce(() => collectSource(scene.database, { deviceCode, client: CLIENT })));
    const got = polls.filter((one) => typeof one !== 'string');
    strictEqual(got.length, 1);
    scene.advance(60 * 5_000);
    deepStrictEqual(
      [await collectSource(scene.database, { deviceCode, client: CLIENT }), await names(scene)],
      ['unknown', ['Bot']],
    );
  });

  test('[race] a request that is allowed and refused at once gives a key or none, as each side is told', async (t) => {
    const scene = await openScene(t, { opened: await open(t) });
    for (let round = 0; round < 4; round++) {
      const { deviceCode } = await begin(scene);
      const [{ enrolmentId, source }] = await waiting(scene);
      const { token } = scene.owner;
      const [no] = await Promise.all([
        scene.call('DELETE', `/v1/enrolments/${enrolmentId}`, { token }),
        scene.call('POST', `/v1/enrolments/${enrolmentId}/allow`, { token, body: { userCode: source?.userCode } }),
      ]);
      strictEqual(no.status, 204);
      strictEqual(await collectSource(scene.database, { deviceCode, client: CLIENT }), 'refused');
    }
    // A call under way says yes in the moment in which its device is signed out.
    const phone = await addDevice(scene.database, scene.owner.id, 'Phone');
    const caller = await findDevice(scene.database, phone.accessToken);
    if (typeof caller === 'string') throw new Error(caller);
    await revokeDevice(scene.database, recorder([]), scene.owner.id, phone.deviceId);
    const { deviceCode, userCode } = await begin(scene);
    const [{ enrolmentId: id }] = await waiting(scene);
    await allowSource(scene.database, recorder([]), { id, userCode }, caller);
    strictEqual(await collectSource(scene.database, { deviceCode, client: CLIENT }), 'refused');
    deepStrictEqual(await names(scene), []);
  });

  test('[race] requests of one name at once become sources of different names, and a flood stays within its limit', async (t) => {
    const scene = await openScene(t, { opened: await open(t) });
    const begun = await Promise.all(atOnce(() => begin(scene)));
    for (const { enrolmentId, source } of await waiting(scene))
      await scene.call('POST', `/v1/enrolments/${enrolmentId}/allow`, {
        token: scene.owner.token,
        body: { userCode: source?.userCode },
      });
    await Promise.all(begun.map(({ deviceCode }) => collectSource(scene.database, { deviceCode, client: CLIENT })));
    deepStrictEqual((await names(scene)).toSorted(), ['Bot', ...atOnce((at) => `Bot (${at + 2})`).slice(0, -1)]);
    const flood = await Promise.allSettled(Array.from({ length: 40 }, (_, at) => begin(scene, `10.1.0.${at}`)));
    strictEqual(flood.filter(({ status }) => status === 'fulfilled').length, 20);
  });
}

function atOnce<T>(work: (at: number) => T): T[] {
  return Array.from({ length: AT_ONCE }, (_, at) => work(at));
}

function begin({ database }: Scene, address = '10.0.0.7') {
  const asking = { name: 'Bot', host: undefined, client: CLIENT, userAgent: '', address };
  return requestSource(database, recorder([]), asking);
}

async function waiting({ call, owner: { token } }: Scene): Promise<[AccessRequest, ...AccessRequest[]]> {
  return (await call<{ items: [AccessRequest] }>('GET', '/v1/enrolments', { token })).body.items;
}

async function names({ call, owner: { token } }: Scene): Promise<string[]> {
  const { body } = await call<{ items: { name: string }[] }>('GET', '/v1/sources', { token });
  return body.items.map(({ name }) => name);
}
