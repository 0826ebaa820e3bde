import type { Page } from '@playwright/test';
import type { Ask, Inquiry } from '#shared/inquiry.ts';
import { must } from './hub/call.ts';
import { Letter } from './page/letter.ts';
import { press } from './page/press.ts';
import { expect, type Place, testOnOneHub as test } from './page/scene.ts';
import { goTo } from './page/sign-in.ts';

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
const NEXT: Ask = { prompt: 'What shall we call it?', deadline: 7200 };

// As long as the setting allows, so that nothing leaves by itself while a test looks.
const undoFor = ({ hub, mara }: Place, undoSeconds: number | null) =>
  must(hub, 'PATCH /v1/people/me', { token: mara.token, body: { preferences: { undoSeconds } } });

/** Answers the first of two questions with one tap; the second is there then, with the undo line. */
async function answerFirst(place: Place, page: Page): Promise<{ letter: Letter; asked: Inquiry }> {
  const letter = new Letter(page);
  const asked = await place.ask(RELEASE);
  await place.ask(NEXT);
  await letter.open('Release 2.4 now?');
  await press(letter.slab('Wait until Monday'), line(page));
  await expect(letter.heading).toHaveText('What shall we call it?');
  return { letter, asked };
}

// A button says with its label what its option says of it.
const releaseNow = (letter: Letter) => letter.sheet.getByRole('button', { name: /^Release now/ });
const line = (page: Page) => page.getByRole('navigation', { name: 'Last answer' });
const outcome = async (place: Place, asked: Inquiry) => (await place.read(asked)).resolution?.text;

test.beforeEach(({ place }) => undoFor(place, 10));
test.afterEach(({ place }) => undoFor(place, null));

test('one tap answers a question of two options, and Undo on the next question takes it back for good', async ({
  place,
  openDevice,
}) => {
  const page = await openDevice('Phone', { viewport: { width: 390, height: 844 } });
  const { letter, asked } = await answerFirst(place, page);
  await expect(line(page)).toContainText(/“Wait until Monday” is sent in \d+ s/);
  await line(page).getByRole('button', { name: 'Undo' }).click();
  await expect(letter.heading).toHaveText('Release 2.4 now?');
  await page.reload();
  await expect(releaseNow(letter)).toBeVisible();
  expect(await outcome(place, asked)).toBeUndefined();
  await press(releaseNow(letter), line(page));
  await line(page).getByRole('button', { name: 'Undo' }).click();
  // Closed before what the device keeps of it can be gone.
  await page.goto('about:blank');
  await page.goto(place.origin);
  await letter.open('Release 2.4 now?');
  await expect(releaseNow(letter)).toBeVisible();
  expect(await outcome(place, asked)).toBeUndefined();
});

test('an answer of one tap is sent when the next question is touched, and its receipt is one tap away', async ({
  place,
  openDevice,
}) => {
  const { letter, asked } = await answerFirst(place, await openDevice('Phone'));
  await letter.answer.click();
  await expect.poll(() => outcome(place, asked)).toBe('Wait until Monday');
  await expect(line(letter.page)).toContainText('“Wait until Monday” is sent');
  await expect(letter.page.getByRole('status').filter({ hasText: 'arrived' })).toHaveCount(0);
  await line(letter.page).getByRole('link', { name: 'Open' }).click();
  await expect(letter.sheet).toContainText('“Wait until Monday”');
  await expect(letter.verdict).toBeVisible();
});

test('an answer of one tap is sent by itself when its time is over', async ({ place, openDevice }) => {
  await undoFor(place, 1);
  const { letter, asked } = await answerFirst(place, await openDevice('Phone'));
  await expect(line(letter.page)).toContainText('“Wait until Monday” is sent');
  await expect.poll(() => outcome(place, asked)).toBe('Wait until Monday');
});

test('an answer of one tap is sent at once when the page is hidden', async ({ place, openDevice }) => {
  const { letter, asked } = await answerFirst(place, await openDevice('Phone'));
  await letter.page.evaluate(() => {
    Object.defineProperty(document, 'visibilityState', { value: 'hidden', configurable: true });
    document.dispatchEvent(new Event('visibilitychange'));
  });
  await expect.poll(() => outcome(place, asked)).toBe('Wait until Monday');
});

