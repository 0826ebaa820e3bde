import type { Locator } from '@playwright/test';
import type { Action } from '#shared/inquiry.ts';
import { must } from './hub/call.ts';
import { InquiryPage } from './page/inquiry.ts';
import { press, pressKey } from './page/press.ts';
import { SEEN_IN, SIZES } from './page/sizes.ts';
import { expect, type Place, testOnOneHub as test } from './page/scene.ts';

const TRANSFER: Action = {
  name: 'transfer',
  args: { to: 'DE02 1203', amount: 99_999 },
  allowed: ['approve', 'reject'],
};
const LONG = Array.from({ length: 120 }, (_, at) => `Sentence ${at + 1} says nothing that matters here.`).join(' ');
const SCRIPT = Array.from({ length: 200 }, (_, at) => `step ${at + 1}`).join('\n');
const COVERED = 'after you have seen the end';

for (const [size, viewport] of Object.entries(SEEN_IN)) {
  test.describe(`on ${size}`, () => {
    test.use({ viewport });

    test('a long notice, title and prompt are folded, and leave the buttons of a call in view', async ({
      place,
      openDevice,
    }) => {
      const inquiry = new InquiryPage(await openDevice('Phone', { viewport }));
      await notify(place, 'Read this', LONG);
      await expect(inquiry.page.getByRole('status').filter({ hasText: 'Read this' })).toBeVisible();
      const asked = await place.ask({ title: `May I pay? ${LONG}`.slice(0, 140), prompt: LONG, actions: [TRANSFER] });
      await inquiry.page.goto(`${place.origin}/i/${asked.id}`);
      await expect(inquiry.button('Reject')).toBeInViewport({ ratio: 1 });
      await expect(inquiry.panel.getByRole('button', { name: /^Approve/ })).toBeInViewport({ ratio: 1 });
      const { height } = await boxOf(inquiry.page.getByRole('status').filter({ hasText: 'Read this' }));
      expect(height).toBeLessThan(180);
      const prompt = inquiry.panel.getByText('Sentence 120');
      expect((await boxOf(prompt)).height).toBeLessThan(100);
      await inquiry.panel
        .getByRole('button', { name: /^\d\d+ more lines$/ })
        .first()
        .click();
      expect((await boxOf(prompt)).height).toBeGreaterThan(1000);
      await decideByKey(inquiry, 'y');
      expect((await place.read(asked)).resolution?.answer).toEqual({ decisions: [{ type: 'approve' }] });
      await inquiry.page.getByRole('button', { name: 'Dismiss', exact: true }).click();
    });

    test('a short call is approved with one tap and with one key', async ({ place, openDevice }) => {
      const inquiry = new InquiryPage(await openDevice('Phone', { viewport }));
      for (const approve of [() => inquiry.decide('Approve'), () => decideByKey(inquiry, 'y')]) {
        const asked = await place.ask({ title: 'May I pay?', actions: [TRANSFER] });
        await inquiry.page.goto(`${place.origin}/i/${asked.id}`);
        await expect(inquiry.panel.getByRole('row', { name: 'amount' })).toBeInViewport({ ratio: 1 });
        await approve();
        expect((await place.read(asked)).resolution?.answer).toEqual({ decisions: [{ type: 'approve' }] });
      }
    });

    test('a caution of 200 lines is approved only after its end was on the screen', async ({ place, openDevice }) => {
      const inquiry = new InquiryPage(await openDevice('Phone', { viewport }));
      const asked = await place.ask({
        title: 'May I run this?',
        actions: [{ name: 'bash', args: { command: SCRIPT }, allowed: ['approve', 'reject'], caution: true }],
      });
      await inquiry.open('May I run this?');
      await approvesNothing(place, asked, inquiry, `Approve ${COVERED}`);
      await expect(inquiry.button('Reject')).toBeEnabled();
      const waited = await inquiry.noteWaits();
      await readOn(inquiry, /^\d+ more lines$/);
      await waited(/^Read first, \d s/);
      await expect(inquiry.button('Approve')).toBeEnabled();
      await inquiry.decide('Approve');
      expect((await place.read(asked)).resolution?.answer).toEqual({ decisions: [{ type: 'approve' }] });
    });

    test('[PAG1] with caution a long prompt stands whole and once, and Approve waits until its last line was on the screen', async ({
      place,
      openDevice,
    }) => {
      const inquiry = new InquiryPage(await openDevice('Phone', { viewport }));
      const prompt = `${LONG} It drops the audit table for good.`;
      const asked = await place.ask({ prompt, actions: [{ ...TRANSFER, caution: true }] });
      await inquiry.page.goto(`${place.origin}/i/${asked.id}`);
      await approvesNothing(place, asked, inquiry, `Approve ${COVERED}`);
      for (const said of ['drops the audit table for good', 'Sentence 1 says', 'Sentence 60 says'])
        expect((await inquiry.panel.innerText()).split(said).length - 1, said).toBe(1);
      await expect(inquiry.panel.getByText(/more lines$/).and(inquiry.panel.locator('.unfold, .fold'))).toHaveCount(0);
      const waited = await inquiry.noteWaits();
      await readOn(inquiry, /more lines?$/);
      await waited(/^Read first, \d s/);
      await inquiry.decide('Approve');
      expect((await place.read(asked)).resolution?.answer).toEqual({ decisions: [{ type: 'approve' }] });
    });

    test('three calls are approved together only after the end of each was on the screen', async ({
      place,
      openDevice,
    }) => {
      const inquiry = new InquiryPage(await openDevice('Phone', { viewport }));
      const write = (path: string): Action => ({ ...TRANSFER, name: 'write', args: { path, text: SCRIPT } });
      const asked = await place.ask({ title: 'May I write these?', actions: ['a', 'b', 'c'].map(write) });
      await inquiry.open('May I write these?');
      const all = inquiry.panel.getByRole('button', { name: /^Approve all 3/ });
      await expect(all).toHaveText(new RegExp(COVERED));
      await expect(all).toBeDisabled();
      await expect(inquiry.button('Reject all none runs')).toBeEnabled();
      await all.click({ force: true });
      await pressKey(inquiry.page, 'y', inquiry.button(`Send all 3 ${COVERED}`));
      for (const key of ['y', 'End', 'Enter']) await inquiry.page.keyboard.press(key);
      expect((await place.read(asked)).resolution).toBeUndefined();
      await expect(inquiry.button(`Send all 3 ${COVERED}`)).toBeDisabled();
      await readOn(inquiry, /call/, 'Send all 3');
      await inquiry.decide('Send all 3');
      expect((await place.read(asked)).resolution?.answer?.decisions).toEqual([
        { type: 'approve' },
        { type: 'approve' },
        { type: 'approve' },
      ]);
    });

    test('[SEE1] a diff of six files says how many were not seen, and is approved from the head of each', async ({
      place,
      openDevice,
    }) => {
      const inquiry = new InquiryPage(await openDevice('Phone', { viewport }));
      const file = (at: number) => ({
        path: `src/${at}.ts`,
        oldText: '',
        newText: Array.from({ length: 30 }, (_, line) => `export const value${line} = ${at};`).join('\n'),
      });
      const diff = [1, 2, 3, 4, 5, 6].map(file);
      const asked = await place.ask({
        title: 'May I write?',
        actions: [{ ...TRANSFER, name: 'edit', args: {}, diff }],
      });
      await inquiry.open('May I write?');
      await expect(inquiry.panel.getByText('edit', { exact: true })).toBeVisible();
      await expect(inquiry.below).toHaveText(/^[456] of 6 files not seen$/);
      await expect(inquiry.panel.getByRole('button', { name: /^Approve/ })).toBeVisible();
      await readOn(inquiry, /^(\d of 6 files not seen|\d+ more lines)$/);
      await inquiry.decide('Approve');
      expect((await place.read(asked)).resolution?.answer).toEqual({ decisions: [{ type: 'approve' }] });
    });
  });
}

