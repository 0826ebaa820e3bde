import type { Page } from '@playwright/test';
import type { NewPersonReply } from '#shared/wire.ts';
import type { Ask, Inquiry } from '#shared/inquiry.ts';
import { must } from './hub/call.ts';
import { addSource } from './hub/people.ts';
import { faultsOf } from './page/axe.ts';
import { InquiryPage } from './page/inquiry.ts';
import { press } from './page/press.ts';
import { enterByLink, goTo } from './page/sign-in.ts';
import { SIZES } from './page/sizes.ts';
import { expect, test } from './page/scene.ts';

const DROP: Ask = {
  to: ['mara', 'anna'],
  title: 'May I drop the previews?',
  actions: [{ name: 'drop', args: { database: 'preview' }, allowed: ['approve', 'edit', 'reject'] }],
  approvals: { count: 2 },
};

test('[APR4] two people approve a call on three devices: each sees who did, takes back, edits and starts anew, and both are named afterwards', async ({
  place,
  openDevice,
  openBrowser,
}) => {
  const { hub, mara, origin } = place;
  const { link } = await must<NewPersonReply>(hub, 'POST /v1/people', { token: mara.token, body: { handle: 'anna' } });
  const { key } = await addSource(hub, mara, 'Warden', { mayAsk: ['mara', 'anna'] });
  const phone = await openDevice('Phone', { viewport: SIZES.phone });
  const laptop = await openDevice('Laptop', { viewport: SIZES.desktop });
  const annas = await openBrowser(origin, { viewport: SIZES.desktop });
  await enterByLink(annas, link, 'iPad');
  const asked = await must<Inquiry>(hub, 'POST /v1/inquiries', { token: key, body: DROP });
  const read = () => must<Inquiry>(hub, `GET /v1/inquiries/${asked.id}`, { token: key });
  const on = (page: Page) => ({
    page,
    inquiry: new InquiryPage(page),
    hands: page.getByRole('region', { name: 'Two people must approve' }),
  });
  const approve = ({ inquiry }: ReturnType<typeof on>) => inquiry.panel.getByRole('button', { name: /^Approve/ });
  const [own, other, hers] = [on(phone), on(laptop), on(annas)];
  for (const { inquiry } of [own, hers]) await inquiry.open(DROP.title ?? '');
  await expect(own.hands).toContainText('You or anna');
  await expect(own.hands).toContainText('two more');

  await press(approve(hers), hers.hands.getByText('You approved', { exact: true }));
  await expect(hers.hands).toContainText('You can take it back until the second approval.');
  await expect(approve(hers)).toBeHidden();
  await expect(own.inquiry.panel).toContainText('1 of 2: anna approved');
  await expect(laptop.getByText('1 of 2 approved')).toBeVisible();
  await expect(approve(own)).toContainText('second of 2, then it runs');
  expect(await faultsOf(phone)).toEqual([]);
  expect(await faultsOf(annas)).toEqual([]);

  await hers.inquiry.button('Take back').click();
  await expect(own.hands).toContainText('two more');
  await press(approve(hers), hers.hands.getByText('You approved', { exact: true }));
  await expect(own.hands).toContainText('anna approved');

  // Mara changes the call on her phone, so that it starts anew; Anna reads what stands now before she approves it.
  await own.inquiry.quiet('Edit').click();
  await own.inquiry.panel.getByRole('textbox', { name: 'database' }).fill('preview-41');
  await expect(own.inquiry.panel).toContainText('Your changes start anew: anna approved the call as it was.');
  await press(approve(own), own.hands.getByText('You approved', { exact: true }));
  await expect(own.inquiry.panel).toContainText('1 of 2: you approved');
  await expect(hers.inquiry.panel).toContainText('mara changed the call. What stands here is what you approve.');
  await expect(hers.inquiry.panel).toContainText('preview-41');
  await expect(laptop.getByRole('complementary', { name: 'Waiting' })).toContainText('1 of 2: you approved');
  await other.inquiry.open(DROP.title ?? '');
  await expect(other.inquiry.button('Take back')).toBeVisible();
  expect((await read()).state).toBe('open');

  await press(approve(hers), hers.inquiry.verdict);
  await expect(hers.inquiry.panel).toContainText('Approved by mara and you.');
  const { resolution, approved = [] } = await read();
  expect([resolution?.answer?.decisions, approved.map(({ by }) => by.handle)]).toEqual([
    [{ type: 'edit', args: { database: 'preview-41' } }],
    ['mara', 'anna'],
  ]);
  await goTo(laptop, 'History');
  await expect(laptop.getByText('Approved by you and anna')).toBeVisible();
});
