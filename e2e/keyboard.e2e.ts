import type { Locator, Page } from '@playwright/test';
import { InquiryPage } from './page/inquiry.ts';
import { press, pressAnyway, pressKey } from './page/press.ts';
import { expect, testOnOneHub as test } from './page/scene.ts';

const CALL = {
  name: 'refund',
  args: { order: 'A-1077' },
  allowed: ['approve' as const, 'edit' as const, 'reject' as const],
};
const REPLIED = { ...CALL, allowed: [...CALL.allowed, 'respond' as const] };
/** Holds what decides elsewhere. */
const WORDS = 'no idea, 5432?';
const PHONE = { viewport: { width: 700, height: 800 } };

test('arrows walk the inbox and from inquiry to inquiry, Delete puts one away, ? shows every key', async ({
  place,
  openDevice,
}) => {
  const page = await openDevice('Laptop', PHONE);
  const inquiry = new InquiryPage(page);
  const { keyboard } = page;
  for (const [at, prompt] of ['First?', 'Second?', 'Third?'].entries())
    await place.ask({ prompt, deadline: 3600 * (at + 1) });
  const entry = (name: string) => page.getByRole('link', { name: new RegExp(name.replace('?', '\\?')) });
  await expect(entry('Third?')).toBeVisible();
  await openKeys(page);
  await keyboard.press('Escape');
  // Closing gives the focus back, a moment after it is out of sight.
  await expect(page.locator('dialog')).toHaveCount(0);
  await page.locator('body').focus();
  await keyboard.press('ArrowDown');
  await expect(entry('First?')).toBeFocused();
  await keyboard.press('ArrowDown');
  await expect(entry('Second?')).toBeFocused();
  await keyboard.press('Delete');
  await expect(page.getByText('Hidden on this device (1)')).toBeVisible();
  await expect(entry('Third?')).toBeFocused();
  await keyboard.press('ArrowUp');
  await keyboard.press('Enter');
  await expect(inquiry.heading).toHaveText('First?');
  await page.locator('body').click({ position: { x: 2, y: 790 } });
  await keyboard.press('ArrowRight');
  await expect(inquiry.heading).toHaveText('Third?');
  await expect(inquiry.answer).toBeFocused();
  await keyboard.press('Escape');
  await keyboard.press('ArrowLeft');
  await expect(inquiry.heading).toHaveText('First?');
});

test('on a question for words all that is typed is the answer, and no letter declines it', async ({
  place,
  openDevice,
}) => {
  const inquiry = new InquiryPage(await openDevice('Laptop'));
  const { keyboard } = inquiry.page;
  for (const ask of [
    { prompt: 'Which port?' },
    { questions: [{ id: 'port', type: 'text' as const, prompt: 'Port?' }] },
  ]) {
    const asked = await place.ask(ask);
    await inquiry.page.goto(`${place.origin}/i/${asked.id}`);
    await expect(inquiry.answer).toBeFocused();
    await keyboard.type('no idea, 5432?');
    await expect(inquiry.answer).toHaveValue('no idea, 5432?');
    await inquiry.page.locator('body').click({ position: { x: 2, y: 790 } });
    await keyboard.type('no');
    await expect(inquiry.button('Send')).toBeEnabled();
    await inquiry.answer.focus();
    await pressKey(inquiry.page, 'Control+Enter', inquiry.verdict.filter({ hasText: 'Atlas has your answer.' }));
    expect((await place.read(asked)).resolution).toMatchObject({ outcome: 'answered' });
  }
});

test('typed beside the field of a text, a form or something else, it lands there from the first letter', async ({
  place,
  openDevice,
}) => {
  const inquiry = new InquiryPage(await openDevice('Laptop'));
  const options = ['a', 'b', 'c', 'd'].map((value) => ({ value, label: value }));
  const schema = { type: 'object', required: ['port'], properties: { port: { type: 'string' } } };
  for (const ask of [
    { title: 'In words?' },
    { title: 'In a form?', questions: [{ id: 'q', type: 'form' as const, prompt: 'A form', schema }] },
    { title: 'Else?', questions: [{ id: 'q', type: 'choice' as const, prompt: 'One of', options, allowOther: true }] },
  ]) {
    const asked = await place.ask({ prompt: ask.title, ...ask });
    await inquiry.page.goto(`${place.origin}/i/${asked.id}`);
    await expect(inquiry.button('Send')).toBeVisible();
    await expect(inquiry.panel.getByRole('textbox').or(inquiry.panel.getByRole('radio')).first()).toBeVisible();
    await typeBeside(inquiry, inquiry.panel.getByRole('textbox'));
  }
});

