import type { Locator, Page } from '@playwright/test';
import type { Action, Ask, Inquiry } from '#shared/inquiry.ts';
import { must } from './hub/call.ts';
import { addSource } from './hub/people.ts';
import { keptOn } from './page/kept.ts';
import { InquiryPage } from './page/inquiry.ts';
import { press, pressKey } from './page/press.ts';
import { expect, type Place, testOnOneHub as test } from './page/scene.ts';

const RELEASE: Ask = {
  title: 'Release 2.4 now?',
  questions: [
    {
      id: 'when',
      type: 'choice',
      prompt: 'Release 2.4 now?',
      options: [
        { value: 'now', label: 'Release now', description: 'everyone has it by 14:20' },
        { value: 'wait', label: 'Wait until Monday' },
      ],
    },
  ],
  deadline: 3600,
};
const CALL: Action = { name: 'refund', args: { order: 'A-1' }, allowed: ['approve', 'reject'] };
const inRun = (title: string, runId: string, more: Partial<Action> = {}): Ask => ({
  title,
  // Each another call: the third alike would be offered a rule.
  actions: [{ ...CALL, args: { order: title }, ...more }],
  context: { runId },
});
const PHONE = { viewport: { width: 390, height: 844 } };

// As long as the setting allows, so that nothing leaves by itself while a test looks.
const undoFor = ({ hub, mara }: Place, undoSeconds: number) =>
  must(hub, 'PATCH /v1/people/me', { token: mara.token, body: { preferences: { undoSeconds } } });
const bar = (page: Page) => page.locator('.undo');
const undo = (page: Page) => bar(page).getByRole('button', { name: 'Undo' });
const outcome = async (place: Place, asked: Inquiry) => (await place.read(asked)).resolution?.text;

test.beforeEach(({ place }) => undoFor(place, 10));
test.afterEach(({ place }) => undoFor(place, 0));

async function answerOne(place: Place, page: Page): Promise<{ inquiry: InquiryPage; asked: Inquiry }> {
  const inquiry = new InquiryPage(page);
  const asked = await place.ask(RELEASE);
  await inquiry.open('Release 2.4 now?');
  await press(inquiry.button('Wait until Monday'), bar(page));
  return { inquiry, asked };
}

test('a choice can be undone in a bar at the bottom, and is then chosen no more', async ({ place, openDevice }) => {
  const page = await openDevice('Phone', PHONE);
  const { inquiry, asked } = await answerOne(place, page);
  await expect(bar(page)).toContainText('Sending: Wait until Monday');
  const box = await undo(page).boundingBox();
  expect(box?.y).toBeGreaterThan(500);
  expect((await bar(page).boundingBox())?.height).toBeLessThan(64);
  await undo(page).click();
  await expect(inquiry.heading).toHaveText('Release 2.4 now?');
  await expect(inquiry.button('Wait until Monday')).toBeVisible();
  expect(await outcome(place, asked)).toBeUndefined();
  await page.reload();
  await expect(inquiry.button('Wait until Monday')).toBeVisible();
  expect(await outcome(place, asked)).toBeUndefined();
});

test('a plain approval leaves at once, and one with caution can be undone', async ({ place, openDevice }) => {
  const page = await openDevice('Phone', PHONE);
  const inquiry = new InquiryPage(page);
  const plain = await place.ask({ title: 'May I pay?', actions: [CALL] });
  await inquiry.open('May I pay?');
  await inquiry.decide('Approve');
  expect(await outcome(place, plain)).toContain('Approved');
  await expect(bar(page)).toContainText('Approved');
  await expect(undo(page)).toHaveCount(0);
  // The next tap ends what is said of it, sooner than it would end by itself.
  await page.locator('body').click({ position: { x: 2, y: 400 } });
  await expect(bar(page)).toHaveCount(0, { timeout: 1500 });
  const cautious = await place.ask({ title: 'May I drop it?', actions: [{ ...CALL, caution: true }] });
  await page.goto(`${place.origin}/i/${cautious.id}`);
  await expect(inquiry.button('Approve')).toBeEnabled();
  await press(inquiry.button('Approve'), undo(page));
  await expect(bar(page)).toContainText(/Sending in \d+ s/);
  expect(await outcome(place, cautious)).toBeUndefined();
  await undo(page).click();
  await expect(inquiry.heading).toHaveText('May I drop it?');
  expect(await outcome(place, cautious)).toBeUndefined();
});

