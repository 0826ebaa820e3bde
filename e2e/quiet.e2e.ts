import type { Me } from '#shared/wire.ts';
import { must } from './hub/call.ts';
import { faultsOf } from './page/axe.ts';
import { button, press } from './page/press.ts';
import { expect, type Place, test } from './page/scene.ts';
import { goTo } from './page/sign-in.ts';

const quietOf = async ({ hub, mara }: Place) => {
  const { preferences } = await must<Me>(hub, 'GET /v1/people/me', { token: mara.token });
  return [preferences.quiet, preferences.timeZone];
};

const remindersOf = async ({ hub, mara }: Place) =>
  (await must<Me>(hub, 'GET /v1/people/me', { token: mara.token })).preferences.reminders;

test('[DLV3] [DLV5] quiet hours are rows that are saved at once, in the time zone of the hub; open pages still show at once', async ({
  place,
  openDevice,
}) => {
  const page = await openDevice('Phone', { viewport: { width: 390, height: 844 }, timezoneId: 'Europe/Berlin' });
  await place.ask({ prompt: 'Before?' });
  await goTo(page, 'Automation');
  await page.getByRole('link', { name: 'Set quiet hours' }).click();
  const head = page.getByRole('heading', { level: 1 });
  await expect(head).toHaveText('No quiet hours.');
  await page.getByRole('button', { name: 'New quiet hours' }).click();
  await expect(head).toHaveText(/^Quiet from 22:00, +to 07:00\.$/);
  const zone = undefined;
  await expect.poll(() => quietOf(place)).toEqual([{ spans: [{ from: '22:00', to: '07:00' }] }, zone]);

  // All day long, so that it is quiet now.
  await page.getByLabel('From', { exact: true }).fill('00:00');
  await page.getByLabel('To', { exact: true }).fill('00:00');
  await page.getByRole('combobox', { name: 'Days' }).selectOption('These days');
  await page.getByRole('checkbox', { name: 'Su' }).uncheck();
  await page.getByRole('checkbox', { name: 'Su' }).check();
  await page.getByRole('switch', { name: 'Urgent' }).click();
  await press(page.getByRole('button', { name: /^Sources/ }), page.getByRole('dialog', { name: 'Sources' }));
  await page.getByRole('checkbox', { name: 'Atlas' }).check();
  await button(page.getByRole('dialog'), 'Close').click();
  await expect(page.getByRole('button', { name: /^Sources.*Atlas/s })).toBeVisible();
  const days = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'];
  const through = { high: true, sources: [place.source.source.id] };
  await expect.poll(() => quietOf(place)).toEqual([{ spans: [{ from: '00:00', to: '00:00', days }], through }, zone]);
  await expect(page.getByText('The hours are those of Europe/Berlin, the time zone of the hub.')).toBeVisible();
  expect(await faultsOf(page)).toEqual([]);
  const hours = page.getByRole('switch', { name: 'Quiet hours' });
  await hours.click();
  await expect(head).toHaveText('Quiet hours are off.');
  await expect.poll(async () => (await quietOf(place))[0]).toMatchObject({ off: true });
  await hours.click();
  await expect(head).toHaveText(/^Quiet from 00:00/);

  const again = page.getByRole('combobox', { name: 'Ring again' });
  await expect(again).toHaveValue('never');
  await again.selectOption('Every 30 min');
  await expect.poll(async () => await remindersOf(place)).toBe('repeat');
  await page.reload();
  await expect(again).toHaveValue('repeat');
  await goTo(page, 'Automation');
  await expect(page.getByText('Ring again: Every 30 min')).toBeVisible();
  await page.getByRole('link', { name: 'Edit' }).click();
  await again.selectOption('Never');
  await expect.poll(async () => await remindersOf(place)).toBe('never');

  await goTo(page, 'Settings');
  await expect(page.getByRole('link', { name: /^Quiet hours/ })).toContainText('00:00 to 00:00');
  await goTo(page, 'Inbox');
  await place.ask({ prompt: 'At once?' });
  await expect(page.getByRole('link', { name: 'At once?' })).toBeVisible();

  await page.goto(`${place.origin}/quiet`);
  await page.getByRole('button', { name: 'Remove 00:00 to 00:00' }).click();
  await expect(head).toHaveText('No quiet hours.');
  await expect.poll(() => quietOf(place)).toEqual([undefined, zone]);
});

test('what is set is shown until the last change is saved, also while replies to earlier ones arrive', async ({
  place,
  openDevice,
}) => {
  const page = await openDevice('Phone', { viewport: { width: 390, height: 844 } });
  await place.ask({ prompt: 'Known as a source?' });
  await page.goto(`${place.origin}/quiet`);
  await page.getByRole('button', { name: 'New quiet hours' }).click();
  await expect.poll(async () => (await quietOf(place))[0]).toEqual({ spans: [{ from: '22:00', to: '07:00' }] });
  const replies = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  let asked = 0;
  await page.route('**/v1/people/me', async (route) => {
    const reply = await route.fetch();
    await replies[asked++]?.promise;
    await route.fulfill({ response: reply });
  });
  // Behind the dialog, the page is inert.
  const urgent = page.getByRole('switch', { name: 'Urgent', includeHidden: true });
  await urgent.click();
  await press(page.getByRole('button', { name: /^Sources/ }), page.getByRole('dialog', { name: 'Sources' }));
  const atlas = page.getByRole('checkbox', { name: 'Atlas' });
  await atlas.check();
  replies[0]?.resolve();
  await expect.poll(() => asked).toBe(2);
  await expect(urgent).toHaveAttribute('aria-checked', 'true');
  await expect(atlas).toBeChecked();
  replies[1]?.resolve();
  const through = { high: true, sources: [place.source.source.id] };
  await expect.poll(async () => (await quietOf(place))[0]).toMatchObject({ through });
  await expect(atlas).toBeChecked();
});
