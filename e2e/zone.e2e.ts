import type { Page } from '@playwright/test';
import type { Me } from '#shared/wire.ts';
import { must } from './hub/call.ts';
import { faultsOf } from './page/axe.ts';
import { button } from './page/press.ts';
import { expect, type Place, test } from './page/scene.ts';
import { SIZES } from './page/sizes.ts';

const TOKYO = { viewport: SIZES.phone, timezoneId: 'Asia/Tokyo' };
const zoneOf = async ({ hub, mara }: Place) =>
  (await must<Me>(hub, 'GET /v1/people/me', { token: mara.token })).preferences.timeZone;
const choose = ({ hub, mara }: Place, preferences: object) =>
  must(hub, 'PATCH /v1/people/me', { token: mara.token, body: { preferences } });
const inTokyo = (page: Page) => page.getByRole('status').filter({ hasText: 'This device is in Tokyo.' });

test('[POL11] [DLV3] a page in another time zone changes nothing by itself: it offers to once, and a press changes it for all devices', async ({
  place,
  openDevice,
}) => {
  const quiet = { spans: [{ from: '22:00', to: '07:00' }] };
  await choose(place, { chosenTimeZone: 'Europe/Berlin', quiet });
  const when = { tool: 'Bash', time: { from: '12:00', to: '12:40' } };
  const body = { version: 0, rules: [{ name: 'lunch', when, then: 'approve' }] };
  await must(place.hub, 'PUT /v1/policies', { token: place.mara.token, body });
  const page = await openDevice('Phone', TOKYO);
  const changed: string[] = [];
  page.on('request', (request) => request.method() === 'PATCH' && changed.push(request.url()));
  const strip = inTokyo(page);
  await expect(strip).toContainText('Quiet hours and rules go by Berlin time. This device is in Tokyo.');
  expect(await faultsOf(page)).toEqual([]);
  await page.goto(`${place.origin}/automation`);
  await expect(page.getByText('it is between 12:00 and 12:40 (time of Europe/Berlin), approve it')).toBeVisible();
  await expect(page.getByText('Every day 22:00 to 07:00, Berlin time, nothing notifies')).toBeVisible();
  expect([await zoneOf(place), changed]).toEqual(['Europe/Berlin', []]);

  await button(strip, 'Keep Berlin time').click();
  await expect(strip).toHaveCount(0);
  await page.reload();
  await expect(page.getByText('Berlin time, nothing notifies')).toBeVisible();
  await expect(strip).toHaveCount(0);
  expect([await zoneOf(place), changed]).toEqual(['Europe/Berlin', []]);

  const other = await openDevice('Tablet', TOKYO);
  await button(inTokyo(other), 'Use Tokyo time').click();
  await expect(inTokyo(other)).toHaveCount(0);
  await expect.poll(() => zoneOf(place)).toBe('Asia/Tokyo');
  await expect(page.getByText('it is between 12:00 and 12:40 (time of Asia/Tokyo), approve it')).toBeVisible();
  await expect(page.getByText('Every day 22:00 to 07:00, nothing notifies')).toBeVisible();
});

test('[POL11] who chose no time zone reads that it is the hub’s, and may count in that of this device', async ({
  place,
  openDevice,
}) => {
  const page = await openDevice('Phone', TOKYO);
  await expect(inTokyo(page)).toContainText('Quiet hours and rules go by Berlin time, as on the hub.');
  await page.goto(`${place.origin}/quiet`);
  await button(page, 'New quiet hours').click();
  await expect(page.getByText('The hours are those of Europe/Berlin, the time zone of the hub.')).toBeVisible();
  await expect(inTokyo(page)).toHaveCount(0);
  await button(page, 'Count them in Asia/Tokyo, as on this device').click();
  await expect(page.getByText('The hours are those of Asia/Tokyo.')).toBeVisible();
  await expect.poll(() => zoneOf(place)).toBe('Asia/Tokyo');
});

test('[POL11] where nothing takes the choice the strip says why, and an older hub is offered none', async ({
  place,
  openDevice,
}) => {
  const page = await openDevice('Phone', TOKYO);
  await page.route('**/v1/people/me', (route) =>
    route.request().method() === 'PATCH' ? route.fulfill(REFUSED) : route.continue(),
  );
  await button(inTokyo(page), 'Use Tokyo time').click();
  await expect(page.getByText('is not a member this call knows')).toBeVisible();
  expect(await zoneOf(place)).toBe(undefined);

  await page.unroute('**/v1/people/me');
  await page.route('**/v1/people/me', async (route) => {
    const reply = await route.fetch();
    const { hubTimeZone: _unknown, ...older } = (await reply.json()) as Me;
    await route.fulfill({ response: reply, json: older });
  });
  const told = page.waitForResponse('**/v1/people/me');
  await page.reload();
  await told;
  await expect(page.getByRole('navigation').first()).toBeVisible();
  await expect(inTokyo(page)).toHaveCount(0);
});

const REFUSED = {
  status: 422,
  contentType: 'application/problem+json',
  body: JSON.stringify({
    type: 'about:blank',
    title: 'Unprocessable Entity',
    status: 422,
    code: 'request.invalid',
    detail: 'The request is not valid.',
    faults: [{ path: '/preferences/chosenTimeZone', code: 'unknown', message: 'is not a member this call knows' }],
  }),
};
