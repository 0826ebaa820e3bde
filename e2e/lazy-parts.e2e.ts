import { faultsOf } from './page/axe.ts';
import { expect, test } from './page/scene.ts';
import { InquiryPage } from './page/inquiry.ts';
import { press } from './page/press.ts';
import { SAMPLES } from './page/samples.ts';

for (const viewport of [
  { width: 390, height: 844 },
  { width: 1280, height: 800 },
])
  test(`a part of the page that never arrives is given up after 10 s, and is there after a reload, ${viewport.width} px wide`, async ({
    place,
    openDevice,
  }) => {
    const page = await openDevice('Phone', { viewport, serviceWorkers: 'block' });
    await expect(page.getByRole('navigation', { name: 'Places' })).toBeVisible();
    const { id } = await place.ask(SAMPLES['document'] ?? {});
    const said = page.getByRole('alert').filter({ hasText: 'This part of the page has not arrived.' });
    for (const [path, hang] of [
      ['/history', /History-[^/]*\.js$/],
      [`/i/${id}`, /Document-[^/]*\.js$/],
    ] as const) {
      const asked = page.waitForRequest(hang);
      let hangs = true;
      await page.route(hang, (route) => (hangs ? undefined : route.continue()));
      await page.clock.install();
      await page.goto(place.origin + path);
      await asked;
      // The clock of the page runs on by itself meanwhile.
      await page.clock.runFor(7000);
      await expect(said).toHaveCount(0);
      await page.clock.runFor(4000);
      await expect(said).toBeVisible();
      // The heading of a document's inquiry is in the part that is missing.
      if (path === '/history') expect(await faultsOf(page)).toEqual([]);
      hangs = false;
      await said.getByRole('button', { name: 'Reload' }).click();
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
      await expect(said).toHaveCount(0);
    }
  });

for (const reducedMotion of ['no-preference', 'reduce'] as const)
  test(`a page whose script never arrives says so after 10 s in both languages, with motion at ${reducedMotion}`, async ({
    place,
    openBrowser,
  }) => {
    const page = await openBrowser(place.origin, { reducedMotion, serviceWorkers: 'block' });
    const script = /\/assets\/main-[^/]*\.js$/;
    let arrive = () => {};
    const waits = new Promise<void>((resolve) => (arrive = resolve));
    await page.route(script, async (route) => {
      await waits;
      await route.continue();
    });
    await page.goto(place.origin, { waitUntil: 'commit' });
    await expect.poll(() => page.evaluate('document.getAnimations().length')).toBeGreaterThan(0);
    // Ten seconds later.
    await page.evaluate('document.getAnimations().forEach((animation) => (animation.currentTime = 10_000))');
    const said = page.getByRole('status').filter({ hasText: 'Beckon could not be loaded.' });
    await expect(said).toBeVisible();
    await expect(said).toContainText('没有加载成功');
    await expect(said).toHaveCSS('animation-delay', '10s');
    arrive();
    await expect(page.getByRole('heading', { name: 'Sign in to Beckon.' })).toBeVisible();
    await expect(said).toHaveCount(0);
  });

test('the question that is open stays while all of them at once are fetched, and then all are there', async ({
  place,
  openDevice,
}) => {
  const inquiry = new InquiryPage(await openDevice('Phone', { serviceWorkers: 'block' }));
  const { page, panel } = inquiry;
  const { id } = await place.ask(SAMPLES['several'] ?? {});
  const part = /AllAtOnce-[^/]*\.js$/;
  const arrives = Promise.withResolvers<void>();
  await page.route(part, async (route) => {
    await arrives.promise;
    await route.continue();
  });
  await page.goto(`${place.origin}/i/${id}`);
  await press(inquiry.quiet('See all 5 at once'), inquiry.quiet('One at a time'));
  await expect(panel.getByRole('radio', { name: /^Monday/ })).toBeVisible();
  arrives.resolve();
  await expect(panel.getByRole('heading', { level: 2, name: 'Who comes along?' })).toBeVisible();
});
