import type { Look } from './look.ts';
import { expect, type Page } from '@playwright/test';
import { IPHONE } from '../newcomer.ts';
import type { Place } from '../scene.ts';

/** Looks at what an iPhone's Safari is shown in place of what it cannot do before Beckon is installed. */
export async function visitIphone({ origin }: Place, page: Page, look: Look): Promise<void> {
  await page.addInitScript((userAgent) => {
    if (sessionStorage.getItem('iphone')) Object.defineProperty(navigator, 'userAgent', { value: userAgent });
  }, IPHONE.userAgent);
  await page.evaluate(() => sessionStorage.setItem('iphone', 'yes'));
  await page.goto(`${origin}/steps`);
  // Where another device signed in since, that is taken for the app.
  await expect(page.getByRole('heading', { name: /Home Screen/ }).first()).toBeVisible();
  await look('first-steps-iphone');
  await page.goto(`${origin}/devices`);
  await expect(page.getByRole('button', { name: /^Rename/ }).first()).toBeVisible();
  await look('devices-iphone');
  await page.evaluate(() => sessionStorage.removeItem('iphone'));
}
