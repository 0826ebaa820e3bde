import type { Page } from '@playwright/test';
import type { Inquiry } from '#shared/inquiry.ts';
import type { NewPersonReply } from '#shared/wire.ts';
import { must } from './hub/call.ts';
import { addSource } from './hub/people.ts';
import { faultsOf } from './page/axe.ts';
import { InquiryPage } from './page/inquiry.ts';
import { enterByLink, goTo } from './page/sign-in.ts';
import { SIZES } from './page/sizes.ts';
import { expect, test } from './page/scene.ts';

const PHONE = { viewport: SIZES.phone };

test('[DLV4] what is set apart stands under Later on all devices of one person and nowhere else, until it comes back', async ({
  place,
  openDevice,
  openBrowser,
}) => {
  const { hub, mara } = place;
  const { link } = await must<NewPersonReply>(hub, 'POST /v1/people', { token: mara.token, body: { handle: 'jonas' } });
  const { key } = await addSource(hub, mara, 'Warden', { mayAsk: ['mara', 'jonas'] });
  const [phone, laptop] = [await openDevice('Phone', PHONE), await openDevice('Laptop')];
  const jonas = await openBrowser(place.origin);
  await enterByLink(jonas, link, 'iPad');
  const ask = { prompt: 'Who waters the plants?', to: ['mara', 'jonas'], deadline: 7_200 };
  const asked = await must<Inquiry>(hub, 'POST /v1/inquiries', { token: key, body: ask });
  await place.ask({ prompt: 'And the lawn?', deadline: 600 });

  const inquiry = new InquiryPage(phone);
  await inquiry.open('Who waters the plants?');
  const dialog = await more(phone, 'Remind me…');
  await expect(dialog.getByRole('button', { name: /^Tomorrow morning/ })).toHaveAttribute('aria-disabled', 'true');
  expect(await faultsOf(phone)).toEqual([]);
  await dialog.getByRole('button', { name: /^In 1 hour/ }).click();
  for (const page of [phone, laptop]) {
    await expect(page.getByText('Later (1)')).toBeVisible();
    await expect(page.getByRole('heading', { name: /^1 waiting/ })).toBeVisible();
  }
  await expect(jonas.getByRole('heading', { name: 'Who waters the plants?' })).toBeVisible();
  await expect(jonas.getByText('Later (1)')).toHaveCount(0);

  await laptop.reload();
  await laptop.getByText('Later (1)').click();
  await laptop.getByRole('link', { name: /Who waters the plants\?/ }).click();
  const again = await more(laptop, 'Remind me…');
  await again.getByRole('button', { name: 'Show again' }).click();
  await expect(phone.getByText('Later (1)')).toHaveCount(0);
  await expect(phone.getByRole('link', { name: /Who waters the plants\?/ })).toBeVisible();

  const soon = new Date(Date.now() + 1_500).toISOString();
  await must(hub, `POST /v1/inquiries/${asked.id}/later`, { token: mara.token, body: { at: soon } });
  await expect(phone.getByText('Later (1)')).toBeVisible();
  await expect(phone.getByText('Later (1)')).toHaveCount(0);
  await expect(phone.getByRole('link', { name: /Who waters the plants\?/ })).toBeVisible();

  await inquiry.open('Who waters the plants?');
  const other = await more(phone, 'Remind me…');
  await other.getByRole('button', { name: /^Another time…/ }).click();
  await other.getByRole('button', { name: 'Remind me' }).click();
  await expect(phone.getByText('Later (1)')).toBeVisible();
  await new InquiryPage(jonas).answer.fill('The neighbour');
  await new InquiryPage(jonas).decide('Send');
  for (const page of [phone, laptop]) await expect(page.getByText('Later (1)')).toHaveCount(0);
  await goTo(phone, 'Inbox');
  const { resolution } = await must<Inquiry>(hub, `GET /v1/inquiries/${asked.id}`, { token: key });
  expect(resolution).toMatchObject({ text: 'The neighbour' });
});

async function more(page: Page, item: string) {
  await page.getByRole('main').getByRole('button', { name: 'More', exact: true }).last().click();
  await page.getByRole('dialog', { name: 'More' }).getByRole('button', { name: item }).click();
  return page.getByRole('dialog', { name: 'Remind me' });
}
