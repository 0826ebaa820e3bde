import type { Group, Me, Person } from '#shared/wire.ts';
import { must } from './hub/call.ts';
import { addSource } from './hub/people.ts';
import { faultsOf } from './page/axe.ts';
import { goTo } from './page/sign-in.ts';
import { InquiryPage } from './page/inquiry.ts';
import { press, pressKey, button } from './page/press.ts';
import { expect, type Place, test } from './page/scene.ts';

// The first steps are over from the start: a person did not choose that.
const chosen = async ({ hub, mara }: Place) => {
  const { preferences } = await must<Me>(hub, 'GET /v1/people/me', { token: mara.token });
  return {
    ...preferences,
    firstSteps: undefined,
    undoSeconds: undefined,
    missedSeenAt: undefined,
  };
};

test('what is chosen on one device is so on the others at once, and on the next one from its first moment', async ({
  place,
  openDevice,
}) => {
  await place.ask({ prompt: 'Ship it?' });
  const [phone, laptop] = [await openDevice('iPhone'), new InquiryPage(await openDevice('MacBook'))];
  await laptop.open('Ship it?');
  await expect(laptop.panel).toContainText('Mara', { useInnerText: true });
  await goTo(phone, 'Settings');
  const everywhere = phone.getByRole('region', { name: 'This page' });
  await everywhere.getByRole('combobox', { name: 'Spacing', exact: true }).selectOption('Compact');
  await expect(everywhere.getByRole('listitem').filter({ hasText: 'Spacing' }).locator('.val')).toHaveText('Compact');
  await expect(laptop.panel, 'the salutation is what compact leaves out').not.toContainText('Mara', {
    useInnerText: true,
  });
  await everywhere.getByRole('combobox', { name: 'Documents', exact: true }).selectOption('As plain text');
  await expect.poll(() => chosen(place)).toEqual({ density: 'compact', editor: 'plain' });

  await phone.getByRole('combobox', { name: 'Language' }).selectOption('中文');
  await expect(laptop.button('发送')).toBeVisible();
  await phone.getByRole('combobox', { name: '语言' }).selectOption('English');
  await expect(laptop.button('Send')).toBeVisible();

  const tablet = new InquiryPage(await openDevice('iPad'));
  await tablet.open('Ship it?');
  await expect(tablet.panel).not.toContainText('Mara', { useInnerText: true });
  await tablet.page.reload();
  await expect(tablet.heading).toHaveText('Ship it?');
  await expect(tablet.panel).not.toContainText('Mara', { useInnerText: true });
});

test('an open document speaks the language that its reader changes to', async ({ place, openDevice }) => {
  const { hub, mara } = place;
  await place.ask({ title: 'The list', document: { markdown: 'When?\n\nWhere?\n' } });
  const inquiry = new InquiryPage(await openDevice('MacBook'));
  await inquiry.open('The list');
  await inquiry.quiet('Next gap').click();
  await inquiry.page.keyboard.type('On Monday');
  await expect(inquiry.panel.getByText('Write here')).toHaveCount(1);
  await must(hub, 'PATCH /v1/people/me', { token: mara.token, body: { locale: 'zh' } });
  await expect(inquiry.panel.getByText('写在这里')).toHaveCount(1);
  await expect(inquiry.panel.getByText('On Monday')).toBeVisible();
});