test('on a call that may be replied to, letters begin the reply and decide nothing', async ({ place, openDevice }) => {
  const inquiry = new InquiryPage(await openDevice('Laptop'));
  const reply = inquiry.panel.getByRole('textbox');
  const one = await place.ask({ prompt: 'May I refund Anna?', actions: [REPLIED] });
  await inquiry.page.goto(`${place.origin}/i/${one.id}`);
  await expect(inquiry.button('Approve')).toBeVisible();
  await typeBeside(inquiry, reply);
  await inquiry.page.keyboard.press('Escape');
  await inquiry.page.keyboard.press('Escape');
  await pressKey(inquiry.page, 'Control+Enter', inquiry.verdict);
  expect((await place.read(one)).resolution).toMatchObject({ answer: { decisions: [{ type: 'approve' }] } });

  const batch = await place.ask({ title: 'Two refunds', actions: [REPLIED, CALL] });
  await inquiry.page.goto(`${place.origin}/i/${batch.id}`);
  await inquiry.panel.locator('#call-1').getByText('Reject').click();
  await typeBeside(
    inquiry,
    inquiry.panel.getByRole('textbox'),
    inquiry.panel.locator('#call-1').getByRole('button').last(),
  );
  await inquiry.page.keyboard.press('Escape');
  await inquiry.panel.locator('#call-0').focus();
  await inquiry.page.keyboard.type('yes no e1?');
  await expect(inquiry.panel.getByText('1 decided, 1 to go.')).toBeVisible();
  await expect(reply).toHaveValue(WORDS);
});

test('beside a document, and where all questions stand together, letters are written where they are meant', async ({
  place,
  openDevice,
}) => {
  const inquiry = new InquiryPage(await openDevice('Laptop'));
  const { page, panel } = inquiry;
  const gaps = await place.ask({ title: 'Fill this in', document: { markdown: 'When?\n\nWhere?\n' } });
  await page.goto(`${place.origin}/i/${gaps.id}`);
  await expect(inquiry.answer).toBeVisible();
  await expect(async () => {
    await page.locator('body').click({ position: { x: 2, y: 790 } });
    await page.keyboard.type('no idea?');
    await expect(panel.getByText('1 of 2 gaps filled.', { exact: true })).toBeVisible({ timeout: 2000 });
  }).toPass();
  await inquiry.heading.click();
  await page.keyboard.type('e1');
  await expect(inquiry.answer).toHaveText(/^When\?.*idea\?e1.*Where\?/s);

  const options = [
    { value: 'a', label: 'Apples' },
    { value: 'b', label: 'Pears' },
  ];
  const questions = [
    { id: 'fruit', type: 'choice' as const, prompt: 'Which?', options },
    { id: 'why', type: 'text' as const, prompt: 'Why?' },
  ];
  const all = await place.ask({ title: 'Two things', questions });
  await page.goto(`${place.origin}/i/${all.id}`);
  await inquiry.quiet('See all 2 at once').click();
  await panel.getByRole('textbox').click();
  await typeBeside(inquiry, panel.getByRole('textbox'));
  await panel.getByRole('radio', { name: 'Pears' }).check();
  await page.keyboard.type('no 1?');
  await expect(panel.getByRole('textbox')).toHaveValue(WORDS);
  await expect(panel.getByRole('radio', { name: 'Pears' })).toBeChecked();
  await expect(page.locator('dialog')).toHaveCount(0);
});

