import type { Locator, Page } from '@playwright/test';
import type { Action } from '#shared/inquiry.ts';
import type { Policies, Rule } from '#shared/policies/rule.ts';
import { must } from './hub/call.ts';
import type { Me } from '#shared/wire.ts';
import { addDevices } from './hub/people.ts';
import { faultsOf } from './page/axe.ts';
import { InquiryPage } from './page/inquiry.ts';
import { expect, type Place, test } from './page/scene.ts';
import { goTo } from './page/sign-in.ts';
import { button, press } from './page/press.ts';
import { SIZES } from './page/sizes.ts';

const READ: Action = { name: 'read_file', args: { path: '/home/mara/a.txt' }, allowed: ['approve', 'reject'] };

const listOf = ({ hub, mara }: Place, path = '/v1/policies') =>
  must<Policies>(hub, `GET ${path}`, { token: mara.token });
const namesOf = async (place: Place) => (await listOf(place)).rules.map(({ name }) => name);

async function newRule(page: Page, which = 'New rule of mine'): Promise<Locator> {
  await page.getByRole('link', { name: which }).click();
  return page.getByRole('region', { name: which });
}
async function saveRule(form: Locator): Promise<void> {
  await expect(button(form, 'Save')).not.toHaveAttribute('aria-disabled', 'true');
  await button(form, 'Save').click();
}
async function menuOf(page: Page, rule: string, word: string): Promise<void> {
  await press(page.getByRole('button', { name: `More: ${rule}` }), page.getByRole('dialog', { name: rule }));
  await page.getByRole('button', { name: `${word}: ${rule}` }).click();
}

async function decided(place: Place, type: 'approve' | 'reject'): Promise<void> {
  const { id, digest } = await place.ask({ actions: [READ] });
  const body = { digest, decisions: [{ type }] };
  await must(place.hub, `POST /v1/inquiries/${id}/answer`, { token: place.mara.token, body });
}

