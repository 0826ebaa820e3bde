import type { Locator, Page } from '@playwright/test';
import { faultsOf } from './page/axe.ts';
import { InquiryPage } from './page/inquiry.ts';
import { pressKey, button } from './page/press.ts';
import { SAMPLES } from './page/samples.ts';
import { expect, test } from './page/scene.ts';
import { visitSignIn, visitInquiries, visitPlaces } from './page/screens.ts';
import type { Look } from './page/visit/look.ts';
import { visitStates } from './page/visit/states.ts';
import { smallTargets } from './page/targets.ts';
import { SIZES } from './page/sizes.ts';

// Some sixty screens each.
test.setTimeout(420_000);

test("the rays of the hub's icon reach its frame on all sides", async ({ place, openBrowser }) => {
  const page = await openBrowser(place.origin);
  await page.goto(place.origin);
  const rays = page.locator('.source-icon path').nth(1);
  const frame = await rays.evaluate((path) => {
    const { x, y, width, height } = (path as SVGPathElement).getBBox();
    return [x, y, width, height].map(Math.round);
  });
  expect(frame).toEqual([6, 6, 34, 42]);
});

for (const [size, viewport] of Object.entries(SIZES)) {
  test(`signing in and the places fit a ${size}, and axe finds no fault in them, light or dark`, async ({
    place,
    openBrowser,
  }) => {
    const page = await openBrowser(place.origin, { viewport });
    await visitSignIn(place, page, axe(page));
    await visitPlaces(place, page, axe(page));
  });

  test(`any inquiry fits a ${size}, and axe finds no fault with it, light or dark`, async ({ place, openDevice }) => {
    const page = await openDevice('Phone', { viewport });
    await visitInquiries(place, page, axe(page));
  });
}

test('axe finds no fault with an inbox of fifty and with more states of a call, light or dark, on a phone', async ({
  place,
  openDevice,
}) => {
  const page = await openDevice('Phone', { viewport: SIZES.phone });
  await visitStates(place, page, axe(page));
});

// By how much the whole page scrolls; a desktop scrolls inside its panel.
const BEYOND = `(({ scrollWidth, clientWidth, scrollHeight, clientHeight }) => ({
  x: scrollWidth - clientWidth,
  y: innerWidth < 900 ? 0 : scrollHeight - clientHeight,
}))(document.documentElement)`;

// What a desktop draws beside each other: the list, an inquiry and a place. Of all else it draws what a phone does.
const WIDE = [
  'inbox',
  'inbox-select',
  'inquiry-call',
  'inquiry-document',
  'verdict-sent',
  'history',
  'sign-in',
  'settings',
];

function axe(page: Page): Look {
  const wide = (page.viewportSize()?.width ?? 0) >= 900;
  return async (screen) => {
    expect
      .soft(await page.evaluate(BEYOND), `${screen} is wider, or on a desktop higher, than its window`)
      .toEqual({ x: 0, y: 0 });
    expect.soft(await smallTargets(page), `${screen}: too small for a finger`).toEqual([]);
    if (!wide || WIDE.includes(screen)) expect.soft(await faultsOf(page), screen).toEqual([]);
  };
}