test('a reject leaves with one tap; adding a reason stops the clock and sends nothing by itself', async ({
  place,
  openDevice,
}) => {
  const page = await openDevice('Phone', PHONE);
  const inquiry = new InquiryPage(page);
  const asked = await place.ask({ title: 'May I pay?', actions: [CALL] });
  await inquiry.open('May I pay?');
  await press(inquiry.button('Reject'), bar(page));
  await expect(bar(page)).toContainText('Rejected');
  await bar(page).getByRole('button', { name: 'Add a reason' }).click();
  const why = inquiry.panel.getByRole('textbox');
  await expect(why).toBeVisible();
  await expect.poll(() => keptOn(page, `words:${asked.id}`)).toMatchObject({ decisions: [{ type: 'reject' }] });
  await page.reload();
  await expect(why).toBeVisible();
  expect(await outcome(place, asked)).toBeUndefined();
  await why.fill('Too much');
  await press(inquiry.button('Reject'), undo(page));
  await expect(bar(page).getByRole('button', { name: 'Add a reason' })).toHaveCount(0);
  await page.close();
  await expect.poll(() => outcome(place, asked)).toContain('Too much');
});

test('a decline leaves with one tap, and can be given its words', async ({ place, openDevice }) => {
  const page = await openDevice('Phone', PHONE);
  const inquiry = new InquiryPage(page);
  const asked = await place.ask({ prompt: 'May I have your number?' });
  await inquiry.open('May I have your number?');
  await press(inquiry.button('Decline'), bar(page));
  await expect(bar(page)).toContainText('Declined');
  await bar(page).getByRole('button', { name: 'Add a reason' }).click();
  await inquiry.panel.getByRole('textbox').fill('Not today');
  await press(inquiry.button('Decline'), undo(page));
  await page.close();
  await expect
    .poll(async () => (await place.read(asked)).resolution)
    .toMatchObject({ outcome: 'declined', message: 'Not today' });
});

test('an answer is sent by itself when its time is over', async ({ place, openDevice }) => {
  await undoFor(place, 1);
  const { asked } = await answerOne(place, await openDevice('Phone'));
  await expect.poll(() => outcome(place, asked)).toBe('Wait until Monday');
});

function hide(page: Page): Promise<void> {
  return page.evaluate(() => {
    Object.defineProperty(document, 'visibilityState', { value: 'hidden', configurable: true });
    document.dispatchEvent(new Event('visibilitychange'));
  });
}

for (const [how, leave] of Object.entries({
  hidden: (page: Page) => hide(page),
  closed: (page: Page) => page.close(),
  left: (page: Page) => page.goto('about:blank'),
}))
  test(`an answer is sent at once when the page is ${how}`, async ({ place, openDevice }) => {
    const { inquiry, asked } = await answerOne(place, await openDevice('Phone'));
    await leave(inquiry.page);
    await expect.poll(() => outcome(place, asked)).toBe('Wait until Monday');
  });

// What no browser tells apart from closing, its keys tell.
async function reloadByKey(page: Page): Promise<void> {
  await page.keyboard.press('F5');
  await page.reload();
}

test('[PAG3] a reload by its keys shows the bar with the time left: what is undone then is not sent', async ({
  place,
  openDevice,
}) => {
  const { inquiry, asked } = await answerOne(place, await openDevice('Phone', PHONE));
  const { page } = inquiry;
  await reloadByKey(page);
  await expect(bar(page)).toContainText('Sending: Wait until Monday');
  await undo(page).click();
  await expect(inquiry.button('Wait until Monday')).toBeVisible();
  await page.reload();
  await expect(inquiry.button('Wait until Monday')).toBeVisible();
  expect(await outcome(place, asked)).toBeUndefined();
  await press(inquiry.button('Wait until Monday'), bar(page));
  await reloadByKey(page);
  await expect(undo(page)).toBeVisible();
  expect(await outcome(place, asked)).toBeUndefined();
  await page.close();
  await expect.poll(() => outcome(place, asked)).toBe('Wait until Monday');
});

