import { must } from './hub/call.ts';
import { enrollByLink, goTo } from './page/sign-in.ts';
import { InquiryPage } from './page/inquiry.ts';
import { holdableLine } from './page/line.ts';
import { button } from './page/press.ts';
import { expect, testOnOneHub as test } from './page/scene.ts';

test('declining is an answer, with words or without', async ({ place, openDevice }) => {
  const inquiry = new InquiryPage(await openDevice('Phone'));
  const asked = await place.ask({ prompt: 'How old are you?' });
  await inquiry.open('How old are you?');
  await inquiry.button('Decline').click();
  await inquiry.panel
    .getByRole('textbox', { name: 'The agent gets no answer. Tell Atlas why, or leave it blank' })
    .fill('That is private.');
  await inquiry.decide('Decline');
  await expect(inquiry.verdict).toHaveText('Atlas knows you declined.');
  expect((await place.read(asked)).resolution).toMatchObject({ outcome: 'declined', message: 'That is private.' });
});

test('more time can be had in the last minute', async ({ place, openDevice }) => {
  const inquiry = new InquiryPage(await openDevice('Phone'));
  const asked = await place.ask({ prompt: 'Shall the bakery wait?', deadline: 45 });
  await inquiry.open('Shall the bakery wait?');
  await inquiry.quiet('Five more minutes').click();
  await expect(inquiry.quiet('Five more minutes')).toHaveCount(0);
  await expect(inquiry.panel.getByText(/\d min left/)).toBeVisible();
  const moved = Date.parse((await place.read(asked)).deadlineAt) - Date.parse(asked.deadlineAt);
  expect(moved).toBeGreaterThanOrEqual(240_000);
  await inquiry.answer.fill('Yes');
  await inquiry.decide('Send');
  expect((await place.read(asked)).resolution).toMatchObject({ text: 'Yes' });
});

test('[RES3] an open inquiry offers more time in its last minute, and takes no answer once its time is up', async ({
  place,
  openBrowser,
}) => {
  const inquiry = new InquiryPage(await openBrowser(place.origin));
  const line = await holdableLine(inquiry.page);
  await inquiry.page.clock.install({ time: Date.now() });
  await enrollByLink(inquiry.page, await place.link(), 'Phone');
  await place.ask({ prompt: 'Is the oven on?', deadline: 600, latest: 3600 });
  await inquiry.open('Is the oven on?');
  await inquiry.answer.fill('No');
  const offer = inquiry.quiet('Five more minutes');
  await expect(offer).toHaveCount(0);

  // The hub would tell the page what time it is.
  line.hold();
  await inquiry.page.clock.runFor(545_000);
  await expect(offer).toBeVisible();
  await inquiry.page.clock.runFor(60_000);
  await expect(offer).toHaveCount(0);
  await expect(inquiry.panel).toContainText('Time is up.');
  await expect(inquiry.button('Send')).toBeDisabled();
});

test('[RES4] when time runs out the inquiry says that nobody answered, and no choice is made of it', async ({
  place,
  openDevice,
}) => {
  const inquiry = new InquiryPage(await openDevice('Phone'));
  const asked = await place.ask({ prompt: 'Is the kettle on?', deadline: 10, latest: 10 });
  await inquiry.open('Is the kettle on?');
  await inquiry.answer.fill('I am');
  await expect(inquiry.verdict).toHaveText(/^Nobody answered by \d\d:\d\d\.$/, { timeout: 40_000 });
  await expect(inquiry.panel.getByRole('textbox', { name: 'Your words are kept' })).toHaveValue('I am');
  const { resolution } = await place.read(asked);
  expect(resolution).toMatchObject({ outcome: 'expired', by: { kind: 'deadline' } });
  expect(resolution?.text).toContain('Nobody decided');
  await inquiry.button('Send a late answer').click();
  await expect.poll(async () => (await place.read(asked)).late).toMatchObject([{ text: 'I am' }]);
  await goTo(inquiry.page, 'History');
  await expect(inquiry.page.getByRole('listitem').filter({ hasText: 'Is the kettle on?' })).toContainText(
    /^Missed Is the kettle on\?.*Nobody answered by \d\d:\d\d.*Late, by you, on Phone: “I am”/,
  );
});

test('what its source takes back leaves the page, and says so', async ({ place, openDevice }) => {
  const { hub, source } = place;
  const inquiry = new InquiryPage(await openDevice('Phone'));
  const asked = await place.ask({ prompt: 'Where is the ladder?' });
  await inquiry.open('Where is the ladder?');
  const told = await inquiry.noteHeadlines();
  await must(hub, `POST /v1/inquiries/${asked.id}/withdraw`, { token: source.key, body: { reason: 'Found it.' } });
  await told('Withdrawn by Atlas.');
  await expect(inquiry.heading).toHaveText(/Nothing waits for you/);
});

test('an inquiry dismissed on one device stays open on the others', async ({ place, openDevice }) => {
  const [phone, laptop] = [new InquiryPage(await openDevice('Phone')), new InquiryPage(await openDevice('Laptop'))];
  const asked = await place.ask({ prompt: 'Who waters the plants?' });
  await phone.open('Who waters the plants?');
  await laptop.open('Who waters the plants?');
  await phone.button('More').first().click();
  await phone.page
    .getByRole('dialog', { name: 'More' })
    .getByRole('button', { name: /^Hide on this device/ })
    .click();
  await expect(phone.page.getByText('Hidden on this device (1)')).toBeVisible();
  await expect(laptop.heading).toHaveText('Who waters the plants?');
  await laptop.answer.fill('The neighbour');
  await laptop.decide('Send');
  await expect(phone.heading).toHaveText(/Nothing waits for you/);
  expect((await place.read(asked)).resolution).toMatchObject({ text: 'The neighbour' });
});

test('a notice is read on one device and gone on all', async ({ place, openDevice }) => {
  const { hub, source } = place;
  const [phone, laptop] = [await openDevice('Phone'), await openDevice('Laptop')];
  await must(hub, 'POST /v1/notices', { token: source.key, body: { title: 'The backup is done', body: 'All 3 GB.' } });
  const [here, there] = [phone, laptop].map((page) =>
    page.getByRole('status').filter({ hasText: 'The backup is done' }),
  );
  // One banner at a time, and who signed in goes before a notice.
  await phone.getByRole('status').filter({ hasText: 'Laptop signed in' }).getByRole('button', { name: 'OK' }).click();
  await expect(here!).toContainText('All 3 GB.');
  await expect(there!).toBeVisible();
  await button(phone, 'Dismiss').click();
  await expect(here!).toHaveCount(0);
  await expect(there!).toHaveCount(0);
});