test('a title of one line hides nothing, however tall the letters of its font are', async ({ place, openDevice }) => {
  const inquiry = new InquiryPage(await openDevice('Phone', { viewport: SIZES.phone }));
  const asked = await place.ask({ title: 'May I pay?', actions: [TRANSFER, TRANSFER] });
  await inquiry.page.goto(`${place.origin}/i/${asked.id}`);
  const more = inquiry.panel.getByRole('button', { name: /more lines?$/ });
  const title = inquiry.page.getByRole('heading', { level: 1 });
  // As with a font whose letters are taller than the line.
  const over = await title.evaluate((h1) => {
    h1.style.cssText = 'font-size: 34px; line-height: 26px';
    return h1.scrollHeight - h1.clientHeight;
  });
  expect(over).toBeGreaterThan(2);
  await inquiry.page.setViewportSize({ width: 380, height: 844 });
  await expect(inquiry.panel.getByRole('row', { name: 'amount' }).first()).toBeVisible();
  await inquiry.page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
  await expect(more).toHaveCount(0);
});

test('a call below the window is approved by no key and no tap, and the first of them shows it', async ({
  place,
  openDevice,
}) => {
  const inquiry = new InquiryPage(await openDevice('Phone', { viewport: { width: 390, height: 300 } }));
  const asked = await place.ask({ title: `May I pay? ${LONG}`.slice(0, 140), actions: [TRANSFER] });
  await inquiry.page.goto(`${place.origin}/i/${asked.id}`);
  await expect(inquiry.below).toHaveText('the call is below');
  await expect(inquiry.button('Approve after you have seen the call')).toBeDisabled();
  await expect(async () => {
    await inquiry.page.keyboard.press('y');
    await expect(inquiry.panel.getByRole('row', { name: 'to' })).toBeInViewport({ timeout: 1000 });
  }).toPass();
  expect((await place.read(asked)).resolution).toBeUndefined();
  await expect(inquiry.button('Approve')).toBeEnabled();
  await inquiry.decide('Approve');
});