test('typing that runs on when the next question comes does nothing to it', async ({ place, openDevice }) => {
  const inquiry = new InquiryPage(await openDevice('Laptop'));
  const { page } = inquiry;
  const text = await place.ask({ prompt: 'What shall we call it?' });
  const one = await place.ask({ prompt: 'May I refund Anna?', actions: [CALL] });
  await page.goto(`${place.origin}/i/${text.id}`);
  await inquiry.answer.fill('Wren');
  await page.evaluate(TYPE_WHEN_SHOWN, 'Approve');
  await press(inquiry.button('Send'), inquiry.heading.filter({ hasText: 'May I refund Anna?' }));
  await page.waitForFunction(() => (globalThis as { typed?: boolean }).typed);
  await expect(inquiry.button('Approve')).toBeVisible();
  await expect(inquiry.panel.getByRole('textbox')).toHaveCount(0);
  await expect(page.locator('dialog')).toHaveCount(0);
  expect((await place.read(one)).resolution).toBeUndefined();
  await pressKey(page, 'e', inquiry.panel.getByRole('textbox', { name: 'order' }));
});

// Types in the very moment in which a button shows, and is at work when `evaluate` returns.
const TYPE_WHEN_SHOWN = (words: string): void => {
  Object.assign(globalThis, { typed: false });
  new MutationObserver((_, observer) => {
    if (![...document.querySelectorAll('main button')].some(({ textContent }) => textContent?.startsWith(words)))
      return;
    observer.disconnect();
    for (const key of ['e', 'n', '?', 'y', 'Enter'])
      document.body.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }));
    Object.assign(globalThis, { typed: true });
  }).observe(document.body, { childList: true, subtree: true });
};

// Types beside a field until all of it stands there: keys wait for a pause in typing, and the fields are cleared for it.
async function typeBeside(inquiry: InquiryPage, field: Locator, from?: Locator): Promise<void> {
  const { page } = inquiry;
  await expect(async () => {
    if (await field.isVisible()) await field.fill('');
    if (from) await from.focus();
    else await page.locator('body').click({ position: { x: 2, y: 790 } });
    await page.keyboard.type(WORDS);
    await expect(field).toHaveValue(WORDS, { timeout: 2000 });
  }).toPass();
  await expect(page.locator('dialog')).toHaveCount(0);
}

test('Send with something missing brings the place into view and focuses it', async ({ place, openDevice }) => {
  const inquiry = new InquiryPage(await openDevice('Laptop', { viewport: { width: 390, height: 600 } }));
  const options = Array.from({ length: 12 }, (_, at) => ({ value: `${at}`, label: `Option ${at + 1}` }));
  const questions = ['First?', 'Second?', 'Third?'].map((prompt, at) => ({
    id: `q${at}`,
    type: 'choice' as const,
    prompt,
    options,
  }));
  const asked = await place.ask({ title: 'Three at once', questions });
  await inquiry.page.goto(`${place.origin}/i/${asked.id}`);
  await inquiry.quiet('See all 3 at once').click();
  await inquiry.panel.getByRole('radio', { name: 'Option 3' }).first().check();
  await inquiry.panel.getByRole('radio').last().scrollIntoViewIfNeeded();
  const second = inquiry.panel.getByRole('region', { name: 'Second?' });
  await pressAnyway(inquiry.button('Send all 3'), second.locator(':focus'));
  const missing = second.getByRole('radio').first();
  await expect(missing).toBeFocused();
  await expect(missing).toBeInViewport();
});

