import { deepStrictEqual, strictEqual } from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import type { Claimed, AccessRequested, EnrolmentLink } from '#shared/schemas/enrolments.ts';
import { ensureOwner } from '../../people/owner.ts';
import type { Database } from '../../platform/database.ts';
import { addDevice } from '../admit.ts';
import { openScene, type Scene } from '../testing/scene.ts';
import { firstLink } from './link.ts';
import { sourceRequestContract } from './source-request.contract.ts';

const AT_ONCE = 8;

/** What must hold on either engine when several do the same at the same moment. */
export function racesContract(open: (t: TestContext) => Promise<Database>): void {
  const openFor = async (context: TestContext): Promise<Scene> => openScene(context, { opened: await open(context) });

  test('of devices that allow one access request at once, one wins and the others learn which', async (context) => {
    const scene = await openFor(context);
    const devices = await Promise.all(atOnce((at) => addDevice(scene.database, scene.owner.id, `Device ${at}`)));
    const { enrolmentId } = await requestAccess(scene);
    const replies = await Promise.all(
      devices.map(({ accessToken }) =>
        scene.call('POST', `/v1/enrolments/${enrolmentId}/allow`, { token: accessToken }),
      ),
    );
    deepStrictEqual(count(replies), { 200: 1, 409: AT_ONCE - 1 });
    const winner = `Device ${replies.findIndex(({ status }) => status === 200)}`;
    const told = replies.filter(({ status }) => status === 409).map(({ body }) => body['allowedOn']);
    deepStrictEqual(new Set(told), new Set([winner]));
  });

  test('of new devices that open one link at once, one is shown a number', async (context) => {
    const scene = await openFor(context);
    const { body } = await scene.call<EnrolmentLink>('POST', '/v1/enrolments', { token: scene.owner.token });
    deepStrictEqual(count(await redeemAtOnce(scene, { secret: body.link.split('#')[1] })), {
      202: 1,
      410: AT_ONCE - 1,
    });
  });

  test('a confirmed new device that asks several times at once gets one token', async (context) => {
    const scene = await openFor(context);
    const { token } = scene.owner;
    const { body } = await scene.call<EnrolmentLink>('POST', '/v1/enrolments', { token });
    const secret = body.link.split('#')[1];
    const claimed = await scene.call<Claimed>('POST', '/v1/enrolments/redeem', { body: { secret } });
    const { enrolmentId, claim, number } = claimed.body;
    const confirmed = await Promise.all(
      atOnce(() => scene.call('POST', `/v1/enrolments/${enrolmentId}/confirm`, { token, body: { number } })),
    );
    deepStrictEqual(count(confirmed), { 204: 1, 410: AT_ONCE - 1 });
    deepStrictEqual(count(await redeemAtOnce(scene, { enrolmentId, claim })), { 200: 1, 410: AT_ONCE - 1 });
  });

  test('right digits typed several times at once let one device in', async (context) => {
    const scene = await openFor(context);
    const { enrolmentId } = await requestAccess(scene);
    const { body } = await scene.call('POST', `/v1/enrolments/${enrolmentId}/allow`, { token: scene.owner.token });
    deepStrictEqual(count(await redeemAtOnce(scene, { enrolmentId, code: body['code'] })), {
      200: 1,
      410: AT_ONCE - 1,
    });
  });

  test('digits guessed at once are tries like any others: five, not one more', async (context) => {
    const scene = await openFor(context);
    const { enrolmentId } = await requestAccess(scene);
    deepStrictEqual(count(await redeemAtOnce(scene, { enrolmentId, code: 'guess' })), { 410: AT_ONCE - 5, 422: 5 });
  });

  test('of access requests that come at once, as many are let through as when they come one by one', async (context) => {
    const scene = await openFor(context);
    const ask = (at: number, handle: string, address: string) =>
      scene.call('POST', '/v1/enrolments', { body: { handle: handle + (handle === 'guess' ? at : '') }, address });
    const of = (length: number, work: (at: number) => Promise<{ status: number }>) =>
      Promise.all(Array.from({ length }, (_, at) => work(at)));
    deepStrictEqual(count(await of(60, (at) => ask(at, 'owner', `10.1.0.${at}`))), { 202: 5, 429: 55 });
    deepStrictEqual(count(await of(60, (at) => ask(at, 'guess', '10.2.0.1'))), { 202: 20, 429: 40 });
  });

  test('of several first links used at once, one lets the first device in', async (context) => {
    const scene = await openFor(context);
    await scene.call('DELETE', `/v1/devices/${scene.owner.deviceId}`, { token: scene.owner.token });
    const links = await Promise.all(atOnce(() => firstLink(scene.database, 'http://hub.test')));
    const replies = await Promise.all(
      links.map((made) => scene.call('POST', '/v1/enrolments/redeem', { body: { secret: made?.link.split('#')[1] } })),
    );
    deepStrictEqual(count(replies), { 200: 1, 410: AT_ONCE - 1 });
  });

  test('of people and groups that take one handle at once, one gets it', async (context) => {
    const scene = await openFor(context);
    const { token } = scene.owner;
    // Taken first, so that the row which they all lock stands already.
    await scene.call('POST', '/v1/people', { token, body: { handle: 'bob' } });
    const replies = await Promise.all(
      atOnce((at) =>
        at % 2 === 0
          ? scene.call('POST', '/v1/people', { token, body: { handle: 'team' } })
          : scene.call('POST', '/v1/groups', { token, body: { handle: 'team', members: [] } }),
      ),
    );
    deepStrictEqual(count(replies), { 201: 1, 409: AT_ONCE - 1 });
  });

  sourceRequestContract(open);

  test('of hubs that start at once on an empty database, one makes the owner', async (context) => {
    const scene = await openFor(context);
    await scene.database.transaction((trx) => trx.deleteFrom('people').execute());
    const owners = await Promise.all(atOnce(() => ensureOwner(scene.database)));
    strictEqual(new Set(owners.map(({ id }) => id)).size, 1);
  });
}

function atOnce<T>(work: (at: number) => T): T[] {
  return Array.from({ length: AT_ONCE }, (_, at) => work(at));
}

async function requestAccess(scene: Scene): Promise<AccessRequested> {
  return (await scene.call<AccessRequested>('POST', '/v1/enrolments', { body: { handle: 'owner' } })).body;
}

function redeemAtOnce(scene: Scene, body: object) {
  return Promise.all(atOnce(() => scene.call('POST', '/v1/enrolments/redeem', { body })));
}

function count(replies: { status: number }[]): Record<number, number> {
  const statuses = Object.groupBy(replies, ({ status }) => status);
  return Object.fromEntries(Object.entries(statuses).map(([status, same]) => [status, same?.length ?? 0]));
}
