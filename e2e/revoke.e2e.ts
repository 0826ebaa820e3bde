import type { Page } from '@playwright/test';
import { goTo } from './page/sign-in.ts';
import { InquiryPage } from './page/inquiry.ts';
import { exactly } from './page/press.ts';
import { expect, test } from './page/scene.ts';

test('a device removed on another one is out at once and keeps nothing', async ({ place, openDevice }) => {
  const [laptop, phone] = [await openDevice('Laptop'), await openDevice('Phone')];
  await place.ask({ prompt: 'What is the name of the new office?' });
  const inquiry = new InquiryPage(phone);
  await inquiry.open('What is the name of the new office?');
  await inquiry.answer.fill('Lighthouse');
  await expect.poll(async () => JSON.stringify(await keptBy(phone))).toContain('Lighthouse');

  await goTo(laptop, 'Devices');
  await laptop.getByRole('button', { name: 'Remove Phone' }).click();
  await laptop
    .getByRole('dialog', { name: 'Remove Phone?' })
    .getByRole('button', { name: exactly('Remove') })
    .click();

  await expect(phone.getByRole('heading', { name: 'Sign in to Beckon.' })).toBeVisible();
  await expect(phone.getByRole('status')).toHaveText('This device was removed. All it kept has been erased.');
  await expect(phone.getByText('new office')).toHaveCount(0);
  await expect(laptop.getByRole('listitem').filter({ hasText: 'Phone' })).toHaveCount(0);
  await expect.poll(() => keptBy(phone)).toEqual([]);
  await phone.reload();
  await expect(phone.getByRole('heading', { name: 'Sign in to Beckon.' })).toBeVisible();
});

// All that a page's origin keeps between visits; its shell, which is the same for everybody, is no part of it.
async function keptBy(page: Page): Promise<unknown[]> {
  // Its type does not know yet what the option adds.
  type Origin = { localStorage: unknown[]; indexedDB?: { stores: { records: unknown[] }[] }[] };
  const { origins } = (await page.context().storageState({ indexedDB: true })) as unknown as { origins: Origin[] };
  return origins.flatMap(({ localStorage, indexedDB = [] }) => [
    ...localStorage,
    ...indexedDB.flatMap(({ stores }) => stores.flatMap(({ records }) => records)),
  ]);
}