test('1 approves, 2 rejects and e edits; in a batch each call in turn, and nothing leaves before Enter', async ({
  place,
  openDevice,
}) => {
  const inquiry = new InquiryPage(await openDevice('Laptop'));
  const { keyboard } = inquiry.page;
  const one = await place.ask({ prompt: 'May I refund Anna?', actions: [CALL] });
  await inquiry.open('May I refund Anna?');
  await expect(inquiry.button('Approve')).toBeVisible();
  const why = inquiry.panel.getByRole('textbox', { name: /Tell Atlas why/ });
  await pressKey(inquiry.page, '2', why);
  await expect(why).toBeFocused();
  await keyboard.press('Escape');
  await keyboard.press('Escape');
  await expect(inquiry.quiet('Edit')).toBeVisible();
  await keyboard.press('e');
  await expect(inquiry.panel.getByRole('textbox', { name: 'order' })).toBeFocused();
  await keyboard.press('Escape');
  await keyboard.press('Escape');
  await expect(inquiry.quiet('Edit')).toBeVisible();
  await pressKey(inquiry.page, '1', inquiry.verdict);
  expect((await place.read(one)).resolution).toMatchObject({ answer: { decisions: [{ type: 'approve' }] } });

  const batch = await place.ask({ title: 'Three refunds', actions: [CALL, CALL, CALL] });
  await inquiry.page.goto(`${place.origin}/i/${batch.id}`);
  await expect(inquiry.button('Reject all none runs')).toBeVisible();
  await pressKey(inquiry.page, '1', inquiry.panel.getByText('1 decided, 2 to go.'));
  await keyboard.press('2');
  await expect(inquiry.panel.getByText('2 decided, 1 to go.')).toBeVisible();
  await keyboard.press('y');
  expect((await place.read(batch)).resolution).toBeUndefined();
  await expect(inquiry.button('Send all 3')).toBeEnabled();
  await pressKey(inquiry.page, 'Enter', inquiry.verdict);
  expect((await place.read(batch)).resolution).toMatchObject({
    answer: { decisions: [{ type: 'approve' }, { type: 'reject' }, { type: 'approve' }] },
  });
});

test('[PAG2] a held key acts once, and Escape and Enter do nothing yet in an inquiry that nobody opened', async ({
  place,
  openDevice,
}) => {
  const page = await openDevice('Laptop', PHONE);
  const inquiry = new InquiryPage(page);
  const { keyboard } = page;
  const hold = async (key: string) => {
    for (let times = 0; times < 8; times++) await keyboard.down(key);
    await keyboard.up(key);
  };
  const entry = (name: string) => page.getByRole('link', { name: new RegExp(name.replace('?', '\\?')) });
  const inRun = (title: string) => ({ title, actions: [{ ...CALL, args: { order: title } }], context: { runId: 'r' } });
  await place.ask({ ...inRun('First call?'), deadline: 3600 });
  const second = await place.ask({ ...inRun('Second call?'), deadline: 7200 });
  for (const prompt of ['Red?', 'Blue?', 'Green?']) await place.ask({ prompt, deadline: 7200 });
  await inquiry.open('First call?');
  await expect(inquiry.button('Approve')).toBeVisible();
  const next = page.getByRole('heading', { name: 'Second call?' });
  await pressKey(page, 'y', next);
  await keyboard.press('Escape');
  await expect(next).toBeVisible();
  await expect(page.locator('.panel.is-arriving')).toHaveCount(0);
  await inquiry.button('Approve').focus();
  await hold('Enter');
  await keyboard.press('Escape');
  await entry('Red?').focus();
  await hold('Delete');
  await expect(page.getByText('Hidden on this device (1)')).toBeVisible();
  await page.reload();
  await expect(entry('Second call?')).toBeVisible();
  expect((await place.read(second)).resolution).toBeUndefined();
});

test('what comes, is taken back or expires is said aloud once', async ({ place, openDevice }) => {
  const page = await openDevice('Laptop', PHONE);
  const said = (words: string) => page.getByRole('status').filter({ hasText: words });
  await openKeys(page);
  await page.keyboard.press('Escape');
  const open = await place.ask({ prompt: 'Is it raining?' });
  await expect(said('Atlas asks: Is it raining?')).toHaveCount(1);
  await place.withdraw(open);
  await expect(said('Withdrawn: Is it raining?')).toHaveCount(1);
  await place.ask({ prompt: 'Now?', deadline: 2, latest: 2 });
  await expect(said('Expired, nobody answered: Now?')).toHaveCount(1);
});

// What listens for keys is fetched after the page.
async function openKeys(page: Page): Promise<void> {
  await expect(async () => {
    await page.keyboard.press('?');
    await expect(page.getByRole('dialog', { name: 'Keys' })).toBeVisible({ timeout: 500 });
  }).toPass();
}
