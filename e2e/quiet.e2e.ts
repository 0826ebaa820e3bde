import type { Me } from '#shared/wire.ts';
import { must } from './hub/call.ts';
import { faultsOf } from './page/axe.ts';
import { expect, type Place, test } from './page/scene.ts';
import { goTo } from './page/sign-in.ts';

const quietOf = async ({ hub, mara }: Place) => {
  const { preferences } = await must<Me>(hub, 'GET /v1/people/me', { token: mara.token });
  return [preferences.quiet, preferences.timeZone];
};

test('quiet hours are sentences that are saved at once, in the time zone of this device; open pages still show at once', async ({
  place,
  openDevice,
}) => {
  const page = await openDevice('Phone', { viewport: { width: 390, height: 844 }, timezoneId: 'Europe/Berlin' });
  await place.ask({ prompt: 'Before?' });
  await goTo(page, 'Settings');
  await page.getByRole('navigation', { name: 'Settings' }).getByRole('link', { name: 'Quiet' }).click();
  const head = page.getByRole('heading', { level: 1 });
  await expect(head).toHaveText('No quiet hours.');
  await page.getByRole('button', { name: 'New quiet hours' }).click();
  await expect(head).toHaveText(/^Quiet from 22:00, +to 07:00\.$/);
  const zone = 'Europe/Berlin';
  await expect.poll(() => quietOf(place)).toEqual([{ spans: [{ from: '22:00', to: '07:00' }] }, zone]);

  // All day long, so that it is quiet now.
  await page.getByLabel('From', { exact: true }).fill('00:00');
  await page.getByLabel('To', { exact: true }).fill('00:00');
  await page.getByRole('combobox', { name: 'Days' }).selectOption('on these days');
  await page.getByRole('checkbox', { name: 'Su' }).uncheck();
  await page.getByRole('checkbox', { name: 'Su' }).check();
  await page.getByRole('combobox', { name: 'Urgency' }).selectOption('high urgency');
  await page.getByRole('combobox', { name: 'Sources' }).selectOption('these sources');
  await page.getByRole('checkbox', { name: 'Atlas' }).check();
  const days = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'];
  const through = { high: true, sources: [place.source.source.id] };
  await expect.poll(() => quietOf(place)).toEqual([{ spans: [{ from: '00:00', to: '00:00', days }], through }, zone]);
  await expect(page.getByText('The hours are those of Europe/Berlin.')).toBeVisible();
  expect(await faultsOf(page)).toEqual([]);

  await goTo(page, 'Inbox');
  await place.ask({ prompt: 'At once?' });
  await expect(page.getByRole('link', { name: 'At once?' })).toBeVisible();

  await page.goto(`${place.origin}/quiet`);
  await page.getByRole('button', { name: 'Remove 00:00 to 00:00' }).click();
  await expect(head).toHaveText('No quiet hours.');
  expect(await quietOf(place)).toEqual([undefined, zone]);
});
