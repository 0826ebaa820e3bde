import { expect, test } from './page/scene.ts';
import { settled, visitDoor, visitLetters, visitPlaces } from './page/screens.ts';

const SIZES = { phone: { width: 390, height: 844 }, desktop: { width: 1280, height: 800 } };

for (const [size, viewport] of Object.entries(SIZES)) {
  test(`pictures of every screen, light and dark, on a ${size}`, async ({ place, openBrowser }) => {
    test.setTimeout(600_000);
    const page = await openBrowser(place.origin, { viewport });
    const look = async (screen: string) => {
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme });
        await settled(page);
        await page.screenshot({ path: `test-results/shots/${size}-${colorScheme}/${screen}.png`, fullPage: true });
      }
    };
    await visitDoor(place, page, look);
    await visitLetters(place, page, look);
    await visitPlaces(place, page, look);
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  });
}
