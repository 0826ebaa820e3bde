import type { Locator, Page } from '@playwright/test';
import type { Action } from '#shared/inquiry.ts';
import type { Decider, SourceDecider } from '#shared/policies/decider.ts';
import type { Source } from '#shared/wire.ts';
import { must } from './hub/call.ts';
import { startModel, type Model } from './hub/model.ts';
import { faultsOf } from './page/axe.ts';
import { InquiryPage } from './page/inquiry.ts';
import { press, button } from './page/press.ts';
import { expect, type Place, test as base } from './page/scene.ts';
import { goTo } from './page/sign-in.ts';
import { SIZES } from './page/sizes.ts';

const WORDS = 'A new machine leaves today, Anna.';

const test = base.extend<{ model: Model }>({
  // eslint-disable-next-line no-empty-pattern -- Playwright reads the fixtures it needs from this pattern
  async model({}, use) {
    const model = await startModel({ text: WORDS });
    await use(model);
    model.close();
  },
});

/** A decider called Helper, chosen for the source. */
async function helper(
  place: Place,
  { url }: Model,
  may: Partial<SourceDecider> = {},
  holdSeconds = 300,
): Promise<Decider> {
  const { hub, mara, source } = place;
  const body = { kind: 'chat', name: 'Helper', url, model: 'qwen-3', instructions: 'Be kind.', holdSeconds };
  const decider = await must<Decider>(hub, 'POST /v1/deciders', { token: mara.token, body });
  await must(hub, `PATCH /v1/sources/${source.source.id}`, {
    token: mara.token,
    body: { decider: { id: decider.id, suggests: false, actions: false, agentMayAsk: false, ...may } },
  });
  return decider;
}

const holdOf = (page: Page): Locator => page.getByRole('region', { name: 'Helper will answer' });

for (const [size, viewport] of Object.entries(SIZES)) {
  test(`[POL8] the owner makes a decider, tries it, and chooses what it may do for a source, on a ${size}`, async ({
    place,
    openDevice,
    model,
  }) => {
    const page = await openDevice('Mine', { viewport });
    await goTo(page, 'Automation');
    await page.getByRole('link', { name: 'New stand-in' }).click();
    await page.getByLabel('Name, shown wherever it suggests or decides').fill('Helper');
    await page.getByLabel('Address of its API, up to /v1').fill(model.url);
    await page.getByLabel('Key (empty: none)').fill('sk-one');
    await page.getByLabel('Instructions, in your words').fill('Be kind.');
    await button(page, 'Save').click();
    await expect(page.getByRole('alert')).toContainText('model');
    await page.getByLabel('Model').fill('qwen-3');
    await button(page, 'Save').click();
    const head = page.getByRole('heading', { level: 1 });
    await expect(head).toHaveText('Helper is saved. For whom?');
    const atlas = page.getByRole('listitem').filter({ hasText: 'Atlas' });
    await press(
      atlas.getByRole('switch', { name: 'Atlas' }),
      atlas.getByText('Helper may be asked, suggests answers.'),
    );
    expect(await faultsOf(page)).toEqual([]);
    await page.getByRole('button', { name: 'What it may do: Atlas' }).click();
    const dialog = page.getByRole('dialog', { name: 'Who stands in for people at Atlas?' });
    await dialog.getByLabel('It may decide calls of tools').check();
    expect(await faultsOf(page)).toEqual([]);
    await button(dialog, 'Save').click();
    await expect(atlas.getByText('may decide calls')).toBeVisible();

    await goTo(page, 'Automation');
    await expect(head).toHaveText('1 stand-in is on.');
    await expect(page.getByText('Helper suggests answers to Atlas')).toBeVisible();
    const turn = page.getByRole('switch', { name: 'Helper' });
    await turn.click();
    await expect(turn).not.toBeChecked();
    await place.ask({ prompt: 'And nobody stands in?' });
    await turn.click();
    await expect(turn).toBeChecked();
    await page.getByRole('link', { name: 'Edit: Helper' }).click();
    await page.getByRole('button', { name: 'Test: Helper' }).click();
    await expect(page.getByText(`Helper answered: “${WORDS}”`)).toBeVisible();
    await expect(page.getByText('42 tokens sent, 7 came back')).toBeVisible();
    expect(model.asked).toMatchObject([{ authorization: 'Bearer sk-one', body: { model: 'qwen-3' } }]);
    await expect(page.getByText('sk-one')).toHaveCount(0);
    expect(await faultsOf(page)).toEqual([]);
    const { items } = await must<{ items: Source[] }>(place.hub, 'GET /v1/sources', { token: place.mara.token });
    const { decider } = items.find(({ id }) => id === place.source.source.id)!;
    expect(decider).toMatchObject({ suggests: true, actions: true, agentMayAsk: false });
  });
}