test('any other reload sends at once, and offers no Undo that would come too late', async ({ place, openDevice }) => {
  const { inquiry, asked } = await answerOne(place, await openDevice('Phone', PHONE));
  await inquiry.page.reload();
  await expect.poll(() => outcome(place, asked)).toBe('Wait until Monday');
  await expect(inquiry.page.getByRole('heading', { level: 1 })).toHaveText(/answer|Nothing waits|Sent/i);
  await expect(undo(inquiry.page)).toHaveCount(0);
});

test('[PAG3] a Decline whose button was not pressed is sent by no reload, no hiding and no closing', async ({
  place,
  openDevice,
}) => {
  await undoFor(place, 0);
  const page = await openDevice('Phone', PHONE);
  const inquiry = new InquiryPage(page);
  const asked = await place.ask({ prompt: 'May I have your number?' });
  await inquiry.open('May I have your number?');
  const why = inquiry.panel.getByRole('textbox', { name: /^The agent gets no answer/ });
  for (const leave of [() => page.reload(), () => hide(page), () => page.close()]) {
    await press(inquiry.button('Decline'), why);
    await leave();
    if (!page.isClosed()) await page.goto(`${place.origin}/i/${asked.id}`);
  }
  const other = new InquiryPage(await openDevice('Laptop'));
  await other.open('May I have your number?');
  expect((await place.read(asked)).resolution).toBeUndefined();
});

// As a page that dies without a word: its last call is lost.
const LOSE_LAST_CALL = `{
  const fetched = window.fetch;
  window.fetch = (url, init) => (init?.keepalive ? Promise.reject(new TypeError('lost')) : fetched(url, init));
}`;

test('an answer whose page was lost is sent when its device is back', async ({ place, openDevice }) => {
  const page = await openDevice('Phone', { serviceWorkers: 'block' });
  const { asked } = await answerOne(place, page);
  // In the page itself: a request that outlives its page escapes whoever listens to the page.
  await page.evaluate(LOSE_LAST_CALL);
  await page.goto('about:blank');
  expect(await outcome(place, asked)).toBeUndefined();
  await page.goto(place.origin);
  await expect.poll(() => outcome(place, asked), { timeout: 30_000 }).toBe('Wait until Monday');
});

test('[RES2] whoever answers elsewhere meanwhile wins, and the page says so', async ({ place, openDevice }) => {
  const laptop = new InquiryPage(await openDevice('Laptop'));
  const phone = await openDevice('Phone');
  await phone.clock.install();
  const { asked } = await answerOne(place, phone);
  // So that it does not leave by itself while the laptop takes its time.
  await phone.clock.pauseAt(Date.now() + 1000);
  await laptop.open('Release 2.4 now?');
  await press(laptop.panel.getByRole('button', { name: /^Release now/ }), bar(laptop.page));
  await laptop.page.goto('about:blank');
  await expect.poll(() => outcome(place, asked)).toBe('Release now');
});

test('[PAG2] after an answer a phone goes on within the same source and run, else back to the inbox', async ({
  place,
  openDevice,
}) => {
  const page = await openDevice('Phone', PHONE);
  const inquiry = new InquiryPage(page);
  const other = await addSource(place.hub, place.mara, 'Other');
  const { id } = await must<Inquiry>(place.hub, 'POST /v1/inquiries', {
    token: other.key,
    body: { ...inRun('May I wipe it?', 'r1'), deadline: 60 },
  });
  await place.ask(inRun('First call?', 'r1'));
  await place.ask(inRun('Second call?', 'r1'));
  await inquiry.open('First call?');
  await press(inquiry.button('Approve'), inquiry.heading.filter({ hasText: 'Second call?' }));
  await press(inquiry.button('Approve'), page.locator('main.index'));
  // The next test has the same hub, and goes on to what waits.
  await must(place.hub, `POST /v1/inquiries/${id}/withdraw`, { token: other.key, body: {} });
});

