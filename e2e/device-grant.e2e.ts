import type { Page } from '@playwright/test';
import { call, must } from './hub/call.ts';
import { button, press } from './page/press.ts';
import { expect, test } from './page/scene.ts';
import { SIZES } from './page/sizes.ts';

const CLIENT = { client_id: 'beckon', client_name: 'Codex, build-7', host_name: 'build-7' };
type Begun = { device_code: string; user_code: string; verification_uri_complete: string };

test('an agent that asks for a key shows its code on every device; the press of one gives the key and takes the card off the others', async ({
  place,
  openDevice,
}) => {
  const [phone, laptop] = [await openDevice('Phone'), await openDevice('Laptop', { viewport: SIZES.desktop })];
  const begun = await must<Begun>(place.hub, 'POST /v1/device-authorizations', { body: CLIENT });
  const toast = (page: Page) => page.getByRole('region', { name: 'Request for a key' });
  const card = (page: Page) => page.getByRole('dialog', { name: 'Give Codex, build-7 a key?' });
  await expect(toast(laptop)).toContainText('Codex, build-7 wants a key.');
  const other = { ...CLIENT, client_name: 'Another' };
  await must(place.hub, 'POST /v1/device-authorizations', { body: other });
  // By the link or QR code that the terminal shows, too, the code is to be compared.
  const { pathname, hash } = new URL(begun.verification_uri_complete);
  await phone.goto(place.origin + pathname + hash);
  await expect(card(phone)).toContainText(begun.user_code);
  await expect(phone.getByRole('dialog')).toHaveCount(1);
  await expect(card(phone)).toContainText(/On build-7, from .+, asked at \d\d:\d\d/);
  await press(button(toast(laptop), 'Review'), card(laptop));
  await expect(card(laptop)).toContainText(begun.user_code);
  await expect(async () => {
    await button(card(phone), 'Same code, approve').click({ timeout: 1_000 });
    await expect(card(phone)).toHaveCount(0, { timeout: 1_000 });
  }).toPass();
  await expect(card(laptop)).toHaveCount(0);
  const collected = await call<{ source: { name: string } }>(place.hub, 'POST /v1/device-authorizations/token', {
    body: {
      grant_type: 'urn:ietf:params:oauth:grant-type:device_code',
      device_code: begun.device_code,
      client_id: CLIENT.client_id,
    },
  });
  expect([collected.status, collected.body.source.name]).toEqual([200, 'Codex, build-7']);
});

test('a request for a key that is rejected on one device leaves the other', async ({ place, openDevice }) => {
  const [phone, laptop] = [await openDevice('Phone'), await openDevice('Laptop', { viewport: SIZES.desktop })];
  await must(place.hub, 'POST /v1/device-authorizations', { body: CLIENT });
  const toast = (page: Page) => page.getByRole('region', { name: 'Request for a key' });
  const card = phone.getByRole('dialog', { name: 'Give Codex, build-7 a key?' });
  await expect(toast(laptop)).toBeVisible();
  await press(button(toast(phone), 'Review'), card);
  await expect(async () => {
    await button(card, 'Reject').click({ timeout: 1_000 });
    await expect(card).toHaveCount(0, { timeout: 1_000 });
  }).toPass();
  await expect(toast(laptop)).toHaveCount(0);
});