for (const [size, viewport] of Object.entries(SIZES)) {
  test(`a person makes a rule, sees first what it would have done, orders rules and removes one, on a ${size}`, async ({
    place,
    openDevice,
  }) => {
    for (const type of ['approve', 'approve', 'reject'] as const) await decided(place, type);
    const page = await openDevice('Mine', { viewport });
    await goTo(page, 'Automation');
    const head = page.getByRole('heading', { level: 1 });
    await expect(head).toHaveText('Nothing answers without you.');
    const form = await newRule(page);
    await expect(form.getByText('When any source asks anything, ask.')).toBeVisible();
    await expect(form.getByRole('status')).toHaveText('Changes nothing: every one of the last 3 would still ask you.');
    await form.getByRole('radio', { name: 'Approve' }).check();
    await expect(form.getByRole('alert')).toHaveText(
      'This approves everything: say from whom, which command or which tool.',
    );
    await form.getByRole('combobox', { name: 'From', exact: true }).selectOption('Atlas');
    await form.getByRole('combobox', { name: 'Asks', exact: true }).selectOption('another tool');
    await form.getByLabel(/^Tools/).fill('read_file');
    await form.getByText('More conditions').click();
    await form.getByLabel('Arguments, as JSON').fill('{"/path": ');
    await expect(form.getByRole('alert')).toHaveText('The arguments are not a JSON object.');
    await form.getByLabel('Arguments, as JSON').fill('{"/path": {"under": "/home/mara"}}');
    await form.getByLabel(/^Name \(/).fill('reading');
    await expect(
      form.getByText('When Atlas calls read_file, and path is /home/mara or a path below it, approve it.'),
    ).toBeVisible();
    await expect(form.getByRole('status')).toContainText(
      'Would have approved 3 of the last 3. You had decided one of them in another way:',
    );
    expect(await namesOf(place)).toEqual([]);
    expect(await faultsOf(page)).toEqual([]);
    // What was written is kept while the page is left.
    await goTo(page, 'Inbox');
    await page.goBack();
    await expect(form.getByLabel(/^Tools/)).toHaveValue('read_file');
    await saveRule(form);
    await expect(head).toHaveText('1 rule is on.');
    const reading = {
      name: 'reading',
      when: { source: place.source.source.id, tool: 'read_file', args: { '/path': { under: '/home/mara' } } },
      then: 'approve',
    };
    expect((await listOf(place)).rules).toEqual([reading]);
    await newRule(page);
    await expect(form.getByRole('radio', { name: 'Ask me' })).toBeChecked();
    await form.getByLabel(/^Name \(/).fill('the rest');
    await form.getByRole('radio', { name: 'Ask quietly' }).check();
    await saveRule(form);
    const mine = page.getByRole('region', { name: 'My rules' });
    await menuOf(page, 'the rest', 'Move up');
    await expect.poll(() => namesOf(place)).toEqual(['the rest', 'reading']);
    await expect(mine.getByText('It never takes effect: “the rest” before it fits first.')).toBeVisible();
    await mine.getByRole('link', { name: 'Edit: reading' }).click();
    const edit = page.getByRole('region', { name: 'Edit' });
    await edit.getByRole('radio', { name: 'Reject' }).check();
    await edit.getByLabel('Words', { exact: true }).fill('Not that.');
    await saveRule(edit);
    await expect(mine.getByText('reject it with the words Not that.')).toBeVisible();
    await menuOf(page, 'the rest', 'Remove');
    await button(page.getByRole('dialog', { name: 'Remove “the rest”?' }), 'Remove').click();
    await expect.poll(() => namesOf(place)).toEqual(['reading']);
    await expect(head).toHaveText('1 rule is on.');
    await mine.getByRole('button', { name: 'Undo' }).click();
    await expect.poll(() => namesOf(place)).toEqual(['the rest', 'reading']);
    expect(await faultsOf(page)).toEqual([]);
  });
}

test('each thing that answers says what it did this week, and is turned off, on, and back again', async ({
  place,
  openDevice,
}) => {
  const { hub, mara } = place;
  const rule: Rule = { name: 'reading', when: { tool: 'read_file' }, then: 'approve' };
  await must(hub, 'PUT /v1/policies', { token: mara.token, body: { version: 0, rules: [rule] } });
  const quiet = { spans: [{ from: '22:00', to: '07:00' }], through: { high: true } };
  await must(hub, 'PATCH /v1/people/me', { token: mara.token, body: { preferences: { quiet } } });
  const outcome = async () => (await place.ask({ actions: [READ] })).resolution?.outcome;
  expect([await outcome(), await outcome()]).toEqual(['answered', 'answered']);
  const page = await openDevice('Phone', { viewport: SIZES.phone });
  await goTo(page, 'Automation');
  const mine = page.getByRole('region', { name: 'My rules' });
  await expect(
    page.getByText('This week: 2 answers without you. A call marked caution is always yours.'),
  ).toBeVisible();
  await expect(mine.getByText(/^2 approved this week, last /)).toBeVisible();
  await expect(page.getByText('Every day 22:00 to 07:00, only urgent ones notify')).toBeVisible();
  const turn = mine.getByRole('switch', { name: 'reading' });
  await turn.click();
  await expect(turn).not.toBeChecked();
  expect([await outcome(), (await listOf(place)).rules]).toEqual([undefined, [{ ...rule, off: true }]]);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Nothing answers without you.');
  // On every page that this device opens, until the list is another one.
  await page.reload();
  await expect(mine.getByText(/^Turned off today at /)).toBeVisible();
  expect(await faultsOf(page)).toEqual([]);
  await mine.getByRole('button', { name: 'Undo' }).click();
  await expect(turn).toBeChecked();
  expect([await outcome(), (await listOf(place)).rules]).toEqual(['answered', [rule]]);
  const nights = page.getByRole('switch', { name: 'Quiet hours' });
  await nights.click();
  await expect(nights).not.toBeChecked();
  const { preferences } = await must<Me>(hub, 'GET /v1/people/me', { token: mara.token });
  expect(preferences.quiet).toEqual({ ...quiet, off: true });
  await nights.click();
  await expect(nights).toBeChecked();
});

test('[POL2] rules that another device changed are shown as they are, and nothing is overwritten', async ({
  place,
  openDevice,
}) => {
  const { hub, mara } = place;
  const rule = (name: string): Rule => ({ name, when: { tool: name }, then: 'ask' });
  const put = (version: number, rules: Rule[]) =>
    must(hub, 'PUT /v1/policies', { token: mara.token, body: { version, rules } });
  await put(0, [rule('a'), rule('b')]);
  const page = await openDevice('Phone');
  await page.goto(`${place.origin}/automation`);
  const mine = page.getByRole('region', { name: 'My rules' });
  await expect(mine.getByRole('listitem')).toHaveCount(2);
  await put(1, [rule('a'), rule('b'), rule('c')]);
  await menuOf(page, 'b', 'Move up');
  await expect(mine.getByRole('alert')).toContainText('changed on another device');
  await expect(mine.getByRole('listitem')).toHaveCount(3);
  expect(await namesOf(place)).toEqual(['a', 'b', 'c']);
  await menuOf(page, 'b', 'Move up');
  await expect.poll(() => namesOf(place)).toEqual(['b', 'a', 'c']);
  await expect(mine.getByRole('alert')).toBeHidden();
});

test('[POL7] a rule is checked beside its field while it is typed, and offers exactly what it nearly fits', async ({
  place,
  openDevice,
}) => {
  const { hub, mara } = place;
  for (const part of [3, 1, 4, 2]) {
    const args = { command: `npm test -- --shard ${part}/24`, description: `Part ${part}` };
    const { id, digest } = await place.ask({ actions: [{ name: 'Bash', args, allowed: ['approve', 'reject'] }] });
    const body = { digest, decisions: [{ type: 'approve' }] };
    await must(hub, `POST /v1/inquiries/${id}/answer`, { token: mara.token, body });
  }
  const page = await openDevice('Phone', { viewport: SIZES.phone });
  await page.goto(`${place.origin}/rules`);
  const form = await newRule(page, 'New rule for everybody');
  await form.getByRole('radio', { name: 'Approve' }).check();
  await form.getByRole('combobox', { name: 'Asks', exact: true }).selectOption('a command (Bash)');
  const commands = form.getByLabel(/^Commands/);
  await commands.fill('git status; rm -rf /');
  await expect(form.getByRole('alert')).toHaveText(
    'git status; rm -rf / is more than one command: write each on a line of its own.',
  );
  await commands.fill('npm test *\ngit status');
  await expect(form.getByRole('alert')).toHaveText(
    'npm test * is too wide: npm passes the rest to a program. After npm, * works with explain, list, ls, outdated, search, view.',
  );
  await expect(form.getByRole('button', { name: /^Save/ })).toHaveAttribute('aria-disabled', 'true');
  await expect(form.getByText('4 of your last 4 differ only in --shard.')).toBeVisible();
  await expect(form.getByText('npm test -- --shard 1…24/24').first()).toBeVisible();
  expect(await faultsOf(page)).toEqual([]);
  await button(form, 'Use this').click();
  await expect(form.getByRole('status')).toContainText('Would have approved 4 of the last 4.');
  await expect(
    form.getByText(
      /every command in its line is git status or npm test -- --shard 1…24\/24, and nothing else, approve it\./,
    ),
  ).toBeVisible();
  await saveRule(form);
  const shell = ['git status', ...Array.from({ length: 24 }, (_, at) => `npm test -- --shard ${at + 1}/24`)];
  await expect
    .poll(async () => (await listOf(place, '/v1/policies/hub')).rules)
    .toEqual([{ name: expect.any(String), when: { tool: 'Bash', shell }, then: 'approve' }]);
  const passes = async (command: string) =>
    (await place.ask({ actions: [{ name: 'Bash', args: { command }, allowed: ['approve', 'reject'] }] })).resolution
      ?.outcome;
  expect(await Promise.all(['npm test -- --shard 24/24', 'npm test -- --shard 25/24', 'npm test'].map(passes))).toEqual(
    ['answered', undefined, undefined],
  );
});

test('what a rule keeps quiet stands in the inbox, and is not told as what reached nobody', async ({
  place,
  openDevice,
}) => {
  const rules = [{ name: 'later', when: { kind: 'text' }, then: 'ask-quietly' }];
  await must(place.hub, 'PUT /v1/policies', { token: place.mara.token, body: { version: 0, rules } });
  const { quiet, reach } = await place.ask({ prompt: 'Which colour?' });
  expect([quiet, reach.told]).toEqual([true, 0]);
  const inquiry = new InquiryPage(await openDevice('Phone'));
  await inquiry.open('Which colour?');
  await expect(inquiry.page.getByText('no device was notified')).toHaveCount(0);
  await inquiry.answer.fill('Blue');
  await inquiry.decide('Send');
});

test('what a removed device made is named, its rules too, with the way to them', async ({ place, openDevice }) => {
  const { hub, mara } = place;
  const [other] = await addDevices(hub, mara, 1);
  const rules = [{ name: 'mine', when: { tool: 'x' }, then: 'approve' }];
  await must(hub, 'PUT /v1/policies/hub', { token: other?.token, body: { version: 0, rules } });
  await must(hub, 'POST /v1/sources', { token: other?.token, body: { name: 'Borealis' } });
  const page = await openDevice('Phone');
  await goTo(page, 'Devices');
  await page.getByRole('button', { name: `Remove ${other?.name}` }).click();
  await button(page.getByRole('dialog'), 'Remove').click();
  const banner = page.getByRole('status').filter({ hasText: 'The removed device had made these' });
  await expect(banner).toContainText(
    'these, and they stay: sources Borealis; the rules for everybody. Please check them.',
  );
  await banner.getByRole('link', { name: 'Rules' }).click();
  await expect(page.getByRole('region', { name: 'Rules for everybody' }).getByRole('listitem')).toHaveCount(1);
});