test('one source may have a way of its own, and goes back to what holds everywhere', async ({ place, openDevice }) => {
  const { hub, mara, source } = place;
  const other = await addSource(hub, mara, 'Borealis');
  await place.ask({ prompt: 'Ship it?' });
  await must(hub, 'POST /v1/inquiries', { token: other.key, body: { prompt: 'Paint it?' } });
  const page = await openDevice('iPhone');
  await goTo(page, 'Settings');
  await page.getByRole('combobox', { name: 'Which source?' }).selectOption('Borealis');
  const dialog = page.getByRole('dialog', { name: 'Settings for Borealis' });
  await expect(dialog.getByRole('combobox')).toHaveCount(6);
  await page.keyboard.press('Escape');
  await expect(dialog).toBeHidden();
  const inquiry = new InquiryPage(page);
  await goTo(page, 'Inbox');
  await inquiry.open('Ship it?');
  await press(inquiry.button('More').last(), page.getByRole('dialog', { name: 'More' }));
  await page.getByRole('link', { name: 'Settings for Atlas' }).click();
  await page.getByRole('combobox', { name: 'Spacing, from Atlas' }).selectOption('Compact');
  await expect.poll(() => chosen(place)).toEqual({ sources: { [source.source.id]: { density: 'compact' } } });
  await page.keyboard.press('Escape');
  await goTo(page, 'Inbox');
  await inquiry.open('Ship it?');
  await expect(inquiry.panel).not.toContainText('Mara', { useInnerText: true });
  await inquiry.open('Paint it?');
  await expect(inquiry.panel).toContainText('Mara', { useInnerText: true });

  await goTo(page, 'Settings');
  const own = page.getByRole('button', { name: /Atlas.*1 change/s });
  await press(own, page.getByRole('dialog', { name: 'Settings for Atlas' }));
  await page.getByRole('button', { name: 'As everywhere for Atlas' }).click();
  await expect(own).toBeHidden();
  await expect.poll(() => chosen(place)).toEqual({});
});

