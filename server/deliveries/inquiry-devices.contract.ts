import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import { newId } from '#shared/ids.ts';
import { iso } from '../platform/clock.ts';
import type { Database } from '../platform/database.ts';
import { commitWith } from '../platform/steps.ts';
import { createMarker, deviceDeliveries, mark, readReach, addDevices } from './inquiry-devices.ts';
import { addDevice, addInquiry, addSource } from './testing/scene.ts';

const NOW = 1_800_000_000_000;

/** What is kept of the devices that were told, on either engine. */
export function inquiryDevicesContract(open: (t: TestContext) => Promise<Database>): void {
  test('[DLV2] every signed-in device is to be told, and the connected ones are', async (t) => {
    const database = await open(t);
    const { personId, inquiryId } = await addSource(database, null, NOW);
    const live = await addDevice(database, personId, { live_until: NOW + 1, name: 'Laptop' }, NOW);
    const away = await addDevice(database, personId, { live_until: NOW }, NOW + 1);
    await addDevice(database, personId, { revoked_at: NOW }, NOW);
    await addDevice(database, personId, { expires_at: NOW }, NOW);
    const told = async (ids: string[]) => {
      const { rows } = await database.steps(() => commitWith({ rows: addDevices(inquiryId, ids, NOW) }));
      return rows.filter(({ told_at }) => told_at !== null).length;
    };
    assert.deepStrictEqual([await told([]), await told([personId]), await told([personId])], [0, 1, 0]);

    const { handle } = await database.read
      .selectFrom('people')
      .select('handle')
      .where('id', '=', personId)
      .executeTakeFirstOrThrow();
    assert.deepStrictEqual(await deviceDeliveries(database.read, inquiryId), [
      { device: { id: live, name: 'Laptop' }, person: handle, toldAt: iso(NOW) },
      { device: { id: away, name: 'Phone' }, person: handle },
    ]);
    const reach = await readReach(database.read, [inquiryId]);
    const nobody = { told: 0, accepted: 0, shown: 0, opened: 0 };
    assert.deepStrictEqual([reach(inquiryId), reach('inq_unknown')], [{ ...nobody, told: 1 }, nobody]);
    assert.deepStrictEqual((await readReach(database.read, []))(inquiryId), nobody);
  });

  test('[DLV2] the first instant of a mark stays, and a mark implies those before it', async (t) => {
    const database = await open(t);
    const { personId, sourceId, inquiryId } = await addSource(database, null, NOW);
    const second = await addInquiry(database, { personId, sourceId }, NOW);
    const deviceId = await addDevice(database, personId, { live_until: NOW + 1 }, NOW);
    await database.steps(() => commitWith({ told: addDevices(inquiryId, [personId], NOW) }));
    await mark(database, [
      { inquiryId, deviceId, kind: 'opened', at: NOW + 20 },
      { inquiryId, deviceId, kind: 'shown', at: NOW + 10 },
      { inquiryId: second, deviceId, kind: 'accepted', at: NOW + 30 },
    ]);
    await mark(database, [
      { inquiryId, deviceId, kind: 'opened', at: NOW + 5 },
      { inquiryId: second, deviceId, kind: 'dismissed', at: NOW + 40 },
    ]);
    await mark(database, []);
    const [first] = await deviceDeliveries(database.read, inquiryId);
    assert.deepStrictEqual(
      { ...first, device: undefined, person: undefined },
      {
        device: undefined,
        person: undefined,
        toldAt: iso(NOW),
        acceptedAt: iso(NOW + 10),
        shownAt: iso(NOW + 10),
        openedAt: iso(NOW + 20),
      },
    );
    const [other] = await deviceDeliveries(database.read, second);
    assert.deepStrictEqual(
      { ...other, device: undefined, person: undefined },
      {
        device: undefined,
        person: undefined,
        toldAt: iso(NOW + 30),
        acceptedAt: iso(NOW + 30),
        shownAt: iso(NOW + 40),
        dismissedAt: iso(NOW + 40),
      },
    );
  });

  test('[DLV2] a mark of somebody who was not asked counts for nothing', async (t) => {
    const database = await open(t);
    const { inquiryId } = await addSource(database, null, NOW);
    const stranger = await addSource(database, null, NOW);
    const deviceId = await addDevice(database, stranger.personId, {}, NOW);
    await mark(database, [
      { inquiryId, deviceId, kind: 'shown', at: NOW },
      { inquiryId: 'inq_\u0000', deviceId, kind: 'shown', at: NOW },
      { inquiryId: newId('inq', NOW), deviceId, kind: 'shown', at: NOW },
      { inquiryId, deviceId: newId('dev', NOW), kind: 'shown', at: NOW },
    ]);
    assert.deepStrictEqual(await deviceDeliveries(database.read, inquiryId), []);
  });

  test('[DLV2] marks are written together when flushed and at the latest at 200', async (t) => {
    const database = await open(t);
    const { personId, inquiryId } = await addSource(database, null, NOW);
    const deviceId = await addDevice(database, personId, {}, NOW);
    let transactions = 0;
    const marker = createMarker({
      database: {
        ...database,
        transaction: (work) => {
          transactions++;
          return database.transaction(work);
        },
      },
    });
    for (let at = 1; at <= 201; at++) marker.add({ inquiryId, deviceId, kind: 'shown', at: NOW + at });
    await marker.stop();
    await marker.flush();
    assert.equal(transactions, 2);
    assert.equal((await deviceDeliveries(database.read, inquiryId))[0]?.shownAt, iso(NOW + 1));
  });
}