test('[POL8] a proposal joins while the person types, and overwrites nothing', async ({ place, openDevice, model }) => {
  await helper(place, model, { suggests: true });
  const answer = model.hold();
  const page = await openDevice('Phone', { viewport: SIZES.phone });
  const inquiry = new InquiryPage(page);
  const asked = await place.ask({ prompt: 'What shall I write to Anna?' });
  await inquiry.open('What shall I write to Anna?');
  await inquiry.answer.fill('Sorry about the wait, Anna.');
  answer();
  await expect(inquiry.panel.getByText('Helper suggests')).toBeVisible();
  await expect(inquiry.answer).toHaveValue('Sorry about the wait, Anna.');
  await expect(inquiry.answer).toBeFocused();
  expect(await faultsOf(page)).toEqual([]);
  await inquiry.quiet('What it was sent').click();
  const runs = page.getByRole('dialog', { name: 'What it was sent' });
  await expect(runs.getByText('Be kind.')).toBeVisible();
  await button(runs, 'Close').click();
  await inquiry.button('Use this').click();
  await expect(inquiry.answer).toHaveValue(WORDS);
  await inquiry.decide('Send');
  expect((await place.read(asked)).resolution).toMatchObject({
    text: WORDS,
    by: { kind: 'person', handle: 'mara' },
  });
});

test('[POL9] a hold of what was taken over can be stopped, and covers no words kept over a reload', async ({
  place,
  openDevice,
  model,
}) => {
  await helper(place, model, { suggests: true });
  const page = await openDevice('Phone', { viewport: SIZES.phone });
  const inquiry = new InquiryPage(page);
  const asked = await place.ask({ prompt: 'What shall I write to Anna?' });
  await inquiry.open('What shall I write to Anna?');
  await inquiry.button('Use this').click();
  await expect(inquiry.answer).toHaveValue(WORDS);
  const stop = inquiry.quiet('Stop, decide later');
  await press(inquiry.quiet('Let Helper decide'), stop);
  await page.reload();
  await expect(inquiry.answer).toHaveValue(WORDS);
  await expect(stop).toBeVisible();
  await expect(holdOf(page)).toHaveCount(0);
  await stop.click();
  await expect(stop).toHaveCount(0);
  expect((await place.read(asked)).resolution).toBeUndefined();
});

test('[POL8] nothing is suggested for a secret, nor for caution', async ({ place, openDevice, model }) => {
  await helper(place, model, { suggests: true, actions: true });
  await place.ask({ title: 'The key?', questions: [{ id: 'k', type: 'text', prompt: 'The key?', secret: true }] });
  await place.ask({
    prompt: 'May I wipe?',
    actions: [{ name: 'rm', args: {}, allowed: ['approve', 'reject'], caution: true }],
  });
  const inquiry = new InquiryPage(await openDevice('Phone'));
  for (const title of ['The key?', 'May I wipe?']) {
    await inquiry.open(title);
    await expect(inquiry.panel.getByText('one device').first()).toBeVisible();
    await expect(inquiry.quiet('Let Helper decide')).toHaveCount(0);
    await goTo(inquiry.page, 'Inbox');
  }
  expect(model.asked).toEqual([]);
});

test('[POL9] a hold shows on two devices of the person, and stopped on one it is gone from both', async ({
  place,
  openDevice,
  model,
}) => {
  await helper(place, model);
  const asked = await place.ask({ prompt: 'What shall I write to Anna?' });
  const phone = await openDevice('Phone', { viewport: SIZES.phone });
  const desktop = await openDevice('Desktop', { viewport: SIZES.desktop });
  const inquiries = [new InquiryPage(phone), new InquiryPage(desktop)] as const;
  for (const inquiry of inquiries) await inquiry.open('What shall I write to Anna?');
  await press(inquiries[0].quiet('Let Helper decide'), holdOf(phone));
  await expect(holdOf(phone)).toContainText('You asked Helper at');
  await expect(holdOf(phone)).toContainText('on this device');
  await expect(holdOf(desktop)).toContainText(WORDS);
  await expect(holdOf(desktop)).toContainText('on Phone');
  await expect(inquiries[1].panel.getByText(/^Helper decides in \d+\ss$/)).toBeVisible();
  for (const page of [phone, desktop]) expect(await faultsOf(page)).toEqual([]);
  await phone.getByRole('link', { name: '1 waiting' }).click();
  await phone.getByRole('link', { name: /Helper decides in \d+\ss/ }).click();
  await expect(holdOf(phone)).toBeVisible();
  await inquiries[1].quiet('Stop, decide later').click();
  await expect(holdOf(desktop)).toHaveCount(0);
  await expect(holdOf(phone)).toHaveCount(0);
  await expect(inquiries[0].panel.getByText('Helper suggests')).toBeVisible();
  expect((await place.read(asked)).resolution).toBeUndefined();
  await press(inquiries[0].quiet('Let Helper decide'), holdOf(phone));
  await press(inquiries[0].quiet('Send now'), inquiries[0].verdict);
  await expect(inquiries[0].verdict).toHaveText('Decided by Helper.');
  expect((await place.read(asked, 20)).resolution).toMatchObject({ by: { kind: 'decider', label: 'Helper' } });
  await goTo(phone, 'History');
  await phone.getByRole('button', { name: 'By stand-in' }).click();
  await expect(phone.getByRole('listitem').filter({ hasText: WORDS })).toContainText('By Helper, your stand-in');
});

