import { wholeChromium } from './chromium.ts';
import { expect, test } from './page/scene.ts';

// Playwright says in the console that it blocks the worker.
test.use({ serviceWorkers: 'allow', launchOptions: wholeChromium() });

for (const path of ['/', '/connect', '/settings', '/docs'])
  test(`a browser has nothing to complain of at ${path}: no policy broken, nothing missing, a manifest without faults`, async ({
    place,
    openDevice,
  }) => {
    const page = await openDevice('MacBook');
    const devtools = await page.context().newCDPSession(page);
    const said: string[] = [];
    devtools.on('Log.entryAdded', ({ entry }) => said.push(`${entry.level}: ${entry.text}`));
    await devtools.send('Log.enable');
    page.on('console', (message) => {
      if (['warning', 'error'].includes(message.type())) said.push(message.text());
    });
    page.on('pageerror', ({ message }) => said.push(message));
    await page.goto(place.origin + path, { waitUntil: 'networkidle' });
    await expect(page.getByRole('heading', { level: 1 }).first()).toBeVisible();
    const { errors } = await devtools.send('Page.getAppManifest');
    said.push(...errors.map(({ message }) => message));
    expect(said).toEqual([]);
  });
