import type { BrowserContextOptions, Page } from '@playwright/test';
import type { Inquiry } from '#shared/inquiry.ts';
import { wholeChromium } from './chromium.ts';
import { must } from './hub/call.ts';
import { type Front, standBefore } from './page/front.ts';
import { InquiryPage } from './page/inquiry.ts';
import { keptOn } from './page/kept.ts';
import { press } from './page/press.ts';
import { expect, type Place, testOnOneHub } from './page/scene.ts';
import { enrollByLink, enterByLink } from './page/sign-in.ts';

const QUESTION = 'Which colour shall the door be?';
const PHONE = { viewport: { width: 390, height: 844 } };
const DAY_MS = 86_400_000;
const CALLS = /\/(healthz|v1\/.*)$/;

const banner = (page: Page) => page.locator('.banners').getByRole('status');
const queued = (inquiry: InquiryPage) => inquiry.panel.getByText('It is sent when the hub is back.');
const resolved = async (place: Place, asked: Inquiry) => (await place.read(asked)).resolution?.text;
const undoFor = ({ hub, mara }: Place, undoSeconds: number) =>
  must(hub, 'PATCH /v1/people/me', { token: mara.token, body: { preferences: { undoSeconds } } });

const test = testOnOneHub.extend<{
  front: Front;
  throughFront: (name: string, options?: BrowserContextOptions) => Promise<Page>;
}>({
  async front({ place }, use) {
    const front = await standBefore(place.origin);
    await use(front);
    await front.close();
  },
  // Browsers close before what they speak through.
  async throughFront({ front, place, openBrowser }, use) {
    await use(async (name, options) => {
      const page = await openBrowser(front.origin, { ...PHONE, ...options });
      await enterByLink(page, (await place.link()).replace(place.origin, front.origin), name);
      return page;
    });
  },
});

// The worker keeps the page on the device.
test.use({ launchOptions: wholeChromium() });

