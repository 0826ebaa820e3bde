import type { Page } from '@playwright/test';
import type { Ask, Inquiry } from '#shared/inquiry.ts';
import { must } from './hub/call.ts';
import { addSource } from './hub/people.ts';
import { InquiryPage } from './page/inquiry.ts';
import { button } from './page/press.ts';
import { expect, type Place, test as testOnItsHub, testOnOneHub as test } from './page/scene.ts';

const PHONE = { viewport: { width: 390, height: 844 } };

const call = (command: string, run: string): Ask => ({
  actions: [{ name: 'Bash', args: { command }, allowed: ['approve', 'reject'] }],
  context: { runId: run, cwd: '~/code/shop' },
  deadline: 3600,
});

test('a run is decided from its head: its list shows each call whole and says what is not in it, and leaves with an undo', async ({
  place,
  openDevice,
}) => {
  await setUndo(place, 10);
  const page = await openDevice('Phone', PHONE);
  const asked = await askAll(place, 6, (at) => call(`npm test -- part-${at}`, 'run 482'));
  const write: Ask = { actions: [{ name: 'Write', args: { path: 'a.ts' }, allowed: ['approve', 'reject'] }] };
  asked.push(await place.ask({ ...write, context: { runId: 'run 482' }, deadline: 3600 }));
  const run = { context: { runId: 'run 482' }, deadline: 3600 };
  const cautious = await place.ask({
    title: 'Drop it',
    ...run,
    actions: [{ name: 'Bash', args: {}, allowed: ['approve'], caution: true }],
  });
  await place.ask({ prompt: 'Which port?', ...run });
  await button(page, 'Reject, Atlas, run 482').click();
  await page.getByRole('dialog', { name: 'Reject these 7 calls?' }).getByRole('button', { name: 'Cancel' }).click();
  await button(page, 'Approve 7, Atlas, run 482').click();
  const dialog = page.getByRole('dialog');
  await expect(dialog.getByRole('heading')).toHaveText('Approve these 7 calls?');
  await expect(dialog.getByText('Not in it: 1 call marked caution.')).toBeVisible();
  await dialog.getByRole('button', { name: 'Leave call 7 out' }).click();
  await dialog.getByRole('listitem').last().scrollIntoViewIfNeeded();
  await send(page, 'Approve 6');
  const receipt = page.getByRole('complementary').filter({ hasText: 'Approved 6 calls' });
  await receipt.getByRole('button', { name: 'See them' }).click();
  const seen = page.getByRole('dialog', { name: 'Approved 6 calls' });
  await expect(seen.getByRole('link')).toHaveCount(6);
  await button(seen, 'Close').click();
  await receipt.getByRole('button', { name: 'Undo' }).click();
  await expect(button(page, 'Approve 7, Atlas, run 482')).toBeVisible();
  for (const one of [...asked, cautious]) expect((await place.read(one)).resolution).toBeUndefined();
  await setUndo(place, 0);
  await page.getByRole('button', { name: 'Select', exact: true }).click();
  await page.getByRole('checkbox', { name: /part-0/ }).check();
  await page.getByRole('button', { name: /^Show \d more$/ }).click();
  await expect(page.getByRole('button', { name: 'Like the first 6' })).toBeVisible();
  await page.getByRole('button', { name: 'All 7 of this run' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('7 selected');
  await expect(page.getByRole('checkbox', { name: /Drop it/ })).toBeDisabled();
  await page.getByRole('checkbox', { name: /part-1/ }).uncheck();
  await expect(page.getByText('6 calls of this run. Atlas, run 482.')).toBeVisible();
  await button(page, 'Reject 6').click();
  await send(page, 'Reject 6');
  await expect(page.getByRole('heading', { level: 1 })).not.toContainText('selected');
  const rejected = { answer: { decisions: [{ type: 'reject' }] } };
  for (const [at, one] of asked.entries())
    if (at !== 1) await expect.poll(async () => (await place.read(one)).resolution).toMatchObject(rejected);
  expect((await place.read(asked[1]!)).resolution).toBeUndefined();
});

test('questions of several sources are selected and declined together, each shown before', async ({
  place,
  openDevice,
}) => {
  const page = await openDevice('Phone', PHONE);
  const other = await addSource(place.hub, place.mara, 'Travel desk');
  const asked = await askAll(place, 6, (at) => ({ prompt: `Which port of ${at}?`, deadline: 3600 }));
  const theirs = await must<Inquiry>(place.hub, 'POST /v1/inquiries', {
    token: other.key,
    body: { title: 'Which train?', prompt: 'Before noon, or after?', deadline: 3600 },
  });
  await place.ask({ ...call('npm ci', 'run 1'), title: 'Install it' });
  await page.getByRole('button', { name: 'Select', exact: true }).click();
  await page.getByRole('checkbox', { name: /Which port of 0/ }).check();
  await expect(page.getByRole('checkbox', { name: /Install it/ })).toBeDisabled();
  await expect(page.getByText('A call: approve or reject it')).toBeVisible();
  await page.getByRole('button', { name: 'All questions 7' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('7 selected');
  await button(page, 'Decline 7').click();
  const dialog = page.getByRole('dialog', { name: 'Decline these 7 questions?' });
  await expect(dialog.getByRole('listitem').filter({ hasText: 'Which train?' })).toContainText(
    'Before noon, or after?',
  );
  await send(page, 'Decline 7');
  for (const one of asked) await expect.poll(async () => (await place.read(one)).resolution?.outcome).toBe('declined');
  const read = () => must<Inquiry>(place.hub, `GET /v1/inquiries/${theirs.id}`, { token: other.key });
  await expect.poll(async () => (await read()).resolution?.outcome).toBe('declined');
});

test('a selection takes only like calls, one can be left out, and what others answered meanwhile is struck out', async ({
  place,
  openDevice,
}) => {
  const page = await openDevice('Phone', PHONE);
  const [first, second, third] = await askAll(place, 5, (at) => call(`npm run part-${at}`, 'run 7'));
  await place.ask({ title: 'Drop it', actions: [{ name: 'Bash', args: {}, allowed: ['approve'], caution: true }] });
  await place.ask({ title: 'Write it', actions: [{ name: 'Write', args: {}, allowed: ['approve'] }] });
  await place.ask({ prompt: 'Which port?' });
  await page.getByRole('button', { name: 'Select', exact: true }).click();
  await page.getByRole('checkbox', { name: /part-0/ }).check();
  await expect(page.getByRole('checkbox', { name: /Drop it/ })).toBeDisabled();
  await expect(page.getByText('Caution: decide it by itself')).toBeVisible();
  await expect(page.getByText('A question: decide it by itself')).toBeVisible();
  await expect(page.getByText('Not like the others')).toBeVisible();
  await page.getByRole('button', { name: 'Like the first 5' }).click();
  await button(page, 'Reject 5').click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: 'Leave call 2 out' }).click();
  await expect(dialog.getByRole('heading', { name: 'Reject these 4 calls?' })).toBeVisible();
  await answerElsewhere(place, third);
  await expect(dialog.getByText('No longer waits')).toBeVisible();
  await send(page, 'Reject 3');
  expect((await place.read(first as never, 10)).resolution?.answer?.decisions).toEqual([{ type: 'reject' }]);
  expect((await place.read(second as never)).resolution).toBeUndefined();
  expect((await place.read(third as never)).resolution?.answer?.decisions).toEqual([{ type: 'approve' }]);
});

test('nothing can be decided together while the rules cannot be read, and the page offers to read them again', async ({
  place,
  openDevice,
}) => {
  const page = await openDevice('Phone', PHONE);
  await askAll(place, 8, (at) => call(`npm run part-${at}`, 'run 7'));
  const fails = '**/v1/policies*';
  await page.route(fails, (route) => route.fulfill({ status: 500, json: { title: 'Broken' } }));
  await page.getByRole('button', { name: 'Select', exact: true }).click();
  await page.getByRole('checkbox', { name: /part-0/ }).check();
  const chosen = page.getByRole('region', { name: 'Selection' });
  await expect(chosen).toContainText('Your rules could not be read, so nothing can be decided together.');
  const decide = chosen.getByRole('button', { name: /^(Approve|Reject)/ });
  await expect(decide).toHaveCount(0);
  await page.unroute(fails);
  await chosen.getByRole('button', { name: 'Try again' }).click();
  await expect(decide).toHaveCount(2);
  await expect(chosen).not.toContainText('Your rules could not be read');
});

testOnItsHub(
  'at 50 open a phone shows seven rows, and the list is where it was after a question',
  async ({ place, openDevice }) => {
    const page = await openDevice('Phone', PHONE);
    await askAll(place, 50, (at) => call(`npm run part-${at}`, `run ${at % 10}`));
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(/^50 wait/);
    const banner = page.getByRole('status').getByRole('button', { name: /^(OK|Not now)$/ });
    const inView = page.locator('.row').filter({ visible: true });
    await expect(async () => {
      if (await banner.first().isVisible()) await banner.first().click({ timeout: 2000 });
      const places = (await page.getByRole('navigation').boundingBox())?.y ?? 0;
      const bottoms = await inView.evaluateAll((rows) => rows.map((row) => row.getBoundingClientRect().bottom));
      expect(bottoms.filter((bottom) => bottom <= places).length).toBeGreaterThanOrEqual(7);
    }).toPass();
    const row = page.getByRole('link', { name: /part-17/ });
    await row.evaluate((element) => element.scrollIntoView({ block: 'center' }));
    const before = await topOf(page, /part-17/);
    await row.click();
    await expect(new InquiryPage(page).heading).toBeVisible();
    await page.goBack();
    await expect(async () => expect(Math.abs((await topOf(page, /part-17/)) - before)).toBeLessThan(3)).toPass();
    await row.click();
    await page.getByRole('link', { name: /50 wait/ }).click();
    await expect(async () => expect(Math.abs((await topOf(page, /part-17/)) - before)).toBeLessThan(3)).toPass();
  },
);

test('filters and words narrow the list, and what is urgent stands first', async ({ place, openDevice }) => {
  const page = await openDevice('Laptop', { viewport: { width: 1280, height: 800 } });
  // First, so that it is open: else a banner announces it over the list.
  await place.ask({ prompt: 'Release now?', urgency: 'high', deadline: 7200 });
  await expect(new InquiryPage(page).heading).toHaveText('Release now?');
  await askAll(place, 12, (at) => call(`npm run part-${at}`, 'run 1'));
  await place.ask({ prompt: 'Which port?', deadline: 600 });
  const index = page.getByRole('complementary', { name: /waiting|Waiting/ });
  await expect(index.locator('.row').first()).toContainText(/^Question, urgent: Release now\?.*Urgent/s);
  const filters = index.getByRole('group', { name: 'Show' }).getByRole('button');
  await expect(filters).toHaveText(['All', 'Urgent 1', 'Due soon 1', 'Approvals 12', 'Questions 2']);
  const tops = await filters.evaluateAll((all) => all.map((one) => one.getBoundingClientRect().top));
  expect(new Set(tops).size, 'lines of the filters').toBe(1);
  await expect(index.getByRole('region', { name: 'Urgent and due soon' }).getByRole('listitem')).toHaveCount(2);
  await index.getByRole('button', { name: 'Urgent 1' }).click();
  await expect(index.locator('.row')).toHaveCount(1);
  await index.getByRole('button', { name: 'All', exact: true }).click();
  await index.getByRole('searchbox').fill('part-11');
  await expect(index.locator('.row')).toHaveCount(1);
  await index.getByRole('searchbox').fill('nothing like it');
  await expect(index.getByText('Nothing of what waits fits.')).toBeVisible();
  await index.getByRole('button', { name: 'Clear' }).click();
  await expect(index.getByRole('searchbox')).toHaveValue('');
  await index.getByRole('button', { name: 'Filter' }).click();
  await page.getByRole('combobox', { name: 'Kind' }).selectOption('Questions');
  await button(page.getByRole('dialog'), 'Close').click();
  await expect(index.locator('.row')).toHaveCount(2);
});

test('j and k walk the list on a desktop, and the open row is always in view', async ({ place, openDevice }) => {
  const page = await openDevice('Laptop', { viewport: { width: 1280, height: 600 } });
  await askAll(place, 24, (at) => call(`npm run part-${at}`, `run ${at % 2}`));
  const current = page.locator('.row[aria-current]');
  await expect(current).toContainText('part-0');
  for (let step = 0; step < 15; step += 1) {
    const before = await current.textContent();
    await page.keyboard.press('j');
    await expect(current).not.toHaveText(before ?? '');
    await expect(current).toBeInViewport({ ratio: 0.95 });
  }
  const there = await current.textContent();
  await page.keyboard.press('j');
  await expect(current).not.toHaveText(there ?? '');
  await page.keyboard.press('k');
  await expect(current).toHaveText(there ?? '');
});

test('what is decided together without a line waits and leaves by itself', async ({ place, openDevice }) => {
  const page = await openDevice('Phone', PHONE);
  const asked = await askAll(place, 7, (at) => call(`npm run part-${at}`, 'run 3'));
  await button(page, 'Reject, Atlas, run 3').click();
  await expect(page.getByRole('dialog', { name: 'Reject these 7 calls?' })).toBeVisible();
  await page.context().setOffline(true);
  await expect(page.getByText(/^Offline since/)).toBeVisible({ timeout: 30_000 });
  await send(page, 'Reject 7');
  await expect(page.getByText('7 answers')).toBeVisible();
  await page.context().setOffline(false);
  for (const one of asked)
    expect((await place.read(one, 20)).resolution?.answer?.decisions).toEqual([{ type: 'reject' }]);
});

test('500 open questions draw few rows, and more on demand', async ({ place, openDevice }) => {
  const page = await openDevice('Phone', PHONE);
  await askAll(place, 500, (at) => call(`npm run part-${at}`, `run ${at % 4}`));
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(/^500 wait/);
  await expect(page.locator('.row')).toHaveCount(20);
  await page.getByRole('button', { name: 'Show 120 more' }).first().click();
  await expect(page.locator('.row')).toHaveCount(70);
});

async function askAll(place: Place, count: number, ask: (at: number) => Ask) {
  const asked = [];
  for (let at = 0; at < count; at += 1) asked.push(await place.ask(ask(at)));
  return asked;
}

function answerElsewhere(place: Place, inquiry: { id: string; digest: string } | undefined) {
  return must(place.hub, `POST /v1/inquiries/${inquiry?.id}/answer`, {
    token: place.mara.token,
    body: { decisions: [{ type: 'approve' }], digest: inquiry?.digest },
  });
}

// A dialog that has just come takes no press in its first moment.
async function send(page: Page, words: string): Promise<void> {
  const pressed = button(page.getByRole('dialog'), words);
  await expect(pressed).toBeVisible();
  await expect(async () => {
    // A pointer that has not left presses nothing.
    await page.mouse.move(2, 2);
    if (await pressed.isVisible()) await pressed.click({ timeout: 1000 });
    await expect(page.getByRole('dialog')).toHaveCount(0, { timeout: 1000 });
  }).toPass();
}

const setUndo = ({ hub, mara }: Place, undoSeconds: number) =>
  must(hub, 'PATCH /v1/people/me', { token: mara.token, body: { preferences: { undoSeconds } } });

async function topOf(page: Page, name: RegExp): Promise<number> {
  return (await page.getByRole('link', { name }).boundingBox())?.y ?? Number.NaN;
}
