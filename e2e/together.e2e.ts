import type { Page } from '@playwright/test';
import type { Ask } from '#shared/inquiry.ts';
import { must } from './hub/call.ts';
import { addPerson, addSource } from './hub/people.ts';
import { enrollByLink } from './page/sign-in.ts';
import { InquiryPage } from './page/inquiry.ts';
import { holdableLine } from './page/line.ts';
import { expect, type Place, test } from './page/scene.ts';

const QUESTION = 'What shall the release notes say about the outage?';

test('half-typed words follow to the next device, which goes on with them and is heard in turn', async ({
  place,
  openDevice,
}) => {
  const { phone, laptop } = await openOnBoth(place, openDevice);
  await phone.answer.fill('It lasted nine');
  const elsewhere = laptop.panel.getByRole('status').filter({ hasText: 'You are writing this on iPhone.' });
  await expect(elsewhere).toContainText('It lasted nine');
  await expect(laptop.page.getByRole('complementary', { name: 'Waiting' })).toContainText(
    'You are answering on iPhone',
  );

  await laptop.quiet('Continue here').click();
  await expect(laptop.answer).toHaveValue('It lasted nine');
  await expect(elsewhere).toBeHidden();
  await laptop.answer.pressSequentially(' minutes.');
  await expect(phone.panel.getByRole('status').filter({ hasText: 'on MacBook' })).toContainText(
    'It lasted nine minutes.',
  );
  await laptop.decide('Send');
  await expect(phone.verdict).toHaveText('You answered this on MacBook.');
});

test('words begun a while ago on a device that is away are offered on the next, and its owner does not seem to write', async ({
  place,
  openBrowser,
  openDevice,
}) => {
  const phone = new InquiryPage(await openDevice('iPhone'));
  await place.ask({ prompt: QUESTION, deadline: 3600 });
  await phone.open(QUESTION);
  await phone.answer.fill('It lasted nine');
  const laptop = new InquiryPage(await openBrowser(place.origin));
  const line = await holdableLine(laptop.page);
  await laptop.page.clock.install({ time: Date.now() });
  await enrollByLink(laptop.page, await place.link(), 'MacBook');
  await expect(laptop.panel).toContainText('You are writing this on iPhone.');
  const list = laptop.page.getByRole('complementary', { name: 'Waiting' });
  await expect(list).toContainText('You are answering on iPhone');

  // The hub would tell the page what time it is.
  line.hold();
  await laptop.page.clock.runFor(90_000);
  await expect(laptop.panel).toContainText(/You began this on iPhone \((yesterday, )?\d\d:\d\d\)\./);
  await expect(list).not.toContainText('answering');
  await laptop.quiet('Continue here').click();
  await expect(laptop.answer).toHaveValue('It lasted nine');
});

test('a question to a group says who else is asked, and that one answer settles it', async ({ place, openDevice }) => {
  const { hub, mara } = place;
  await addPerson(hub, mara, 'jonas');
  await must(hub, 'POST /v1/groups', { token: mara.token, body: { handle: 'on-call', members: ['mara', 'jonas'] } });
  const { key } = await addSource(hub, mara, 'Pager', { mayAsk: ['on-call'] });
  const inquiry = new InquiryPage(await openDevice('iPhone'));
  await must(hub, 'POST /v1/inquiries', { token: key, body: { prompt: QUESTION, to: ['on-call'] } });
  await inquiry.open(QUESTION);
  await expect(inquiry.panel).toContainText('Asked of on-call (you and jonas): the first answer counts for all.');
});

test('any device moves the deadline, typing holds it open, and all of them see it', async ({ place, openDevice }) => {
  const { phone, laptop, asked } = await openOnBoth(place, openDevice, { deadline: 58, latest: 600 });
  await expect(laptop.panel).toContainText(/\d s left/);
  await phone.quiet('Five more minutes').click();
  await expect(laptop.panel).toContainText('5 min left');
  const moved = await place.read(asked);
  expect(Date.parse(moved.deadlineAt) - Date.parse(asked.deadlineAt)).toBe(300_000);

  const short = await place.ask({ prompt: 'Quick: tea or coffee?', deadline: 29, latest: 600 });
  for (const inquiry of [phone, laptop]) await inquiry.page.goto(`${place.origin}/i/${short.id}`);
  await laptop.answer.fill('Te');
  await expect(laptop.panel).toContainText('Held open while you write');
  await expect
    .poll(async () => Date.parse((await place.read(short)).deadlineAt) - Date.parse(short.deadlineAt))
    .toBeGreaterThan(20_000);
  await expect(phone.panel.getByRole('status').filter({ hasText: 'You are writing this on MacBook.' })).toBeVisible();
});

test('words written while there is no line are told to the other devices with the line', async ({
  place,
  openDevice,
}) => {
  const { phone, laptop } = await openOnBoth(place, openDevice);
  await phone.page.context().setOffline(true);
  await expect(phone.page.getByRole('status').filter({ hasText: 'Offline since' })).toBeVisible();
  await phone.answer.fill('Nine');
  await phone.page.context().setOffline(false);
  await expect(laptop.panel.getByRole('status').filter({ hasText: 'You are writing this on iPhone.' })).toBeVisible();
});

test('[WDR3] words of an inquiry that was closed, or of a page that was away, wait for their writer with who answered', async ({
  place,
  openDevice,
}) => {
  const { phone, laptop } = await openOnBoth(place, openDevice);
  await phone.answer.fill('Nine minutes, and');
  await phone.page.goto('about:blank');
  await laptop.answer.fill('Nothing.');
  await laptop.decide('Send');

  await phone.page.goto(`${place.origin}/history`);
  const news = phone.page.getByRole('status').filter({ hasText: 'You had already answered' });
  await expect(news).toContainText('Your words are kept.');
  await news.getByRole('link', { name: 'Open' }).click();
  await expect(phone.verdict).toHaveText('You answered this on MacBook.');
  await expect(phone.panel.getByRole('textbox', { name: 'Your words are kept' })).toHaveValue('Nine minutes, and');
  await phone.button('Send as a note').click();
  await expect(phone.panel.getByRole('status').filter({ hasText: 'Kept as a note.' })).toBeVisible();
});

async function openOnBoth(place: Place, openDevice: (name: string) => Promise<Page>, ask: Ask = {}) {
  const [phone, laptop] = [new InquiryPage(await openDevice('iPhone')), new InquiryPage(await openDevice('MacBook'))];
  const asked = await place.ask({ prompt: QUESTION, ...ask });
  for (const inquiry of [phone, laptop]) await inquiry.open(QUESTION);
  return { phone, laptop, asked };
}