test.describe('a page under fault', () => {
  test.afterEach(({ place }) => undoFor(place, 0));

  test('what a full disk refuses is kept beside: words outlive a reload, an answer the closing of its page', async ({
    place,
    openDevice,
  }) => {
    const page = await openDevice('Phone', PHONE);
    const context = page.context();
    await context.addInitScript(FULL);
    await page.reload();
    const asked = await place.ask({ prompt: QUESTION });
    const inquiry = new InquiryPage(page);
    await inquiry.open(QUESTION);
    await inquiry.answer.fill('Green');
    await expect.poll(() => page.evaluate(KEPT_BESIDE)).toContain(`words:${asked.id}`);
    expect(await keptOn(page, `words:${asked.id}`)).toBeUndefined();
    await page.reload();
    await expect(inquiry.answer).toHaveValue('Green');
    await context.setOffline(true);
    await expect(banner(page)).toContainText('Offline since');
    await inquiry.button('Send').click();
    await expect(queued(inquiry)).toBeVisible();
    await page.close();
    await context.setOffline(false);
    await (await context.newPage()).goto(place.origin);
    await expect.poll(() => resolved(place, asked)).toBe('Green');
  });

  test('without IndexedDB a device stays signed in and keeps its words', async ({ place, openBrowser }) => {
    const page = await openBrowser(place.origin, PHONE);
    await page.addInitScript(NO_DATABASE);
    await enrollByLink(page, await place.link(), 'Phone');
    const inquiry = new InquiryPage(page);
    const asked = await place.ask({ prompt: QUESTION });
    await inquiry.open(QUESTION);
    await inquiry.answer.fill('Green');
    await page.reload();
    await expect(inquiry.answer).toHaveValue('Green');
    await inquiry.decide('Send');
    expect(await resolved(place, asked)).toBe('Green');
  });

  test('a browser that keeps nothing at all says so before words are lost, and sends what was written', async ({
    place,
    openBrowser,
  }) => {
    const page = await openBrowser(place.origin, PHONE);
    await page.addInitScript(NO_DATABASE);
    await page.addInitScript(
      `Storage.prototype.setItem = () => { throw new DOMException('full', 'QuotaExceededError') }`,
    );
    await enrollByLink(page, await place.link(), 'Phone');
    const asked = await place.ask({ prompt: QUESTION });
    await expect(banner(page)).toContainText('This browser keeps nothing');
    await banner(page).getByRole('button', { name: 'OK' }).click();
    await expect(banner(page).filter({ hasText: 'keeps nothing' })).toHaveCount(0);
    const inquiry = new InquiryPage(page);
    await inquiry.open(QUESTION);
    await page.context().setOffline(true);
    await inquiry.answer.fill('Green');
    await expect(banner(page)).toContainText(/keeps nothing: leave the page open until all is sent\. Offline since/);
    await inquiry.button('Send').click();
    await expect(queued(inquiry)).toBeVisible();
    await page.context().setOffline(false);
    await expect(inquiry.verdict).toHaveText('Atlas has your answer.');
    expect(await resolved(place, asked)).toBe('Green');
  });

  test('of an outbox that the disk has damaged nothing is sent, and what can be read stands in its question again', async ({
    place,
    openDevice,
  }) => {
    const page = await openDevice('Phone', PHONE);
    const asked = await place.ask({ prompt: QUESTION });
    await page.goto(`${place.origin}/favicon.svg`);
    await damage(page, {
      'answer:a': 'bits',
      'answer:d': null,
      'answer:b': { inquiryId: asked.id, answerId: 'b', at: new Date().toISOString(), body: { text: 'Green' } },
      'answer:c': { answerId: 'c', body: { answerId: 'c', text: 7 } },
      [`words:inq_${'0'.repeat(26)}`]: { text: 7, decisions: 'none' },
      open: [null, 7],
      'settled:x': null,
    });
    await page.goto(`${place.origin}/i/${asked.id}`);
    const inquiry = new InquiryPage(page);
    await expect(inquiry.answer).toHaveValue('Green');
    await expect(banner(page)).toContainText('was damaged and is not sent');
    expect(await resolved(place, asked)).toBeUndefined();
    await inquiry.decide('Send');
    expect(await resolved(place, asked)).toBe('Green');
  });

  test('a page that stops at what it kept of the hub is whole after Reload', async ({ place, openDevice }) => {
    const page = await openDevice('Phone', PHONE);
    await page.goto(`${place.origin}/favicon.svg`);
    await damage(page, { open: [{ id: 'inq_1', deadlineAt: '', source: null }] });
    const inquiry = new InquiryPage(page);
    await place.ask({ prompt: QUESTION });
    // So that nothing of the hub takes the place of what is damaged before it is drawn.
    await page.route('**/live/**', () => {});
    await page.goto(place.origin);
    await page.getByRole('button', { name: 'Reload' }).click();
    await page.unrouteAll();
    await inquiry.open(QUESTION);
  });

  test('a network that wants a sign-in takes no answer: the page says so, and sends it once afterwards', async ({
    place,
    front,
    throughFront,
  }) => {
    const page = await throughFront('Phone');
    const asked = await place.ask({ prompt: QUESTION });
    const inquiry = new InquiryPage(page);
    await inquiry.open(QUESTION);
    // What a page loads of itself would be stopped by its policy; a call is not.
    await page.route(CALLS, (route) => route.fulfill({ status: 302, headers: { location: 'http://portal.invalid/' } }));
    front.cutLines('refuse');
    await expect(banner(page)).toContainText('This network wants a sign-in');
    await inquiry.answer.fill('Green');
    await inquiry.button('Send').click();
    await expect(queued(inquiry)).toBeVisible();
    await expect(banner(page)).toContainText('1 answer to send.');
    expect(await resolved(place, asked)).toBeUndefined();
    await page.unrouteAll();
    front.cutLines();
    await banner(page).getByRole('button', { name: 'Try now' }).click();
    await expect(inquiry.verdict).toHaveText('Atlas has your answer.');
    await expect(banner(page).filter({ hasText: 'sign-in' })).toHaveCount(0);
    expect(await resolved(place, asked)).toBe('Green');
  });

  test('[WDR1] a network that lets no live line through: the page says so, shows what comes and ends, and answers', async ({
    place,
    front,
    throughFront,
  }) => {
    const page = await throughFront('Phone');
    const other = await place.ask({ prompt: 'Which lock?' });
    await expect(page.getByRole('link', { name: 'Which lock?' })).toBeVisible();
    front.cutLines('refuse');
    await expect(banner(page)).toContainText('No live updates come through');
    await place.withdraw(other);
    const asked = await place.ask({ prompt: QUESTION });
    await expect(page.getByRole('link', { name: QUESTION })).toBeVisible();
    await expect(page.getByRole('link', { name: 'Which lock?' })).toHaveCount(0);
    const inquiry = new InquiryPage(page);
    await inquiry.open(QUESTION);
    await inquiry.answer.fill('Green');
    await inquiry.decide('Send');
    expect(await resolved(place, asked)).toBe('Green');
    front.cutLines();
    await banner(page).getByRole('button', { name: 'Try now' }).click();
    await expect(banner(page)).toHaveCount(0);
  });

  test('on a clock that is a day wrong time is left, without a line too, and an answer leaves once its time to undo is over', async ({
    place,
    front,
    throughFront,
  }) => {
    await undoFor(place, 1);
    const page = await throughFront('Phone');
    const inquiry = new InquiryPage(page);
    await page.clock.install();
    const askAt = async (ms: number) => {
      await page.clock.setSystemTime(Date.now() + ms);
      const asked = await place.ask({ prompt: QUESTION, deadline: 1800 });
      await page.goto(`${front.origin}/i/${asked.id}`);
      await expect(inquiry.panel).toContainText(/\b(29|30) min/);
      return asked;
    };
    for (const ms of [-DAY_MS, DAY_MS]) {
      const asked = await askAt(ms);
      await inquiry.answer.fill('Green');
      await press(inquiry.button('Send'), page.locator('.undo'));
      // And set right while it is held back.
      await page.clock.setSystemTime(Date.now());
      await expect.poll(() => resolved(place, asked)).toBe('Green');
    }
    const { id } = await askAt(DAY_MS);
    await expect.poll(() => keptOn(page, 'open')).toEqual([expect.objectContaining({ id })]);
    // What the page loads of itself comes, and no word of the hub.
    await page.route(CALLS, (route) => route.abort());
    front.cutLines('refuse');
    await page.reload();
    await expect(banner(page)).toContainText('Offline since');
    await expect(inquiry.panel).toContainText(/\b(29|30) min/);
  });

  test('a tab that is discarded in its time to undo goes on with it, and what is undone then is not sent', async ({
    place,
    openDevice,
  }) => {
    await undoFor(place, 10);
    const lost = await openDevice('Phone', PHONE);
    const asked = await place.ask({ prompt: QUESTION });
    const before = new InquiryPage(lost);
    await before.open(QUESTION);
    await before.answer.fill('Green');
    await press(before.button('Send'), lost.locator('.undo'));
    await expect.poll(() => lost.evaluate(OUTBOX)).toHaveLength(1);
    await crash(lost);
    const page = await lost.context().newPage();
    await page.goto(place.origin);
    await page.locator('.undo').getByRole('button', { name: 'Undo' }).click();
    const inquiry = new InquiryPage(page);
    await expect(inquiry.answer).toHaveValue('Green');
    await expect.poll(() => page.evaluate(OUTBOX)).toEqual([]);
    await inquiry.answer.fill('Grey');
    await press(inquiry.button('Send'), page.locator('.undo'));
    await expect.poll(() => page.evaluate(OUTBOX)).toHaveLength(1);
    await crash(page);
    expect(await resolved(place, asked)).toBeUndefined();
    const last = await page.context().newPage();
    // The clock of Playwright would reach into the pages that are gone too.
    await last.addInitScript('{ const { now } = Date; Date.now = () => now() + 11_000; }');
    await last.goto(place.origin);
    await expect.poll(() => resolved(place, asked)).toBe('Grey');
  });

  test('[RES2] of two tabs that answer without a line one wins, and the other keeps its words', async ({
    place,
    openDevice,
  }) => {
    const first = await openDevice('Phone', PHONE);
    const second = await first.context().newPage();
    await second.goto(place.origin);
    const asked = await place.ask({ prompt: QUESTION });
    const tabs = [new InquiryPage(first), new InquiryPage(second)] as const;
    for (const tab of tabs) await tab.open(QUESTION);
    await first.context().setOffline(true);
    for (const [at, tab] of tabs.entries()) {
      await expect(banner(tab.page)).toContainText('Offline since');
      await tab.answer.fill(`Green ${at}`);
      await tab.button('Send').click();
      await expect(queued(tab)).toBeVisible();
    }
    await first.context().setOffline(false);
    await expect.poll(() => resolved(place, asked)).toMatch(/^Green [01]$/);
    const won = Number((await resolved(place, asked))?.slice(-1));
    const other = tabs[1 - won];
    await expect(other?.verdict ?? first.locator('none')).toHaveText(/already answered/);
    await expect(
      other?.panel.getByRole('textbox', { name: 'Your words are kept' }) ?? first.locator('none'),
    ).toHaveValue(`Green ${1 - won}`);
    await expect.poll(() => first.evaluate(OUTBOX)).toEqual([]);
  });

  test('on a slow line that cuts replies an answer is said to be sent only when the hub said so, and counts once', async ({
    place,
    front,
    throughFront,
  }) => {
    const page = await throughFront('Phone');
    const asked = await place.ask({ prompt: QUESTION });
    const inquiry = new InquiryPage(page);
    await inquiry.open(QUESTION);
    const devtools = await page.context().newCDPSession(page);
    await devtools.send('Network.enable');
    const slow = { offline: false, latency: 400, downloadThroughput: 50_000, uploadThroughput: 50_000 };
    await devtools.send('Network.emulateNetworkConditions', slow);
    await page.route('**/healthz', (route) => route.abort());
    front.cutsReplies = true;
    front.cutLines('refuse');
    await expect(banner(page)).toContainText('Offline since');
    await inquiry.answer.fill('Green');
    await inquiry.button('Send').click();
    await expect.poll(() => resolved(place, asked)).toBe('Green');
    await expect(queued(inquiry)).toBeVisible();
    await expect(inquiry.verdict).toHaveCount(0);
    front.cutLines();
    await expect(inquiry.verdict).toHaveText('Atlas has your answer.');
    const { late, lost } = (await place.read(asked)) as { late?: object[]; lost?: object[] };
    expect([late ?? [], lost ?? []]).toEqual([[], []]);
  });
});

