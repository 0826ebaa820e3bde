import type { Action } from '#shared/inquiry.ts';
import type { Policies, Rule } from '#shared/policies/rule.ts';
import { must } from './hub/call.ts';
import { addDevices } from './hub/people.ts';
import { faultsOf } from './page/axe.ts';
import { InquiryPage } from './page/inquiry.ts';
import { expect, type Place, test } from './page/scene.ts';
import { goTo } from './page/sign-in.ts';
import { button } from './page/press.ts';
import { SIZES } from './page/sizes.ts';

const READ: Action = { name: 'read_file', args: { path: '/home/mara/a.txt' }, allowed: ['approve', 'reject'] };

const listOf = ({ hub, mara }: Place, path = '/v1/policies') =>
  must<Policies>(hub, `GET ${path}`, { token: mara.token });
const namesOf = async (place: Place) => (await listOf(place)).rules.map(({ name }) => name);

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
    await goTo(page, 'Settings');
    await page.getByRole('navigation', { name: 'Settings' }).getByRole('link', { name: 'Rules' }).click();
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('No rules answer for you.');
    const mine = page.getByRole('region', { name: 'My rules' });
    await button(mine, 'New rule of mine').click();
    await mine.getByLabel('Name', { exact: true }).fill('reading');
    await mine.getByRole('combobox', { name: 'Source', exact: true }).selectOption('Atlas');
    await mine.getByLabel(/^Tools/).fill('read_file');
    await mine.getByText('More conditions').click();
    await mine.getByLabel('Arguments, as JSON').fill('{"/path": {"under": "/home/mara"}}');
    await expect(
      mine.getByText('When Atlas calls read_file, and path is /home/mara or a path below it, approve it.'),
    ).toBeVisible();
    await button(mine, 'Preview').click();
    await expect(mine.getByRole('status')).toContainText(
      'It would have approved 3 of the last 3. You had decided one of them in another way:',
    );
    expect(await namesOf(place)).toEqual([]);
    expect(await faultsOf(page)).toEqual([]);
    await button(mine, 'Save').click();
    // The preview has a list too.
    await expect
      .poll(async () => (await listOf(place)).rules)
      .toEqual([
        {
          name: 'reading',
          when: { source: place.source.source.id, tool: 'read_file', args: { '/path': { under: '/home/mara' } } },
          then: 'approve',
        },
      ]);
    await button(mine, 'New rule of mine').click();
    await mine.getByLabel('Name', { exact: true }).fill('the rest');
    await mine.getByRole('combobox', { name: 'Then', exact: true }).selectOption('ask without notifying anyone');
    await button(mine, 'Preview').click();
    await button(mine, 'Save').click();
    await mine.getByRole('button', { name: 'Move up: the rest' }).click();
    await expect.poll(() => namesOf(place)).toEqual(['the rest', 'reading']);
    await expect(mine.getByText('It never takes effect: “the rest” before it fits first.')).toBeVisible();
    await mine.getByRole('button', { name: 'Edit: reading' }).click();
    await mine.getByRole('combobox', { name: 'Then', exact: true }).selectOption('reject, with words');
    await mine.getByLabel('Words', { exact: true }).fill('Not that.');
    await button(mine, 'Preview').click();
    await button(mine, 'Save').click();
    await expect(mine.getByText('reject it with the words Not that.')).toBeVisible();
    await mine.getByRole('button', { name: 'Remove: the rest' }).click();
    await button(page.getByRole('dialog', { name: 'Remove “the rest”?' }), 'Remove').click();
    await expect.poll(() => namesOf(place)).toEqual(['reading']);
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('One rule answers for you.');
    expect(await faultsOf(page)).toEqual([]);
  });
}

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
  await page.goto(`${place.origin}/rules`);
  const mine = page.getByRole('region', { name: 'My rules' });
  await expect(mine.getByRole('listitem')).toHaveCount(2);
  await put(1, [rule('a'), rule('b'), rule('c')]);
  await mine.getByRole('button', { name: 'Move up: b' }).click();
  await expect(mine.getByRole('alert')).toContainText('changed on another device');
  await expect(mine.getByRole('listitem')).toHaveCount(3);
  expect(await namesOf(place)).toEqual(['a', 'b', 'c']);
  await mine.getByRole('button', { name: 'Move up: b' }).click();
  await expect.poll(() => namesOf(place)).toEqual(['b', 'a', 'c']);
  await expect(mine.getByRole('alert')).toBeHidden();
});

test('[POL2] what the hub refuses of a rule is said at the form, and what was written stays', async ({
  place,
  openDevice,
}) => {
  const page = await openDevice('Phone');
  await page.goto(`${place.origin}/rules`);
  const everybody = page.getByRole('region', { name: 'Rules for everybody' });
  await button(everybody, 'New rule for everybody').click();
  await everybody.getByLabel('Name', { exact: true }).fill('all');
  await button(everybody, 'Preview').click();
  await expect(everybody.getByRole('alert')).toContainText('approves everything');
  await everybody.getByLabel(/^Tools/).fill('Bash');
  await everybody.getByLabel(/^Commands/).fill('git status; rm -rf /');
  await button(everybody, 'Preview').click();
  await button(everybody, 'Save').click();
  await expect(everybody.getByRole('alert')).toContainText('more than one command');
  await expect(everybody.getByLabel('Name', { exact: true })).toHaveValue('all');
  await everybody.getByLabel(/^Commands/).fill('git status\ngit log *');
  await button(everybody, 'Preview').click();
  await button(everybody, 'Save').click();
  await expect
    .poll(async () => (await listOf(place, '/v1/policies/hub')).rules)
    .toEqual([{ name: 'all', when: { tool: 'Bash', shell: ['git status', 'git log *'] }, then: 'approve' }]);
});

test('the page tells the hub where its person is, so that rules may look at the time', async ({
  place,
  openDevice,
}) => {
  const page = await openDevice('Phone', { timezoneId: 'Asia/Tokyo' });
  await page.goto(`${place.origin}/rules`);
  const mine = page.getByRole('region', { name: 'My rules' });
  await button(mine, 'New rule of mine').click();
  await mine.getByLabel('Name', { exact: true }).fill('night');
  await mine.getByText('More conditions').click();
  await mine.getByLabel('From (08:30)').fill('22:00');
  await mine.getByLabel('To (17:00)').fill('07:00');
  await mine.getByRole('combobox', { name: 'Then', exact: true }).selectOption('ask without notifying anyone');
  await button(mine, 'Preview').click();
  await button(mine, 'Save').click();
  await expect.poll(() => namesOf(place)).toEqual(['night']);
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
