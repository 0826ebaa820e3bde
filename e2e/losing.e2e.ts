import type { NewPersonReply } from '#shared/wire.ts';
import { must } from './hub/call.ts';
import { addSource } from './hub/people.ts';
import { enrollByLink, goTo } from './page/sign-in.ts';
import { InquiryPage } from './page/inquiry.ts';
import { holdableLine } from './page/line.ts';
import { expect, testOnOneHub as test } from './page/scene.ts';

test('[RES2] of two people who answer at the same moment the later one is told who won, and may send a remark', async ({
  place,
  openBrowser,
  openDevice,
}) => {
  const { hub, mara } = place;
  const invited = await must<NewPersonReply>(hub, 'POST /v1/people', {
    token: mara.token,
    body: { handle: 'jonas', name: 'Jonas' },
  });
  const source = await addSource(hub, mara, 'Borealis', { mayAsk: ['mara', 'jonas'] });
  const theirs = await openBrowser(place.origin);
  await enrollByLink(theirs, invited.link, 'MacBook');
  const page = await openBrowser(place.origin);
  const line = await holdableLine(page);
  await enrollByLink(page, await place.link(), 'Phone');
  const asked = await must<{ id: string }>(hub, 'POST /v1/inquiries', {
    token: source.key,
    body: { prompt: 'What shall the release be called?', to: ['mara', 'jonas'] },
  });
  const [jonas, me] = [new InquiryPage(theirs), new InquiryPage(page)];
  await jonas.open('What shall the release be called?');
  await me.open('What shall the release be called?');
  await jonas.answer.fill('Wren');
  await me.answer.fill('Heron');

  line.hold();
  await jonas.decide('Send');
  await expect(jonas.verdict).toHaveText('Borealis has your answer.');
  await me.button('Send').click();
  line.release();

  await expect(me.verdict).toHaveText(/^jonas answered (a moment|\w+ seconds?) earlier\.$/);
  await expect(me.panel).toContainText('“Wren”');
  await expect(me.panel).toContainText(/jonas on MacBook, \d\d:\d\d:\d\d/);
  await expect(me.panel.getByRole('textbox', { name: 'Your words are kept' })).toHaveValue('Heron');

  const read = () => must<{ late?: object[] }>(hub, `GET /v1/inquiries/${asked.id}`, { token: source.key });
  expect((await read()).late ?? []).toEqual([]);
  await me.button('Send as a note').click();
  await expect(me.panel.getByRole('status').filter({ hasText: 'Kept as a note.' })).toBeVisible();
  expect((await read()).late).toMatchObject([
    { answer: { text: 'Heron' }, text: 'Heron', by: { kind: 'person', handle: 'mara', device: { name: 'Phone' } } },
  ]);
  await openDevice('Tablet').then(async (tablet) => {
    await goTo(tablet, 'History');
    const past = tablet.getByRole('listitem').filter({ hasText: 'What shall the release be called?' });
    await expect(past).toContainText(/Wren.*By jonas, on MacBook/);
    await expect(past).toContainText('Late, by you, on Phone: “Heron”');
  });
});

test('[WDR3] words typed in an inquiry that is taken away stay, with who answered, while untouched inquiries leave', async ({
  place,
  openDevice,
}) => {
  const [laptop, phone, tablet] = await Promise.all(
    ['Laptop', 'Phone', 'Tablet'].map(async (name) => new InquiryPage(await openDevice(name))),
  );
  if (!laptop || !phone || !tablet) return;
  await place.ask({ prompt: 'When may the old server go?' });
  for (const inquiry of [laptop, phone, tablet]) await inquiry.open('When may the old server go?');
  await phone.answer.fill('Not before the audit is');
  await laptop.answer.fill('On Friday.');
  await laptop.decide('Send');

  await expect(phone.verdict).toHaveText('You answered this on Laptop.');
  await expect(phone.panel).toContainText('“On Friday.”');
  await expect(tablet.heading).toHaveText(/Nothing waits for you/);
  const kept = phone.panel.getByRole('textbox', { name: 'Your words are kept' });
  await expect(kept).toHaveValue('Not before the audit is');

  await phone.page.reload();
  await expect(phone.verdict).toHaveText('You answered this on Laptop.');
  await expect(kept).toHaveValue('Not before the audit is');
  await phone.button('Close').click();
  await expect(phone.heading).toHaveText(/Nothing waits for you/);
});

test('of a call that was decided elsewhere, why it was to be rejected is kept as it was typed', async ({
  place,
  openDevice,
}) => {
  const { hub, mara } = place;
  const phone = new InquiryPage(await openDevice('Phone'));
  const call = { name: 'refund', args: { order: 'A-1077' }, allowed: ['approve' as const, 'reject' as const] };
  const { id, digest } = await place.ask({ prompt: 'May I refund Anna?', actions: [call] });
  await phone.open('May I refund Anna?');
  await phone.button('Reject').click();
  const why = phone.panel.getByRole('textbox', { name: /^The call does not run/ });
  await why.fill('She kept the lamp.');
  const decisions = [{ type: 'approve' }];
  await must(hub, `POST /v1/inquiries/${id}/answer`, { token: mara.token, body: { decisions, digest } });
  await expect(phone.verdict).toHaveText('You answered this on Terminal.');
  await expect(phone.panel).toContainText('Approved refund');
  const kept = phone.panel.getByRole('region', { name: 'Your words are kept' });
  await expect(kept.getByText('She kept the lamp.', { exact: true })).toBeVisible();
});
