import type { Page } from '@playwright/test';

/** What a page asked its hub for until it could be read, with the bytes on the wire and how far things moved since. */
export type ColdVisit = { requests: string[]; scriptBytes: number; readableMs: number; shift: number };

/**
 * Loads a page with no cache and no service worker, as a first visit does, on a Chromium whose processor is `slower` times
 * slower, until it shows `text`.
 */
export async function coldVisit(page: Page, url: string, text: string, slower: number): Promise<ColdVisit> {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('Network.enable');
  await devtools.send('Network.setBypassServiceWorker', { bypass: true });
  await devtools.send('Network.setCacheDisabled', { cacheDisabled: true });
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: slower });
  await page.addInitScript(`new MutationObserver((_, observer) => {
    if (!document.body?.textContent.includes(${JSON.stringify(text)})) return;
    window.readableAt = performance.now();
    observer.disconnect();
  }).observe(document, { subtree: true, childList: true, characterData: true });`);
  await page.goto(url);
  await page.getByText(text).first().waitFor();
  return (await page.evaluate(VISIT)) as ColdVisit;
}

const VISIT = `new Promise((done) => {
  const asked = [...performance.getEntriesByType('navigation'), ...performance.getEntriesByType('resource')]
    .filter(({ startTime }) => startTime <= readableAt);
  const scripts = asked.filter(({ name }) => new URL(name).pathname.endsWith('.js'));
  const visit = {
    requests: asked.map(({ name }) => new URL(name).pathname),
    scriptBytes: scripts.reduce((sum, { transferSize }) => sum + transferSize, 0),
    readableMs: readableAt,
    shift: 0,
  };
  new PerformanceObserver((list) => {
    for (const { value } of list.getEntries()) visit.shift += value;
  }).observe({ type: 'layout-shift', buffered: true });
  requestAnimationFrame(() => setTimeout(() => done(visit)));
})`;
