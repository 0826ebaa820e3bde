import type { Page } from '@playwright/test';
import { settled } from './screens.ts';

/** How far things moved on a page that was loaded with no cache, until nothing moves on it any more (cumulative layout shift). */
export async function shiftOf(page: Page, url: string): Promise<number> {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('Network.enable');
  await devtools.send('Network.setBypassServiceWorker', { bypass: true });
  await devtools.send('Network.setCacheDisabled', { cacheDisabled: true });
  await page.goto(url, { waitUntil: 'networkidle' });
  await settled(page);
  const shift = await page.evaluate<number>(SHIFT);
  await devtools.detach();
  return shift;
}

const SHIFT = `new Promise((done) => {
  let shift = 0;
  new PerformanceObserver((list) => {
    for (const { value } of list.getEntries()) shift += value;
  }).observe({ type: 'layout-shift', buffered: true });
  requestAnimationFrame(() => setTimeout(() => done(shift)));
})`;
