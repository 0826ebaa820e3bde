import type { Look } from './page/visit/look.ts';
import type { Page } from '@playwright/test';
import { must } from './hub/call.ts';
import { startHub } from './hub/hub.ts';
import { expect, firstLink, originOf, type Place, test } from './page/scene.ts';
import { settled, visitInquiries, visitPlaces, visitSignIn } from './page/screens.ts';
import { visitStates } from './page/visit/states.ts';
import { SIZES } from './page/sizes.ts';

for (const [size, viewport] of Object.entries(SIZES)) {
  test(`pictures of every screen, light and dark, English and Chinese, on a ${size}`, async ({
    place,
    openBrowser,
  }) => {
    test.setTimeout(600_000);
    const page = await openBrowser(place.origin, { viewport });
    await visitSignIn(place, page, (screen) => shoot(page, size, screen));
    const look = inBothLanguages(place, page, size);
    await visitInquiries(place, page, look);
    // What was answered behind one's back would stand where YOLO says that it is on.
    await page.getByRole('status').getByRole('button', { name: 'Dismiss' }).click();
    await visitPlaces(place, page, look);
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  });

  test(`pictures of an inbox of fifty and of more states of a call, on a ${size}`, async ({ place, openDevice }) => {
    test.setTimeout(600_000);
    const page = await openDevice('Phone', { viewport });
    await visitStates(place, page, inBothLanguages(place, page, size));
  });
}

for (const [size, viewport] of Object.entries(SIZES))
  for (const [locale, folder] of Object.entries({ 'en-GB': size, 'zh-CN': `${size}-zh` }))
    test(`pictures of setting up and signing in, in a browser that speaks ${locale}, on a ${size}`, async ({
      place,
      openBrowser,
    }) => {
      const hub = await startHub();
      const { link } = await must<{ link: string }>(place.hub, 'POST /v1/enrolments', {
        token: place.mara.token,
        body: {},
      });
      try {
        for (const [screen, address] of Object.entries({
          'set-up': originOf(hub),
          'set-up-link': await firstLink(hub),
          'sign-in': place.origin,
          'enroll-broken': `${place.origin}/enroll`,
          enroll: link,
        }))
          for (const colorScheme of ['light', 'dark'] as const) {
            const page = await openBrowser(new URL(address).origin, { viewport, locale, colorScheme });
            await page.goto(address);
            await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
            await settled(page);
            await page.screenshot({
              path: `test-results/shots/${folder}-${colorScheme}/${screen}.png`,
              fullPage: true,
            });
          }
      } finally {
        await hub.remove();
      }
    });

function inBothLanguages(place: Place, page: Page, size: string): Look {
  return async (screen) => {
    await shoot(page, size, screen);
    await speak(place, page, 'zh');
    await shoot(page, `${size}-zh`, screen);
    await speak(place, page, 'en');
  };
}

// A page without a line to the hub gets one until it has heard of the language.
async function speak(place: Place, page: Page, locale: 'en' | 'zh'): Promise<void> {
  const offline = await page.evaluate(() => !navigator.onLine);
  if (offline) await page.context().setOffline(false);
  await must(place.hub, 'PATCH /v1/people/me', { token: place.mara.token, body: { locale } });
  await expect(page.locator('html')).toHaveAttribute('lang', locale, { timeout: 60_000 });
  if (!offline) return;
  await page.context().setOffline(true);
  await expect(page.getByText(/^Offline since|起离线/)).toBeVisible({ timeout: 60_000 });
}

async function shoot(page: Page, folder: string, screen: string): Promise<void> {
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    await settled(page);
    await page.screenshot({ path: `test-results/shots/${folder}-${colorScheme}/${screen}.png`, fullPage: true });
  }
}
