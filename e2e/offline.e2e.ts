import type { Page } from '@playwright/test';
import { wholeChromium } from './chromium.ts';
import { must } from './hub/call.ts';
import { InquiryPage } from './page/inquiry.ts';
import { keptOn } from './page/kept.ts';
import { expect, testOnOneHub as test } from './page/scene.ts';

// With all its parts on the device a page needs no line.
const whole = (page: Page) =>
  expect.poll(() => page.evaluate('navigator.serviceWorker.controller !== null')).toBe(true);
const QUESTION = 'Which colour shall the door be?';

// The worker keeps the page on the device.
test.use({ serviceWorkers: 'allow', launchOptions: wholeChromium() });

test('an answer given offline outlives a reload and is sent when the browser is back', async ({
  place,
  openDevice,
}) => {
  const page = await openDevice('Phone');
  const inquiry = new InquiryPage(page);
  const asked = await place.ask({ prompt: QUESTION });
  await inquiry.open(QUESTION);
  await whole(page);

  await page.context().setOffline(true);
  await expect(page.getByRole('status').filter({ hasText: 'Offline since' })).toBeVisible();
  await inquiry.answer.fill('Green');
  await inquiry.button('Send').click();
  await expect(inquiry.panel.getByText('It is sent when the hub is back.')).toBeVisible();
  await page.reload();
  await expect(inquiry.panel).toContainText('“Green”');
  expect((await place.read(asked)).resolution).toBeUndefined();

  await page.context().setOffline(false);
  await expect(inquiry.verdict).toHaveText('Atlas has your answer.');
  expect((await place.read(asked)).resolution).toMatchObject({
    outcome: 'answered',
    text: 'Green',
    by: { kind: 'person', device: { name: 'Phone' } },
  });
});

test('[RES2] an answer given offline that comes second is told who was first, and is kept', async ({
  place,
  openDevice,
}) => {
  const [phone, laptop] = [new InquiryPage(await openDevice('Phone')), new InquiryPage(await openDevice('Laptop'))];
  const asked = await place.ask({ prompt: QUESTION });
  await phone.open(QUESTION);
  await laptop.open(QUESTION);
  await whole(phone.page);
  await phone.page.context().setOffline(true);
  await phone.answer.fill('Green');
  await phone.button('Send').click();
  await expect(phone.panel.getByText('It is sent when the hub is back.')).toBeVisible();
  await laptop.answer.fill('Blue');
  await laptop.decide('Send');

  await phone.page.context().setOffline(false);
  await expect(phone.verdict).toHaveText('You had already answered this on Laptop.');
  await expect(phone.panel).toContainText('“Blue”');
  await expect(phone.panel).toContainText('on Laptop');
  await expect(phone.panel.getByRole('textbox', { name: 'Your words are kept' })).toHaveValue('Green');
  expect((await place.read(asked)).resolution).toMatchObject({ text: 'Blue' });
});

test('an answer that waits for a line can be taken back, also on a page that has not come whole, which is not loaded anew for that', async ({
  place,
  openDevice,
}) => {
  const inquiry = new InquiryPage(await openDevice('Phone', { serviceWorkers: 'block' }));
  await inquiry.page.route(/\/assets\/HeldBack-/, () => {});
  // The hub is back in the moment after a part of the page could not come.
  await inquiry.page.route('**/healthz', (route) => route.fulfill({ json: {} }));
  await place.ask({ prompt: QUESTION });
  await inquiry.open(QUESTION);
  await inquiry.page.context().setOffline(true);
  await expect(inquiry.page.getByRole('status').filter({ hasText: 'Offline since' })).toBeVisible();
  await inquiry.answer.fill('Green');
  await inquiry.button('Send').click();
  await inquiry.button('Undo').click();
  await expect(inquiry.answer).toHaveValue('Green');
  await inquiry.answer.fill('Grey');
  await inquiry.page.context().setOffline(false);
  await inquiry.decide('Send');
  await expect(inquiry.panel).toContainText('“Grey”');
});

test('words written in the moment before the page is loaded anew stand there after it', async ({
  place,
  openDevice,
}) => {
  const inquiry = new InquiryPage(await openDevice('Phone'));
  const { id } = await place.ask({ prompt: QUESTION });
  await inquiry.open(QUESTION);
  await inquiry.answer.fill('Green');
  await expect.poll(() => keptOn(inquiry.page, `words:${id}`)).toEqual({ text: 'Green' });
  await inquiry.answer.evaluate((area: HTMLTextAreaElement) => {
    for (const words of ['Green, or', 'Green, or grey']) {
      area.value = words;
      area.dispatchEvent(new InputEvent('input', { bubbles: true }));
    }
    location.reload();
  });
  await expect(inquiry.answer).toHaveValue('Green, or grey');
});

test('a settled question opened offline shows how it ended; one that this device never had says that it is not here', async ({
  place,
  openDevice,
}) => {
  const inquiry = new InquiryPage(await openDevice('Phone'));
  const { page } = inquiry;
  const { id, digest } = await place.ask({ prompt: QUESTION });
  await inquiry.open(QUESTION);
  await whole(page);
  await must(place.hub, `POST /v1/inquiries/${id}/answer`, { token: place.mara.token, body: { text: 'Blue', digest } });
  await expect(inquiry.verdict).toHaveText('You answered this on Terminal.');
  const kept = async () => JSON.stringify(await page.context().storageState({ indexedDB: true }));
  await expect.poll(kept).toContain(`settled:${id}`);
  await page.context().setOffline(true);
  await page.goto(`${place.origin}/i/${id}`);
  await expect(inquiry.verdict).toHaveText('You answered this on Terminal.');
  await expect(inquiry.panel).toContainText('“Blue”');
  await expect(inquiry.panel).toContainText('This is what this device knew when it went offline.');
  await page.goto(`${place.origin}/i/inq_${'0'.repeat(26)}`);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('This question is not on this device.');
});

test('every place of the page opens offline', async ({ place, openDevice }) => {
  const page = await openDevice('Phone');
  await whole(page);
  await page.context().setOffline(true);
  for (const path of ['attention', 'connect', 'connect/model', 'sources', 'connections', 'rules', 'yolo', 'deciders'])
    await opens(page, `${place.origin}/${path}`);
  for (const path of ['', 'history', 'devices', 'settings', 'quiet', 'steps', 'share'])
    await opens(page, `${place.origin}/${path}`);
});

async function opens(page: Page, address: string): Promise<void> {
  await page.goto(address);
  await expect(page.getByRole('navigation', { name: 'Places' }), address).toBeVisible();
  await expect(page.getByRole('status').filter({ hasText: 'Offline since' }), address).toBeVisible();
  await expect(page.getByRole('alert').filter({ hasText: 'has not arrived' }), address).toHaveCount(0);
}
