import { must } from './hub/call.ts';
import { startHub } from './hub/hub.ts';
import { expect, firstLink, originOf, test } from './page/scene.ts';
import { settled, visitSignIn, visitLetters, visitPlaces } from './page/screens.ts';

const SIZES = { phone: { width: 390, height: 844 }, desktop: { width: 1280, height: 800 } };

for (const [size, viewport] of Object.entries(SIZES)) {
  test(`pictures of every screen, light and dark, English and Chinese, on a ${size}`, async ({
    place,
    openBrowser,
  }) => {
    test.setTimeout(600_000);
    const page = await openBrowser(place.origin, { viewport });
    const speak = async (locale: 'en' | 'zh') => {
      await must(place.hub, 'PATCH /v1/people/me', { token: place.mara.token, body: { locale } });
      await expect(page.locator('html')).toHaveAttribute('lang', locale);
    };
    const shoot = async (folder: string, screen: string) => {
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme });
        await settled(page);
        await page.screenshot({ path: `test-results/shots/${folder}-${colorScheme}/${screen}.png`, fullPage: true });
      }
    };
    const look = async (screen: string) => {
      await shoot(size, screen);
      // A page that nobody is signed in on speaks the browser's language, and the walk goes by English words.
      if ((await page.getByRole('navigation').count()) === 0) return;
      await speak('zh');
      await shoot(`${size}-zh`, screen);
      await speak('en');
    };
    await visitSignIn(place, page, look);
    await visitLetters(place, page, look);
    await visitPlaces(place, page, look);
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
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