test('[PAG2] on a desktop the next of another run is selected, and no press, y or Enter at the same spot approves it', async ({
  place,
  openDevice,
}) => {
  const page = await openDevice('Laptop', { viewport: { width: 1280, height: 800 } });
  const inquiry = new InquiryPage(page);
  const next = await place.ask(inRun('May I destroy it?', 'r2'));
  const first = await place.ask({ ...inRun('May I list it?', 'r1'), deadline: 3600 });
  await inquiry.open('May I list it?');
  await press(inquiry.button('Approve'), inquiry.heading.filter({ hasText: 'May I destroy it?' }));
  await expect.poll(() => outcome(place, first)).toContain('Approved');
  await expect(inquiry.button('Approve')).toBeDisabled();
  await inquiry.button('Approve').click({ force: true });
  for (const key of ['y', 'Enter']) await page.keyboard.press(key);
  await expect(inquiry.button('Approve')).toBeDisabled();
  await expect(inquiry.heading).toHaveText('May I destroy it?');
  expect(await outcome(place, next)).toBeUndefined();
  await page.mouse.move(900, 200);
  await expect(inquiry.button('Approve')).toBeEnabled();
  await expect(async () => {
    await page.keyboard.press('y');
    expect(await outcome(place, next)).toContain('Approved');
  }).toPass();
});

// Both pages go by one clock that stands: neither sends before the other is told, however long that takes.
async function step(page: Page, shows: Locator): Promise<void> {
  await expect(async () => {
    await page.clock.runFor(20);
    await expect(shows).toBeVisible({ timeout: 250 });
  }).toPass();
}

test('[PAG3] 30 answers undone together are sent by no other page of the device, and by no reload', async ({
  place,
  openDevice,
}) => {
  const page = await openDevice('Phone', PHONE);
  const asked: Inquiry[] = [];
  for (let at = 0; at < 30; at++) asked.push(await place.ask({ ...inRun(`Call ${at}`, 'run 30'), title: undefined }));
  const now = Date.now() + 60_000;
  await page.clock.install();
  await page.clock.pauseAt(now);
  const rejects = page.getByRole('dialog').getByRole('button', { name: 'Reject 30' });
  await step(page, page.getByRole('button', { name: 'Reject, Atlas, run 30' }));
  await page.getByRole('button', { name: 'Reject, Atlas, run 30' }).click();
  await step(page, rejects);
  // Its button stands where the first one was.
  await page.mouse.move(2, 2);
  await page.clock.runFor(1100);
  await rejects.click();
  await step(page, undo(page));
  const other = await page.context().newPage();
  await other.clock.install({ time: await page.evaluate<number>('Date.now()') });
  await other.goto(place.origin, { waitUntil: 'commit' });
  await expect(async () => other.clock.pauseAt(await other.evaluate<number>('Date.now() + 300'))).toPass();
  await step(other, undo(other));
  await undo(page).click();
  await page.clock.runFor(20);
  await expect(bar(page)).toHaveCount(0);
  await other.clock.runFor(11_000);
  await expect(bar(other)).toHaveCount(0);
  await page.reload();
  for (const one of asked) expect(await outcome(place, one)).toBeUndefined();
});

test('[PAG3] an undo that the browser cannot note is not said to hold on its other pages', async ({
  place,
  openDevice,
}) => {
  const { inquiry, asked } = await answerOne(place, await openDevice('Phone', PHONE));
  const { page } = inquiry;
  await page.evaluate(`Storage.prototype.setItem = () => { throw new DOMException('full', 'QuotaExceededError') }`);
  await undo(page).click();
  await expect(page.locator('.banners')).toContainText('An answer was taken back on this page only');
  await expect(inquiry.button('Wait until Monday')).toBeVisible();
  expect(await outcome(place, asked)).toBeUndefined();
});

test('Ctrl and Z takes the answer back', async ({ place, openDevice }) => {
  const page = await openDevice('Laptop');
  const inquiry = new InquiryPage(page);
  const asked = await place.ask(RELEASE);
  await inquiry.open('Release 2.4 now?');
  await pressKey(page, '2', bar(page));
  await page.keyboard.press('Control+z');
  await expect(inquiry.button('Wait until Monday')).toBeVisible();
  expect(await outcome(place, asked)).toBeUndefined();
});

test('with less than 15 s left, or no time to undo, an answer is sent at once', async ({ place, openDevice }) => {
  const inquiry = new InquiryPage(await openDevice('Phone'));
  const late = await place.ask({ ...RELEASE, deadline: 16, latest: 16 });
  await inquiry.open('Release 2.4 now?');
  await press(inquiry.panel.getByRole('button', { name: /^Release now/ }), inquiry.verdict);
  expect(await outcome(place, late)).toBe('Release now');
});
