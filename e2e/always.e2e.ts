import type { Action } from '#shared/inquiry.ts';
import type { Policies } from '#shared/policies/rule.ts';
import { must } from './hub/call.ts';
import { addSource } from './hub/people.ts';
import { faultsOf } from './page/axe.ts';
import { InquiryPage } from './page/inquiry.ts';
import { press, button } from './page/press.ts';
import { expect, type Place, test } from './page/scene.ts';
import { goTo } from './page/sign-in.ts';
import { SIZES } from './page/sizes.ts';

const bash = (command: string, more: Partial<Action> = {}): Action => ({
  name: 'Bash',
  args: { command, description: `Look, ${command.length}` },
  allowed: ['approve', 'edit', 'reject', 'respond'],
  ...more,
});
const rulesOf = async ({ hub, mara }: Place, path = '/v1/policies') =>
  (await must<Policies>(hub, `GET ${path}`, { token: mara.token })).rules;

for (const [size, viewport] of Object.entries(SIZES)) {
  test(`[POL7] "always" from the card makes the next call pass, the history says why, and one tap undoes it, on a ${size}`, async ({
    place,
    openDevice,
  }) => {
    const page = await openDevice('Mine', { viewport });
    const inquiry = new InquiryPage(page);
    const asked = await place.ask({ prompt: 'May I look?', actions: [bash('git status && git log')] });
    await inquiry.open('May I look?');
    const dialog = page.getByRole('dialog', { name: 'Always approve' });
    await press(inquiry.quiet('Always approve…'), dialog);
    // Of several commands each would pass alone: what is offered first is the line as it stands.
    await expect(dialog.getByRole('radio').first()).toBeChecked();
    await dialog.getByRole('radio', { name: 'Exactly these commands' }).check();
    await dialog.getByRole('combobox', { name: 'End' }).selectOption('in an hour');
    await expect(dialog.getByRole('status')).toContainText(
      /^When Atlas calls Bash, and every command in its line is git status or git log, and nothing else, approve it until .*\d\d:\d\d\./,
    );
    await expect(dialog.getByRole('status')).toContainText('Would have approved 0 of the last 0.');
    expect(await faultsOf(page)).toEqual([]);
    await press(button(dialog, 'Always approve'), inquiry.verdict);
    await expect(page.getByText(/^Rule on until/).filter({ visible: true })).toHaveCount(1);
    expect((await place.read(asked)).resolution?.by).toMatchObject({ kind: 'person', handle: 'mara' });

    const next = await place.ask({ prompt: 'And now?', actions: [bash('git log; git status')] });
    expect(next.resolution).toMatchObject({
      text: 'Approved: Run `git log; git status`.\nDecided by the rule “Atlas: git status, git log”; nobody was asked.',
      by: { kind: 'policy', label: 'Atlas: git status, git log' },
    });
    const other = await place.ask({ prompt: 'And this?', actions: [bash('git log > x')] });
    expect(other.resolution).toBeUndefined();

    await page.goto(`${place.origin}/history`);
    const past = page.getByRole('listitem').filter({ hasText: 'And now?' });
    await past.getByText('By rule Atlas: git status, git log, no one asked').click();
    await expect(past).toContainText(
      'The rule said: When Atlas calls Bash, and every command in its line is git status',
    );
    await page.goto(`${place.origin}/i/${next.id}`);
    await expect(inquiry.verdict).toHaveText('The rule “Atlas: git status, git log” answered this.');
    expect((await rulesOf(place)).length).toBe(1);
  });
}

test('one tap takes an "always" back, on every page that this device opens', async ({ place, openDevice }) => {
  const page = await openDevice('Phone');
  const inquiry = new InquiryPage(page);
  await place.ask({ prompt: 'May I look?', actions: [bash('ls')] });
  await inquiry.open('May I look?');
  const dialog = page.getByRole('dialog', { name: 'Always approve' });
  await press(inquiry.button('More').last(), page.getByRole('dialog', { name: 'More' }));
  await page.getByRole('button', { name: 'Always approve…' }).last().click();
  await dialog.getByRole('radio', { name: 'Every call of this tool' }).check();
  await dialog.getByRole('combobox', { name: 'List' }).selectOption('the rules for everybody');
  const banner = page.getByRole('status').filter({ hasText: /^Rule on until .*OK$/ });
  await press(button(dialog, 'Always approve'), banner);
  await expect.poll(async () => (await rulesOf(place, '/v1/policies/hub')).length).toBe(1);
  await goTo(page, 'Inbox');
  await banner.getByRole('button', { name: 'Undo' }).click();
  await expect(banner).toBeHidden();
  expect(await rulesOf(place, '/v1/policies/hub')).toEqual([]);
});

