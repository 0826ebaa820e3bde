import type { Locator, Page } from '@playwright/test';
import { InquiryPage } from './page/inquiry.ts';
import { expect, testOnOneHub as test } from './page/scene.ts';

const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };

test('an entry swiped aside uncovers a button, and only that hides it', async ({ place, openDevice }) => {
  const page = await openDevice('Phone', PHONE);
  const asked = await place.ask({ prompt: 'Who feeds the cat?' });
  const entry = page.getByRole('link', { name: /Who feeds the cat/ });
  const away = page.getByRole('button', { name: 'Hide on this device The agent keeps waiting.' });
  await expect(entry).toBeVisible();
  await expect(away).not.toBeInViewport({ ratio: 0.2 });
  await swipe(page, entry, -220);
  await expect(away).toBeInViewport({ ratio: 0.9 });
  expect((await place.read(asked)).resolution).toBeUndefined();
  await away.tap();
  await page.getByText('Hidden on this device (1)').tap();
  await expect(entry).toBeVisible();
  expect((await place.read(asked)).resolution).toBeUndefined();
});

test('an inquiry swiped aside shows the one beside it; a short swipe changes nothing, and none ever answers', async ({
  place,
  openDevice,
}) => {
  const page = await openDevice('Phone', PHONE);
  const inquiry = new InquiryPage(page);
  const call = { name: 'refund', args: { order: 'A-1077' }, allowed: ['approve' as const, 'reject' as const] };
  const first = await place.ask({ prompt: 'May I refund Anna?', actions: [call], deadline: 3600 });
  const second = await place.ask({ prompt: 'May I refund Ben?', actions: [call], deadline: 7200 });
  await inquiry.open('May I refund Anna?');
  await expect(inquiry.button('Approve')).toBeVisible();
  await swipe(page, inquiry.heading, -60);
  await expect(inquiry.heading).toHaveText('May I refund Anna?');
  await swipeTo(page, inquiry, -240, 'May I refund Ben?');
  await swipe(page, inquiry.heading, -240);
  await expect(inquiry.heading).toHaveText('May I refund Ben?');
  await swipeTo(page, inquiry, 240, 'May I refund Anna?');
  for (const asked of [first, second]) expect((await place.read(asked)).resolution).toBeUndefined();
});

test('what another app shares becomes the draft of the inquiry that is picked, and stays out of the address', async ({
  place,
  openDevice,
}) => {
  const page = await openDevice('Phone', PHONE);
  await place.ask({ prompt: 'Where shall we meet?' });
  await place.ask({
    title: 'May I drop it?',
    actions: [{ name: 'drop', args: {}, allowed: ['approve', 'reject'] }],
  });
  await page.goto(`${place.origin}/share?text=The+pier&url=https%3A%2F%2Fmaps.example.com%2Fpier`);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Which question does it answer?');
  expect(page.url()).toBe(`${place.origin}/share`);
  await expect(page.getByRole('button', { name: /May I drop it/ })).toHaveCount(0);
  await page.getByRole('button', { name: /Where shall we meet/ }).tap();
  await expect(new InquiryPage(page).answer).toHaveValue('The pier\nhttps://maps.example.com/pier');
});

// An inquiry that has just come is not moved in its first moment either.
async function swipeTo(page: Page, inquiry: InquiryPage, dx: number, title: string): Promise<void> {
  await expect(async () => {
    if ((await inquiry.heading.textContent()) !== title) await swipe(page, inquiry.heading, dx);
    await expect(inquiry.heading).toHaveText(title, { timeout: 1000 });
  }).toPass();
}

// A finger, as the browser itself sees it: a gesture of its own input pipeline.
async function swipe(page: Page, on: Locator, dx: number): Promise<void> {
  const box = await on.boundingBox();
  if (!box) throw new Error('There is nothing to swipe.');
  const devtools = await page.context().newCDPSession(page);
  const [x, y] = [dx < 0 ? 320 : 70, box.y + box.height / 2];
  const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', at?: number) =>
    devtools.send('Input.dispatchTouchEvent', { type, touchPoints: at === undefined ? [] : [{ x: at, y }] });
  await touch('touchStart', x);
  for (let step = 1; step <= 12; step++) await touch('touchMove', x + (dx * step) / 12);
  await touch('touchEnd');
  await devtools.detach();
}
