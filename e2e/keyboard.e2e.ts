import type { Page } from '@playwright/test';
import { Letter } from './page/letter.ts';
import { pressAnyway } from './page/press.ts';
import { expect, testOnOneHub as test } from './page/scene.ts';

const CALL = {
  name: 'refund',
  args: { order: 'A-1077' },
  allowed: ['approve' as const, 'edit' as const, 'reject' as const],
};
const PHONE = { viewport: { width: 700, height: 800 } };

test('arrows walk the inbox and from letter to letter, Delete puts one away, ? shows every key', async ({
  place,
  openDevice,
}) => {
  const page = await openDevice('Laptop', PHONE);
  const letter = new Letter(page);
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
  await expect(letter.heading).toHaveText('First?');
  await page.locator('body').click({ position: { x: 2, y: 790 } });
  await keyboard.press('ArrowRight');
  await expect(letter.heading).toHaveText('Third?');
  await expect(letter.answer).toBeFocused();
  await keyboard.press('Escape');
  await keyboard.press('ArrowLeft');
  await expect(letter.heading).toHaveText('First?');
});

test('on a question for words all that is typed is the answer, and no letter declines it', async ({
  place,
  openDevice,
}) => {
  const letter = new Letter(await openDevice('Laptop'));
  const { keyboard } = letter.page;
  for (const ask of [
    { prompt: 'Which port?' },
    { questions: [{ id: 'port', type: 'text' as const, prompt: 'Port?' }] },
  ]) {
    const asked = await place.ask(ask);
    await letter.page.goto(`${place.origin}/i/${asked.id}`);
    await expect(letter.answer).toBeFocused();
    await keyboard.type('no idea, 5432?');
    await expect(letter.answer).toHaveValue('no idea, 5432?');
    await letter.page.locator('body').click({ position: { x: 2, y: 790 } });
    await keyboard.type('no');
    await expect(letter.slab('Send')).toBeEnabled();
    await letter.answer.focus();
    await keyboard.press('Control+Enter');
    await expect(letter.verdict).toHaveText('Atlas has your answer.');
    expect((await place.read(asked)).resolution).toMatchObject({ outcome: 'answered' });
  }
});

test('typed beside the field of a text, a form or something else, it lands there from the first letter', async ({
  place,
  openDevice,
}) => {
  const letter = new Letter(await openDevice('Laptop'));
  const { keyboard } = letter.page;
  const options = ['a', 'b', 'c', 'd'].map((value) => ({ value, label: value }));
  const schema = { type: 'object', required: ['port'], properties: { port: { type: 'string' } } };
  for (const ask of [
    { title: 'In words?' },
    { title: 'In a form?', questions: [{ id: 'q', type: 'form' as const, prompt: 'A form', schema }] },
    { title: 'Else?', questions: [{ id: 'q', type: 'choice' as const, prompt: 'One of', options, allowOther: true }] },
  ]) {
    const asked = await place.ask({ prompt: ask.title, ...ask });
    await letter.page.goto(`${place.origin}/i/${asked.id}`);
    await expect(letter.slab('Send')).toBeVisible();
    await expect(letter.sheet.getByRole('textbox').or(letter.sheet.getByRole('radio')).first()).toBeVisible();
    await letter.page.locator('body').click({ position: { x: 2, y: 790 } });
    await keyboard.type('no idea, 5432?');
    await expect(letter.sheet.getByRole('textbox')).toHaveValue('no idea, 5432?');
    await expect(letter.page.locator('dialog')).toHaveCount(0);
  }
});

test('Send with something missing brings the place into view and focuses it', async ({ place, openDevice }) => {
  const letter = new Letter(await openDevice('Laptop', { viewport: { width: 390, height: 600 } }));
  const options = Array.from({ length: 12 }, (_, at) => ({ value: `${at}`, label: `Option ${at + 1}` }));
  const questions = ['First?', 'Second?', 'Third?'].map((prompt, at) => ({
    id: `q${at}`,
    type: 'choice' as const,
    prompt,
    options,
  }));
  const asked = await place.ask({ title: 'Three at once', questions });
  await letter.page.goto(`${place.origin}/i/${asked.id}`);
  await letter.quiet('See all 3 at once').click();
  await letter.sheet.getByRole('radio', { name: 'Option 3' }).first().check();
  await letter.sheet.getByRole('radio').last().scrollIntoViewIfNeeded();
  const second = letter.sheet.getByRole('region', { name: 'Second?' });
  await pressAnyway(letter.slab('Send all 3'), second.locator(':focus'));
  const missing = second.getByRole('radio').first();
  await expect(missing).toBeFocused();
  await expect(missing).toBeInViewport();
});

test('1 approves, 2 rejects and e edits; in a batch each call in turn, and nothing leaves before Enter', async ({
  place,
  openDevice,
}) => {
  const letter = new Letter(await openDevice('Laptop'));
  const { keyboard } = letter.page;
  const one = await place.ask({ prompt: 'May I refund Anna?', actions: [CALL] });
  await letter.open('May I refund Anna?');
  await expect(letter.slab('Approve')).toBeVisible();
  await keyboard.press('2');
  await expect(letter.sheet.getByRole('textbox', { name: /Tell Atlas why/ })).toBeFocused();
  await keyboard.press('Escape');
  await keyboard.press('Escape');
  await expect(letter.quiet('Edit')).toBeVisible();
  await keyboard.press('e');
  await expect(letter.sheet.getByRole('textbox', { name: 'order' })).toBeFocused();
  await keyboard.press('Escape');
  await keyboard.press('Escape');
  await expect(letter.quiet('Edit')).toBeVisible();
  await expect(async () => {
    if (!(await letter.verdict.isVisible())) await keyboard.press('1');
    await expect(letter.verdict).toBeVisible({ timeout: 1000 });
  }).toPass();
  expect((await place.read(one)).resolution).toMatchObject({ answer: { decisions: [{ type: 'approve' }] } });

  const batch = await place.ask({ title: 'Three refunds', actions: [CALL, CALL, CALL] });
  await letter.page.goto(`${place.origin}/i/${batch.id}`);
  await expect(letter.slab('Reject all')).toBeVisible();
  await keyboard.press('1');
  await expect(letter.sheet.getByText('1 decided, 2 to go.')).toBeVisible();
  await keyboard.press('2');
  await expect(letter.sheet.getByText('2 decided, 1 to go.')).toBeVisible();
  await keyboard.press('y');
  expect((await place.read(batch)).resolution).toBeUndefined();
  await expect(letter.slab('Send all 3')).toBeEnabled();
  await expect(async () => {
    if (!(await letter.verdict.isVisible())) await keyboard.press('Enter');
    await expect(letter.verdict).toBeVisible({ timeout: 1000 });
  }).toPass();
  expect((await place.read(batch)).resolution).toMatchObject({
    answer: { decisions: [{ type: 'approve' }, { type: 'reject' }, { type: 'approve' }] },
  });
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