test('a person renames themselves, and the owner invites and removes people and groups, each in a dialog of its row', async ({
  place,
  openDevice,
}) => {
  const { hub, mara } = place;
  const people = async () =>
    (await must<{ items: Person[] }>(hub, 'GET /v1/people', { token: mara.token })).items.map(({ name }) => name);
  const groups = async () =>
    (await must<{ items: Group[] }>(hub, 'GET /v1/groups', { token: mara.token })).items.map(({ name, members }) => [
      name,
      ...members.toSorted(),
    ]);
  const page = await openDevice('iPhone', { viewport: { width: 390, height: 844 } });
  await goTo(page, 'Settings');
  const dialog = (name: string) => page.getByRole('dialog', { name });
  const row = (name: RegExp) => page.getByRole('listitem').filter({ hasText: name }).getByRole('button');

  await press(row(/^Your name/), dialog('Your name'));
  await page.getByRole('textbox', { name: 'Your name' }).fill('Mara Lind');
  await button(dialog('Your name'), 'Save').click();
  await expect(row(/^Your name/)).toContainText('Mara Lind');
  await press(row(/^User name/), dialog('User name'));
  await page.getByRole('textbox', { name: 'User name' }).fill('-');
  await button(dialog('User name'), 'Save').click();
  await expect(dialog('User name').getByRole('alert')).toBeVisible();
  await button(dialog('User name'), 'Cancel').click();
  await expect(row(/^User name/)).toContainText('mara');

  await press(button(page, 'Invite'), dialog('Invite'));
  await page.getByRole('textbox', { name: 'Their user name' }).fill('jonas');
  await press(button(dialog('Invite'), 'Make the link'), dialog('Give this link to jonas'));
  await expect(dialog('Give this link to jonas').getByRole('link', { name: /\/enroll#/ })).toBeVisible();
  await page.keyboard.press('Escape');
  await press(button(page, 'New group'), dialog('New group'));
  await page.getByRole('textbox', { name: 'User name of the group' }).fill('on-call');
  await page.getByRole('textbox', { name: 'Its name' }).fill('On-call');
  for (const name of ['Mara Lind', 'jonas']) await page.getByRole('checkbox', { name }).check();
  await button(dialog('New group'), 'Save').click();
  await expect(row(/^On-call/)).toContainText('2 people');
  expect([await people(), await groups()]).toEqual([['Mara Lind', 'jonas'], [['On-call', 'jonas', 'mara']]]);

  await press(row(/^On-call/), dialog('On-call'));
  await page.getByRole('checkbox', { name: 'jonas' }).uncheck();
  expect(await faultsOf(page)).toEqual([]);
  await button(dialog('On-call'), 'Save').click();
  await expect(row(/^On-call/)).toContainText('1 person');
  await press(row(/^On-call/), dialog('On-call'));
  await press(button(dialog('On-call'), 'Remove on-call'), dialog('Remove On-call?'));
  await button(dialog('Remove On-call?'), 'Remove').click();
  await press(row(/^jonas/), dialog('jonas'));
  await press(dialog('jonas').getByRole('button', { name: /^Remove/ }), dialog('Remove jonas?'));
  await button(dialog('Remove jonas?'), 'Remove').click();
  await expect.poll(async () => [await people(), await groups()]).toEqual([['Mara Lind'], []]);
  // What the owner is cannot be removed.
  await press(row(/^Mara Lind.*owner/s), dialog('Mara Lind'));
  await expect(dialog('Mara Lind').getByRole('button', { name: /^Remove/ })).toHaveCount(0);
});

test('who wants to be asked again sends from a dialog, and nothing leaves before', async ({ place, openDevice }) => {
  const { hub, mara } = place;
  await must(hub, 'PATCH /v1/people/me', { token: mara.token, body: { preferences: { confirm: true } } });
  const call = await place.ask({
    prompt: 'May I refund Anna?',
    actions: [{ name: 'refund', args: { amount: 340 }, allowed: ['approve', 'reject'] }],
  });
  const text = await place.ask({ prompt: 'What shall we call it?' });
  const page = await openDevice('iPhone');
  const inquiry = new InquiryPage(page);
  const dialog = page.getByRole('dialog', { name: 'Send this to Atlas?' });

  await page.goto(`${place.origin}/i/${call.id}`);
  await press(inquiry.button('Approve'), dialog);
  await expect(dialog).toContainText('Approved: Refund 340.');
  await button(dialog, 'Cancel').click();
  await expect(dialog).toBeHidden();
  expect((await place.read(call)).resolution).toBeUndefined();
  await pressKey(page, 'y', dialog);
  await press(button(dialog, 'Send'), inquiry.heading.filter({ hasText: 'What shall we call it?' }));
  expect((await place.read(call)).resolution).toMatchObject({ answer: { decisions: [{ type: 'approve' }] } });

  await page.goto(`${place.origin}/i/${text.id}`);
  await inquiry.cannot('Send', 'Required');
  await inquiry.answer.fill('Wren');
  await press(inquiry.button('Send'), dialog);
  await expect(dialog).toContainText('Wren');
  await page.keyboard.press('Escape');
  await inquiry.button('Decline').click();
  await inquiry.panel.getByRole('textbox').fill('It has a name');
  await inquiry.button('Decline').click();
  const declining = page.getByRole('dialog', { name: 'Decline, and tell Atlas so?' });
  await expect(declining).toContainText('It has a name');
  await press(button(declining, 'Decline'), inquiry.verdict);
  expect((await place.read(text)).resolution).toMatchObject({ outcome: 'declined', message: 'It has a name' });
});

for (const [size, viewport] of Object.entries({
  phone: { width: 390, height: 844 },
  desktop: { width: 1280, height: 800 },
})) {
  test(`axe finds no fault with compact inquiries, the dialog and the settings for single sources on a ${size}`, async ({
    place,
    openDevice,
  }) => {
    const { hub, mara, source } = place;
    const preferences = { density: 'compact', confirm: true, sources: { [source.source.id]: { questions: 'all' } } };
    await must(hub, 'PATCH /v1/people/me', { token: mara.token, body: { preferences } });
    await place.ask({ prompt: 'Ship it?', suggested: { text: 'Yes' } });
    const page = await openDevice('iPhone', { viewport });
    const inquiry = new InquiryPage(page);
    await inquiry.open('Ship it?');
    expect(await faultsOf(page)).toEqual([]);
    await press(inquiry.button('Send as suggested'), page.getByRole('dialog'));
    expect(await faultsOf(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await page.goto(`${place.origin}/settings`);
    const own = page.getByRole('button', { name: /Atlas.*1 change/s });
    await expect(own).toBeVisible();
    expect(await faultsOf(page)).toEqual([]);
    await press(own, page.getByRole('dialog', { name: 'Settings for Atlas' }));
    expect(await faultsOf(page)).toEqual([]);
  });
}