test('what arrives while a call is open lies over none of its buttons and takes no tap that was meant for them', async ({
  place,
  openDevice,
}) => {
  for (const viewport of Object.values(SEEN_IN)) {
    const page = await openDevice('Phone', { viewport });
    const inquiry = new InquiryPage(page);
    const asked = await place.ask({ title: 'May I pay?', actions: [TRANSFER] });
    await inquiry.open('May I pay?');
    await expect(inquiry.button('Approve')).toBeEnabled();
    const { enrolmentId } = await must<{ enrolmentId: string }>(place.hub, 'POST /v1/enrolments', {
      body: { handle: 'mara', deviceName: `iPad ${viewport.width}` },
    });
    const toast = page.getByRole('region', { name: 'Sign-in request' });
    await expect(toast).toContainText(`iPad ${viewport.width} wants to sign in as you.`);
    const bar = await boxOf(inquiry.panel.locator('.bar'));
    const { x, y, width, height } = await boxOf(toast);
    expect(height).toBeLessThanOrEqual(150);
    // Above it, or beside it.
    expect(y + height < bar.y || x + width <= bar.x).toBe(true);
    await press(toast.getByRole('button', { name: 'Review' }), page.getByRole('dialog'));
    await page.keyboard.press('y');
    expect((await place.read(asked)).resolution).toBeUndefined();
    await must(place.hub, `DELETE /v1/enrolments/${enrolmentId}`, { token: place.mara.token });
    await expect(page.getByRole('dialog')).toBeHidden();
    await inquiry.decide('Approve');
  }
});

test('a tap in the moment after a notice moved the buttons does nothing', async ({ place, openDevice }) => {
  const page = await openDevice('Laptop', { viewport: SEEN_IN['a desktop'] });
  const inquiry = new InquiryPage(page);
  const asked = await place.ask({ title: 'May I pay?', actions: [TRANSFER] });
  await inquiry.open('May I pay?');
  await expect(inquiry.button('Approve')).toBeEnabled();
  await page.evaluate(TAP_WHEN_MOVED);
  await notify(place, 'The backup is done', LONG);
  // A string would be evaluated, which the page's policy forbids.
  await page.waitForFunction(() => (globalThis as { tapped?: boolean }).tapped);
  await expect(page.getByRole('status').filter({ hasText: 'The backup is done' })).toBeVisible();
  expect((await place.read(asked)).resolution).toBeUndefined();
  await inquiry.decide('Approve');
  await page.getByRole('button', { name: 'Dismiss', exact: true }).click();
});

// Taps Approve in the very frame in which it is moved, and is at work when `evaluate` returns.
const TAP_WHEN_MOVED = `{
  const approve = document.querySelector('.bar .button--do');
  const before = approve.getBoundingClientRect().top;
  globalThis.tapped = false;
  const look = () => {
    if (approve.getBoundingClientRect().top === before) return requestAnimationFrame(look);
    approve.dispatchEvent(new MouseEvent('click', { bubbles: true, cancelable: true, detail: 1 }));
    globalThis.tapped = true;
  };
  look();
}`;

function notify(place: Place, title: string, body: string): Promise<unknown> {
  return must(place.hub, 'POST /v1/notices', { token: place.source.key, body: { title, body } });
}

// Follows that line until nothing is missing any more.
async function readOn(inquiry: InquiryPage, words: RegExp, approve = 'Approve'): Promise<void> {
  await expect(inquiry.below).toHaveText(words);
  await inquiry.readOn(approve);
}

// Every way to approve, tried at once.
async function approvesNothing(
  place: Place,
  asked: { id: string },
  inquiry: InquiryPage,
  words: string,
): Promise<void> {
  const { keyboard } = inquiry.page;
  await expect(inquiry.button(words)).toBeDisabled();
  await inquiry.button(words).click({ force: true });
  for (const key of ['y', '1', 'Enter', 'Control+Enter']) await keyboard.press(key);
  expect((await place.read(asked)).resolution).toBeUndefined();
}

async function decideByKey(inquiry: InquiryPage, key: string): Promise<void> {
  await expect(async () => {
    if (!(await inquiry.verdict.isVisible())) await inquiry.page.keyboard.press(key);
    await expect(inquiry.verdict).toBeVisible({ timeout: 1000 });
  }).toPass();
}

/** Where a part stands, in whole pixels: a box that moves is told with millionths of one. */
async function boxOf(part: Locator): Promise<{ x: number; y: number; width: number; height: number }> {
  const box = await part.boundingBox();
  if (!box) throw new Error('It is not on the page.');
  const { x, y, width, height } = box;
  return { x: Math.round(x), y: Math.round(y), width: Math.round(width), height: Math.round(height) };
}