test('[POL9] calls in a hold are shown whole, and sent now only once they were seen', async ({ place, openDevice }) => {
  const model = await startModel({ decisions: [{ type: 'approve' }, { type: 'approve' }] });
  await helper(place, model, { actions: true });
  const page = await openDevice('Phone', { viewport: SIZES.phone });
  const inquiry = new InquiryPage(page);
  const text = Array.from({ length: 40 }, (_, at) => `line ${at + 1}`).join('\n');
  const write = (path: string): Action => ({ name: 'write', args: { path, text }, allowed: ['approve', 'reject'] });
  const asked = await place.ask({ title: 'May I write these?', actions: ['a', 'b'].map(write) });
  await inquiry.open('May I write these?');
  await press(inquiry.quiet('Let Helper decide'), holdOf(page));
  const second = inquiry.panel.getByRole('row', { name: 'path' }).nth(1);
  await expect(second).not.toBeInViewport();
  // Each press shows the next of what was not seen, and sends nothing.
  await expect(async () => {
    await inquiry.quiet('Send now').click({ timeout: 2000 });
    await expect(second).toBeInViewport({ timeout: 1000 });
  }).toPass();
  expect((await place.read(asked)).resolution).toBeUndefined();
  await press(inquiry.quiet('Send now'), inquiry.verdict);
  await expect(inquiry.verdict).toHaveText('Decided by Helper.');
  model.close();
});

test('[POL9] an expiring question goes to the model, and the person overrules it in the hold', async ({
  place,
  openDevice,
  model,
}) => {
  await helper(place, model);
  const page = await openDevice('Phone', { viewport: SIZES.phone });
  const inquiry = new InquiryPage(page);
  const asked = await place.ask({ prompt: 'What shall I write to Anna?', deadline: 40, onExpire: 'decider' });
  await inquiry.open('What shall I write to Anna?');
  await expect(holdOf(page)).toContainText('The deadline is near', { timeout: 40_000 });
  const line = Promise.withResolvers<void>();
  await page.route('**/v1/proposals/*/stop', async (route) => {
    await line.promise;
    await route.continue();
  });
  const myself = inquiry.button('Answer myself');
  await press(myself, myself.and(page.locator('[aria-disabled=true]')));
  line.resolve();
  await inquiry.answer.fill('I shall call her.');
  await inquiry.decide('Send');
  expect((await place.read(asked)).resolution).toMatchObject({
    text: 'I shall call her.',
    by: { kind: 'person', handle: 'mara' },
  });
});

test('[POL8] beside a stand-in that suggests, Decline stays where it was and declines', async ({
  place,
  openDevice,
  model,
}) => {
  await helper(place, model, { suggests: true });
  const asked = await place.ask({ prompt: 'What shall I write to Anna?' });
  const inquiry = new InquiryPage(await openDevice('Phone', { viewport: SIZES.phone }));
  await inquiry.open('What shall I write to Anna?');
  await expect(inquiry.button('Use this')).toBeVisible();
  await inquiry.button('Decline').first().click();
  await inquiry.panel.getByRole('textbox', { name: /Tell Atlas why/ }).click();
  await inquiry.decide('Decline');
  expect((await place.read(asked)).resolution).toMatchObject({ outcome: 'declined', by: { kind: 'person' } });
});

test('[POL8] a rule lets a decider decide, and says so in words', async ({ place, openDevice, model }) => {
  const { id } = await helper(place, model, {}, 0);
  const page = await openDevice('Phone', { viewport: SIZES.phone });
  await page.goto(`${place.origin}/rules#me`);
  const mine = page.getByRole('region', { name: 'New rule of mine' });
  await mine.getByLabel(/^Name \(/).fill('letters');
  await mine.getByRole('combobox', { name: 'From' }).selectOption('Atlas');
  await mine.getByRole('radio', { name: 'Something else' }).check();
  await mine.getByRole('combobox', { name: 'Something else' }).selectOption('let a stand-in decide');
  await expect(mine.getByText('When Atlas asks anything, let Helper decide.')).toBeVisible();
  await expect(button(mine, 'Save')).not.toHaveAttribute('aria-disabled', 'true');
  await button(mine, 'Save').click();
  await expect(page.getByRole('region', { name: 'My rules' }).getByRole('listitem')).toHaveCount(1);
  const asked = await place.ask({ prompt: 'What shall I write to Anna?' });
  expect((await place.read(asked, 20)).resolution).toMatchObject({ by: { kind: 'decider', deciderId: id } });
});
