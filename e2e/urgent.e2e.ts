import { must } from './hub/call.ts';
import { addDevices } from './hub/people.ts';
import { InquiryPage } from './page/inquiry.ts';
import { press } from './page/press.ts';
import { expect, testOnOneHub as test } from './page/scene.ts';
import { goTo } from './page/sign-in.ts';
import { SIZES } from './page/sizes.ts';

const ROLL_BACK = { prompt: 'Roll back 2.4?', urgency: 'high' as const };

for (const [size, viewport] of Object.entries(SIZES)) {
  test(`an urgent question stands first and is announced over whatever is open, on a ${size}`, async ({
    place,
    openDevice,
  }) => {
    const page = await openDevice('Phone', { viewport });
    const inquiry = new InquiryPage(page);
    const toast = page.getByRole('region', { name: 'Urgent question' });
    await place.ask({ prompt: 'What shall I write to Anna?', deadline: 60 });
    await inquiry.open('What shall I write to Anna?');
    await inquiry.answer.fill('Sorry about the wait');
    const urgent = await place.ask(ROLL_BACK);
    await expect(toast).toContainText(/Urgent · due tomorrow \d\d:\d\d · Atlas.*Roll back 2\.4\?/s);
    const [over, bar] = [await toast.boundingBox(), await page.locator('.inquiry .bar').boundingBox()];
    const [right, bottom] = [(over?.x ?? 0) + (over?.width ?? Infinity), (over?.y ?? 0) + (over?.height ?? Infinity)];
    expect(right <= (bar?.x ?? 0) || bottom <= (bar?.y ?? 0)).toBe(true);
    // It takes no press in its first moments.
    await expect(async () => {
      if (await toast.isVisible()) await toast.getByRole('button', { name: 'Later' }).click({ timeout: 2000 });
      await expect(toast).toHaveCount(0, { timeout: 1000 });
    }).toPass();
    await expect(inquiry.answer).toHaveValue('Sorry about the wait');
    if (size === 'phone') await page.getByRole('link', { name: /wait/ }).first().click();
    await expect(page.locator('a.entry').first()).toContainText('Roll back 2.4?');
    await goTo(page, 'Settings').catch(() => undefined);
    await expect(toast, 'announced once').toHaveCount(0);
    await place.withdraw(urgent);
    await place.ask({ ...ROLL_BACK, prompt: 'Stop the train?' });
    await press(toast.getByRole('button', { name: 'Open' }), inquiry.heading.filter({ hasText: 'Stop the train?' }));
    await expect(toast).toHaveCount(0);
  });
}

test('a question of low urgency is not announced', async ({ place, openDevice }) => {
  const page = await openDevice('Laptop', { viewport: { width: 700, height: 800 } });
  const said = (words: string) => page.getByRole('status').filter({ hasText: words });
  // What a page finds when it connects is not announced, only what comes after.
  await expect(async () => {
    await place.ask({ prompt: 'Is it raining?' });
    await expect(said('Atlas asks: Is it raining?')).toHaveCount(1, { timeout: 3000 });
  }).toPass();
  await place.ask({ prompt: 'Is it snowing?', urgency: 'low' });
  await expect(page.getByRole('link', { name: /Is it snowing/ })).toBeVisible();
  await place.ask({ prompt: 'Is it foggy?' });
  await expect(said('Atlas asks: Is it foggy?')).toHaveCount(1);
  await expect(said('Is it snowing?')).toHaveCount(0);
});

test('one banner stands at a time, and the one that says that the page is offline stays', async ({
  place,
  openDevice,
}) => {
  const { hub, source, mara } = place;
  const page = await openDevice('Phone');
  const banners = page.locator('.banner').filter({ visible: true });
  await must(hub, 'POST /v1/notices', { token: source.key, body: { title: 'The backup is done' } });
  await expect(banners).toContainText(['The backup is done']);
  await addDevices(hub, mara, 1);
  await must(hub, 'POST /v1/notices', { token: source.key, body: { title: 'The disk is full' } });
  await expect(banners).toHaveCount(1);
  await page.context().setOffline(true);
  await expect(banners).toContainText([/^Offline since/]);
  await expect(banners).toHaveCount(1);
  await page.context().setOffline(false);
  await expect(banners).not.toContainText([/^Offline since/]);
  await expect(banners).toHaveCount(1);
});