test('[POL7] calls like this are offered once they were approved, exactly those, and the rule can be changed at once', async ({
  place,
  openDevice,
}) => {
  const { hub, mara } = place;
  for (const part of [1, 2, 3]) {
    const { id, digest } = await place.ask({ actions: [bash(`npm test -- --shard ${part}/24`)] });
    const body = { digest, decisions: [{ type: 'approve' }] };
    await must(hub, `POST /v1/inquiries/${id}/answer`, { token: mara.token, body });
  }
  const page = await openDevice('Phone', { viewport: SIZES.phone });
  const inquiry = new InquiryPage(page);
  await place.ask({ title: 'May I test 4?', actions: [bash('npm test -- --shard 4/24')] });
  const other = await place.ask({ title: 'May I test 5?', actions: [bash('npm test -- --shard 5/24')] });
  await inquiry.open('May I test 4?');
  const dialog = page.getByRole('dialog', { name: 'Always approve' });
  await press(inquiry.button('More').last(), page.getByRole('dialog', { name: 'More' }));
  await press(page.getByRole('button', { name: 'Always approve…' }).last(), dialog);
  await dialog.getByRole('radio', { name: 'Calls like this' }).check();
  await expect(dialog.getByRole('status')).toContainText('npm test -- --shard 1…24/24, and nothing else, approve it');
  await expect(dialog.getByRole('status')).toContainText('Would have approved 3 of the last 3.');
  expect(await faultsOf(page)).toEqual([]);
  await button(dialog, 'Always approve').click();
  const waiting = page.getByRole('dialog', { name: 'Approve the one waiting too?' });
  await waiting.getByRole('button', { name: 'Leave them' }).click();
  expect((await place.read(other)).resolution).toBeUndefined();
  expect((await place.ask({ actions: [bash('npm test -- --shard 24/24')] })).resolution?.outcome).toBe('answered');
  expect((await place.ask({ actions: [bash('npm test -- --shard 25/24')] })).resolution).toBeUndefined();
  await page.getByRole('link', { name: 'Edit' }).first().click();
  await expect(page.getByLabel(/^Commands/)).toHaveValue(/^npm test -- --shard 1\/24\n/);
});

test('[POL7] no "always" for caution, nor for what others are asked too', async ({ place, openDevice }) => {
  const { hub, mara } = place;
  await must(hub, 'POST /v1/groups', { token: mara.token, body: { handle: 'ops', members: ['mara'] } });
  const inquiry = new InquiryPage(await openDevice('Phone'));
  await place.ask({ prompt: 'May I wipe?', actions: [bash('ls', { caution: true })] });
  await inquiry.open('May I wipe?');
  await expect(inquiry.button('Reject')).toBeVisible();
  await expect(inquiry.quiet('Always approve…')).toHaveCount(0);
  const key = await addSource(hub, mara, 'Borealis', { mayAsk: ['mara', 'ops'] });
  await must(hub, 'POST /v1/inquiries', {
    token: key.key,
    body: { prompt: 'May ops look?', to: ['ops'], actions: [bash('ls')] },
  });
  await goTo(inquiry.page, 'Inbox');
  await inquiry.open('May ops look?');
  await expect(inquiry.button('Reject')).toBeVisible();
  await expect(inquiry.quiet('Always approve…')).toHaveCount(0);
});

test('[RES3] [SEE1] no "always" is made from a call that was not on the screen', async ({ place, openDevice }) => {
  // So low that the call begins under the buttons.
  const page = await openDevice('Phone', { viewport: { width: 390, height: 400 } });
  const inquiry = new InquiryPage(page);
  const asked = await place.ask({
    title: 'May I write?',
    actions: [{ ...bash(''), name: 'Write', args: { path: 'notes.md' } }],
  });
  await inquiry.open('May I write?');
  const dialog = page.getByRole('dialog', { name: 'Always approve' });
  await press(inquiry.button('More').last(), page.getByRole('dialog', { name: 'More' }));
  await page.getByRole('button', { name: 'Always approve…' }).last().click();
  // The call comes up instead.
  await expect(page.getByText('notes.md', { exact: true })).toBeInViewport();
  await expect(dialog).toHaveCount(0);
  expect((await rulesOf(place)).length).toBe(0);
  expect((await place.read(asked)).resolution).toBeUndefined();
});

test('the third same approval within a week is told with the offer of a rule, once', async ({ place, openDevice }) => {
  const page = await openDevice('Phone');
  const inquiry = new InquiryPage(page);
  const told = page.getByText('You approved calls like this three times in a week.');
  const approve = async (title: string) => {
    await place.ask({ title, actions: [bash('ls -l')] });
    await goTo(page, 'Inbox');
    await inquiry.open(title);
    await inquiry.decide('Approve');
    await expect(inquiry.quiet('Always approve…')).toBeVisible();
  };
  // The inbox links to what was settled too, so no two are called the same.
  await approve('May I list this?');
  await approve('May I list that?');
  await expect(told).toHaveCount(0);
  await approve('May I list more?');
  await expect(told).toBeVisible();
  const dialog = page.getByRole('dialog', { name: 'Always approve' });
  await inquiry.quiet('Always approve…').click();
  await expect(dialog.getByRole('status')).toContainText('Would have approved 3 of the last 3.');
  await button(dialog, 'Cancel').click();
  await approve('May I list all?');
  await expect(told).toHaveCount(0);
});