test('a page works beside the worker of another version: an older worker has its page without a line, a newer one the new page', async ({
  place,
  front,
  throughFront,
}) => {
  front.page = front.worker = 'before';
  const page = await throughFront('Phone', { serviceWorkers: 'allow' });
  // The page's files are on the device.
  await expect.poll(() => page.evaluate('navigator.serviceWorker.controller !== null')).toBe(true);
  const inquiry = new InquiryPage(page);
  const write = async (text: string) => {
    const asked = await place.ask({ prompt: QUESTION });
    await inquiry.open(QUESTION);
    await inquiry.answer.fill(text);
    await expect.poll(() => keptOn(page, `words:${asked.id}`)).toEqual({ text });
    await expect.poll(() => keptOn(page, 'open')).toEqual([expect.objectContaining({ id: asked.id })]);
    return asked;
  };
  const version = () =>
    page.evaluate(`/-0[\\w-]{7}\\.js$/.test(document.querySelector('script[src]').src) ? 'before' : 'now'`);
  front.page = 'now';
  await page.reload();
  expect(await version()).toBe('now');
  const green = await write('Green');
  await page.context().setOffline(true);
  front.cutLines('refuse');
  await page.reload();
  await expect(inquiry.answer).toHaveValue('Green');
  expect(await version()).toBe('before');
  await inquiry.button('Send').click();
  await expect(queued(inquiry)).toBeVisible();
  front.cutLines();
  await page.context().setOffline(false);
  await expect.poll(() => resolved(place, green)).toBe('Green');
  await page.goto(front.origin);

  front.page = 'before';
  await page.reload();
  expect(await version()).toBe('before');
  const grey = await write('Grey');
  front.page = front.worker = 'now';
  await page.evaluate('navigator.serviceWorker.getRegistration().then((registration) => registration.update())');
  // What the worker of this version keeps has a shorter name.
  await expect.poll(() => page.evaluate('caches.keys()')).toEqual([expect.stringMatching(/^shell-[0-9a-f]{12}$/)]);
  await page.getByRole('navigation', { name: 'Back to the inbox' }).getByRole('link').click();
  await page.getByRole('navigation', { name: 'Places' }).getByRole('link', { name: 'History', exact: true }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(/answered/);
  await page.context().setOffline(true);
  await page.goto(`${front.origin}/i/${grey.id}`);
  await expect(inquiry.answer).toHaveValue('Grey');
  expect(await version()).toBe('now');
});

const NO_DATABASE = `Object.defineProperty(globalThis, 'indexedDB', { value: undefined })`;
// As IndexedDB does on a full disk: what is written is taken, and not there when its transaction ends.
const FULL = `{
  const { put } = IDBObjectStore.prototype;
  IDBObjectStore.prototype.put = function (...row) {
    const asked = put.apply(this, row);
    this.transaction.abort();
    return asked;
  };
}`;
const KEPT_BESIDE = `Object.keys(localStorage).join()`;
const inStore = (work: string) => `new Promise((resolve, reject) => {
  const opening = indexedDB.open('beckon');
  opening.onerror = () => reject(opening.error);
  opening.onsuccess = () => {
    const transaction = opening.result.transaction('device', 'readwrite');
    const store = transaction.objectStore('device');
    const asked = (${work})(store);
    transaction.oncomplete = () => resolve(asked?.result);
    opening.result.close();
  };
})`;
const OUTBOX = `${inStore('(store) => store.getAllKeys()')}.then((keys) => keys.filter((key) => key.startsWith('answer:')))`;

/** Writes these rows over what the device keeps. */
async function damage(page: Page, rows: Record<string, unknown>): Promise<void> {
  const put = `(store) => { for (const [key, row] of Object.entries(${JSON.stringify(rows)})) store.put(row, key); }`;
  await page.evaluate(inStore(put));
}

/** Ends the process of a page without a word to it, as a browser does that needs the memory. */
async function crash(page: Page): Promise<void> {
  const devtools = await page.context().newCDPSession(page);
  const crashed = page.waitForEvent('crash');
  // It has no reply.
  devtools.send('Page.crash').catch(() => {});
  await crashed;
}