for (const [how, leave] of Object.entries({
  closed: (page: Page) => page.close(),
  reloaded: (page: Page) => page.reload(),
  left: (page: Page) => page.goto('about:blank'),
}))
  test(`an answer of one tap is sent at once when the page is ${how}`, async ({ place, openDevice }) => {
    const { letter, asked } = await answerFirst(place, await openDevice('Phone'));
    await leave(letter.page);
    await expect.poll(() => outcome(place, asked)).toBe('Wait until Monday');
  });

const LOSE_LAST_CALL = `{
  const fetched = window.fetch;
  window.fetch = (url, init) => (init?.keepalive ? Promise.reject(new TypeError('lost')) : fetched(url, init));
}`;

test('an answer of one tap outlives a page that is closed and whose last call is lost', async ({
  place,
  openDevice,
}) => {
  const page = await openDevice('Phone', { serviceWorkers: 'block' });
  const { asked } = await answerFirst(place, page);
  // In the page itself: a request that outlives its page escapes whoever listens to the page.
  await page.evaluate(LOSE_LAST_CALL);
  await page.goto('about:blank');
  expect(await outcome(place, asked)).toBeUndefined();
  await page.goto(place.origin);
  await expect.poll(() => outcome(place, asked), { timeout: 30_000 }).toBe('Wait until Monday');
});

test('[RES2] whoever answers elsewhere meanwhile wins, and the page says so', async ({ place, openDevice }) => {
  const laptop = new Letter(await openDevice('Laptop'));
  const { letter, asked } = await answerFirst(place, await openDevice('Phone'));
  await laptop.open('Release 2.4 now?');
  await press(releaseNow(laptop), line(laptop.page));
  await laptop.answer.click();
  await expect(letter.page.getByRole('status').filter({ hasText: 'on Laptop' })).toContainText('Release 2.4 now?');
  await expect(line(letter.page)).toHaveCount(0);
  expect(await outcome(place, asked)).toBe('Release now');
});

test('with the last question the answer waits on its own page, and is sent from there', async ({
  place,
  openDevice,
}) => {
  const letter = new Letter(await openDevice('Phone'));
  const asked = await place.ask(RELEASE);
  await letter.open('Release 2.4 now?');
  await press(releaseNow(letter), letter.slab('Undo'));
  await expect(letter.sheet).toContainText(/“Release now”.*is sent in \d+ s/);
  await letter.slab('Undo').click();
  await press(releaseNow(letter), letter.slab('Undo'));
  expect(await outcome(place, asked)).toBeUndefined();
  await press(letter.slab('Send now'), letter.verdict);
  expect(await outcome(place, asked)).toBe('Release now');
});

test('keys answer and undo: 1 and 2 pick a button, Ctrl and Z takes the answer back', async ({ place, openDevice }) => {
  const letter = new Letter(await openDevice('Laptop'));
  const { keyboard } = letter.page;
  const asked = await place.ask(RELEASE);
  await place.ask({ ...NEXT, actions: [{ name: 'refund', args: {}, allowed: ['approve', 'reject'] }] });
  await letter.open('Release 2.4 now?');
  const choice = letter.slab('Wait until Monday');
  await expect(async () => {
    if (await choice.isVisible()) await keyboard.press('2');
    await expect(choice).toBeHidden({ timeout: 2000 });
  }).toPass();
  await expect(line(letter.page)).toContainText('“Wait until Monday”');
  await keyboard.press('Control+z');
  await expect(letter.heading).toHaveText('Release 2.4 now?');
  expect(await outcome(place, asked)).toBeUndefined();
});

test('nothing can be undone when less than 15 s are left, or the setting says so', async ({ place, openDevice }) => {
  const letter = new Letter(await openDevice('Phone'));
  const late = await place.ask({ ...RELEASE, deadline: 16, latest: 16 });
  await letter.open('Release 2.4 now?');
  await press(releaseNow(letter), letter.verdict);
  expect(await outcome(place, late)).toBe('Release now');
  await goTo(letter.page, 'Settings');
  await letter.page.getByRole('combobox', { name: 'Undo', exact: true }).selectOption('is sent at once');
  const me = () => must<{ preferences: object }>(place.hub, 'GET /v1/people/me', { token: place.mara.token });
  await expect.poll(async () => (await me()).preferences).toMatchObject({ undoSeconds: 0 });
  const soon = await place.ask(RELEASE);
  await goTo(letter.page, 'Inbox');
  await letter.open('Release 2.4 now?');
  await press(releaseNow(letter), letter.verdict);
  expect(await outcome(place, soon)).toBe('Release now');
});
