import { deepStrictEqual, rejects } from 'node:assert/strict';
import { test } from 'node:test';
import type { Inquiry } from '#shared/inquiry.ts';
import { call, must } from './hub/call.ts';
import { startHubs } from './hub/hubs.ts';
import { openPage } from './hub/page.ts';
import { addSource, ownerDevice } from './hub/people.ts';

test('hubs of one process know nothing of each other, and one that is closed leaves the others open', async () => {
  const hubs = await startHubs();
  const [one, other] = await Promise.all([hubs.open(), hubs.open()]);
  const [mara, jonas] = [await ownerDevice(one), await ownerDevice(other)];
  const source = await addSource(one, mara, 'Atlas');
  const pages = [await openPage(one, mara), await openPage(other, jonas)] as const;
  const ask = { token: source.key, body: { prompt: 'Which port?' } };
  const asked = await must<Inquiry>(one, 'POST /v1/inquiries', ask);
  const statusOf = async (route: string, token: string) => (await call(other, route, { token })).status;
  deepStrictEqual(
    {
      askedWithItsKey: (await call(other, 'POST /v1/inquiries', ask)).status,
      readWithItsToken: await statusOf('GET /v1/inbox', mara.token),
      readById: await statusOf(`GET /v1/inquiries/${asked.id}`, jonas.token),
      inboxes: await Promise.all(
        pages.map(async ({ device }, at) => {
          const { items } = await must<{ items: Inquiry[] }>([one, other][at] ?? one, 'GET /v1/inbox', device);
          return items.map(({ id }) => id);
        }),
      ),
      heardElsewhere: pages[1].of('inquiry'),
    },
    { askedWithItsKey: 401, readWithItsToken: 401, readById: 404, inboxes: [[asked.id], []], heardElsewhere: [] },
  );
  for (const page of pages) page.close();
  await one.remove();
  deepStrictEqual((await call(other, 'GET /readyz')).status, 200);
  await rejects(call(one, 'GET /readyz'));
  await hubs.end();
});
