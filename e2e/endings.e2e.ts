import { must } from './hub/call.ts';
import { enrollByLink, goTo } from './page/sign-in.ts';
import { Letter } from './page/letter.ts';
import { holdableLine } from './page/line.ts';
import { button } from './page/press.ts';
import { expect, testOnOneHub as test } from './page/scene.ts';

test('declining is an answer, with words or without', async ({ place, openDevice }) => {
  const letter = new Letter(await openDevice('Phone'));
  const asked = await place.ask({ prompt: 'How old are you?' });
  await letter.open('How old are you?');
  await letter.button('Decline').click();
  await letter.sheet
    .getByRole('textbox', { name: 'The agent gets no answer. Tell Atlas why, or leave it blank' })
    .fill('That is private.');
  await letter.decide('Decline');
  await expect(letter.verdict).toHaveText('Atlas knows you declined.');
  expect((await place.read(asked)).resolution).toMatchObject({ outcome: 'declined', message: 'That is private.' });
});

test('more time can be had in the last minute', async ({ place, openDevice }) => {
  const letter = new Letter(await openDevice('Phone'));
  const asked = await place.ask({ prompt: 'Shall the bakery wait?', deadline: 45 });
  await letter.open('Shall the bakery wait?');
  await letter.quiet('Five more minutes').click();
  await expect(letter.quiet('Five more minutes')).toHaveCount(0);
  await expect(letter.sheet.getByText(/\d minutes left/)).toBeVisible();
  const moved = Date.parse((await place.read(asked)).deadlineAt) - Date.parse(asked.deadlineAt);
  expect(moved).toBeGreaterThanOrEqual(240_000);
  await letter.answer.fill('Yes');
  await letter.decide('Send');
  expect((await place.read(asked)).resolution).toMatchObject({ text: 'Yes' });
});

test('[RES3] an open letter offers more time in its last minute, and takes no answer once its time is up', async ({
  place,
  openBrowser,
}) => {
  const letter = new Letter(await openBrowser(place.origin));
  const line = await holdableLine(letter.page);
  await letter.page.clock.install({ time: Date.now() });
  await enrollByLink(letter.page, await place.link(), 'Phone');
  await place.ask({ prompt: 'Is the oven on?', deadline: 600, latest: 3600 });
  await letter.open('Is the oven on?');
  await letter.answer.fill('No');
  const offer = letter.quiet('Five more minutes');
  await expect(offer).toHaveCount(0);

  // The hub would tell the page what time it is.
  line.hold();
  await letter.page.clock.runFor(545_000);
  await expect(offer).toBeVisible();
  await letter.page.clock.runFor(60_000);
  await expect(offer).toHaveCount(0);
  await expect(letter.sheet).toContainText('Time is up.');
  await expect(letter.button('Send')).toBeDisabled();
});

test('[RES4] when time runs out the letter says that nobody answered, and no choice is made of it', async ({
  place,
  openDevice,
}) => {
  const letter = new Letter(await openDevice('Phone'));
  const asked = await place.ask({ prompt: 'Is the kettle on?', deadline: 15, latest: 15 });
  await letter.open('Is the kettle on?');
  await letter.answer.fill('I am');
  await expect(letter.verdict).toHaveText(/^Nobody answered by \d\d:\d\d\.$/, { timeout: 40_000 });
  await expect(letter.sheet.getByRole('textbox', { name: 'Your words are kept' })).toHaveValue('I am');
  const { resolution } = await place.read(asked);
  expect(resolution).toMatchObject({ outcome: 'expired', by: { kind: 'deadline' } });
  expect(resolution?.text).toContain('Nobody decided');
  await letter.button('Send a late answer').click();
  await expect.poll(async () => (await place.read(asked)).late).toMatchObject([{ text: 'I am' }]);
  await goTo(letter.page, 'History');
  await expect(letter.page.getByRole('listitem').filter({ hasText: 'Is the kettle on?' })).toContainText(
    /Nobody answered by \d\d:\d\d.*“I am” You, late, on Phone/,
  );
});

test('what its source takes back leaves the desk, and says so', async ({ place, openDevice }) => {
  const { hub, source } = place;
  const letter = new Letter(await openDevice('Phone'));
  const asked = await place.ask({ prompt: 'Where is the ladder?' });
  await letter.open('Where is the ladder?');
  const told = await letter.noteHeadlines();
  await must(hub, `POST /v1/inquiries/${asked.id}/withdraw`, { token: source.key, body: { reason: 'Found it.' } });
  await told('Withdrawn by Atlas.');
  await expect(letter.heading).toHaveText(/Nothing waits for you/);
});

test('a letter dismissed on one device stays open on the others', async ({ place, openDevice }) => {
  const [phone, laptop] = [new Letter(await openDevice('Phone')), new Letter(await openDevice('Laptop'))];
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
  // One ribbon at a time, and who signed in goes before a notice.
  await phone.getByRole('status').filter({ hasText: 'Laptop signed in' }).getByRole('button', { name: 'OK' }).click();
  await expect(here!).toContainText('All 3 GB.');
  await expect(there!).toBeVisible();
  await button(phone, 'Dismiss').click();
  await expect(here!).toHaveCount(0);
  await expect(there!).toHaveCount(0);
});