test('somebody with only a keyboard answers a choice and approves a call', async ({ place, openDevice }) => {
  const inquiry = new InquiryPage(await openDevice('Laptop'));
  const { keyboard } = inquiry.page;
  const choice = await place.ask(SAMPLES['choice'] ?? {});
  await expect(inquiry.heading).toHaveText('When may checkout go live?');
  await expect.poll(() => hasFocus(inquiry.heading)).toBe(true);
  // It stands open by itself: until an arrow or Enter says that it is meant, no other key answers it.
  await keyboard.press('1');
  await expect(inquiry.panel.getByRole('radio', { name: /^Monday/, checked: true })).toHaveCount(0);
  await keyboard.press('Enter');
  await pressKey(inquiry.page, '1', inquiry.panel.getByRole('radio', { name: /^Monday/, checked: true }));
  await tabTo(inquiry.page, inquiry.panel.getByRole('radio', { name: /^Monday/ }));
  await keyboard.press('ArrowDown');
  await keyboard.press('ArrowDown');
  await expect.poll(() => hasFocus(inquiry.panel.getByRole('textbox', { name: 'Something else' }))).toBe(true);
  await keyboard.type('Never');
  await pressKey(inquiry.page, 'Control+Enter', inquiry.verdict.filter({ hasText: 'Atlas has your answer.' }));
  expect((await place.read(choice)).resolution).toMatchObject({ answer: { other: { day: 'Never' } } });

  const call = await place.ask(SAMPLES['call'] ?? {});
  // What was pressed for the inquiry before does nothing to its verdict, for a moment.
  await expect(async () => {
    await keyboard.press('Escape');
    await expect(inquiry.heading).toHaveText('May I refund Anna 340.00 euros?', { timeout: 1000 });
  }).toPass();
  await keyboard.press('Enter');
  // The call may be replied to, so a question mark could begin the reply.
  await tabTo(inquiry.page, inquiry.panel.getByRole('button', { name: 'More', exact: true }).filter({ visible: true }));
  await keyboard.press('Enter');
  await tabTo(inquiry.page, inquiry.page.getByRole('dialog').getByRole('button', { name: 'Keys' }));
  await pressKey(inquiry.page, 'Enter', inquiry.page.getByRole('dialog', { name: 'Keys' }));
  await keyboard.press('Escape');
  await tabTo(inquiry.page, inquiry.button('Approve'));
  await expect(async () => {
    if (!(await inquiry.verdict.isVisible())) await keyboard.press('Enter');
    await expect(inquiry.verdict).toBeVisible({ timeout: 1000 });
  }).toPass();
  expect((await place.read(call)).resolution).toMatchObject({ answer: { decisions: [{ type: 'approve' }] } });
});

test('somebody with only a keyboard signs in, walks the places and lets a device in', async ({
  place,
  openBrowser,
}) => {
  const page = await openBrowser(place.origin);
  const { keyboard } = page;
  await page.goto(await place.link());
  await expect.poll(() => hasFocus(page.getByRole('heading', { level: 1 }))).toBe(true);
  await tabTo(page, page.getByRole('textbox', { name: 'This device' }));
  await keyboard.press('Control+a');
  await keyboard.type('Laptop');
  await keyboard.press('Enter');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(/Nothing waits for you/);
  await tabTo(page, page.getByRole('link', { name: 'Settings', exact: true }));
  await keyboard.press('Enter');
  await tabTo(page, page.getByRole('link', { name: 'Devices', exact: true }));
  await keyboard.press('Enter');
  await tabTo(page, button(page, 'Add a device'));
  await keyboard.press('Enter');
  await expect(page.getByRole('link', { name: /\/enroll#/ })).toBeVisible();
  await tabTo(page, page.getByRole('button', { name: 'Rename Laptop' }));
  await keyboard.press('Enter');
  await expect.poll(() => hasFocus(page.getByRole('textbox', { name: 'New name' }))).toBe(true);
  await keyboard.press('Control+a');
  await keyboard.type('Desk');
  await keyboard.press('Enter');
  await expect(page.getByRole('listitem').filter({ hasText: 'Desk' })).toBeVisible();
});

// Presses Tab until it is there; a person would not press it forty times.
async function tabTo(page: Page, target: Locator): Promise<void> {
  await expect(target).toBeVisible();
  for (let presses = 0; presses < 40; presses++) {
    if (await hasFocus(target)) return;
    await page.keyboard.press('Tab');
  }
  expect(await hasFocus(target), 'what Tab should reach').toBe(true);
}

// Also in a window behind another one, as windows of tests are.
function hasFocus(target: Locator): Promise<boolean> {
  return target.evaluate((element) => element === element.ownerDocument.activeElement);
}
