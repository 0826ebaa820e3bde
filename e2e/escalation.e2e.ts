import type { NewPersonReply } from '#shared/wire.ts';
import { must } from './hub/call.ts';
import { addSource } from './hub/people.ts';
import { faultsOf } from './page/axe.ts';
import { InquiryPage } from './page/inquiry.ts';
import { enterByLink, goTo } from './page/sign-in.ts';
import { SIZES } from './page/sizes.ts';
import { expect, test } from './page/scene.ts';

test('[APR5] what nobody answers appears on the page of those who are asked too, and both pages and the history say who was asked when', async ({
  place,
  openDevice,
  openBrowser,
}) => {
  const { hub, mara } = place;
  const { link } = await must<NewPersonReply>(hub, 'POST /v1/people', { token: mara.token, body: { handle: 'jonas' } });
  const { key } = await addSource(hub, mara, 'Warden', { mayAsk: ['mara', 'jonas'] });
  const phone = await openDevice('Phone', { viewport: SIZES.phone });
  const jonas = await openBrowser(place.origin);
  await enterByLink(jonas, link, 'iPad');
  const escalate = [{ after: 2, to: ['jonas'] }];
  const body = { prompt: 'Who waters the plants?', deadline: 600, escalate };
  await must(hub, 'POST /v1/inquiries', { token: key, body });

  await new InquiryPage(phone).open('Who waters the plants?');
  await expect(phone.getByText(/^jonas was asked too at \d\d:\d\d\.$/)).toBeVisible();
  await expect(phone.getByText('Asked of you and jonas: the first answer counts for all.')).toBeVisible();
  expect(await faultsOf(phone)).toEqual([]);
  await expect(jonas.getByText(/^You were asked too at \d\d:\d\d\.$/)).toBeVisible();
  await new InquiryPage(jonas).answer.fill('The neighbour');
  await new InquiryPage(jonas).decide('Send');
  await goTo(phone, 'History');
  await expect(phone.getByText(/^jonas was asked too at \d\d:\d\d$/)).toBeVisible();
});
