import { expect, test } from './page/scene.ts';

test('[DLV2] a person is told of a question that came while no device could be told', async ({ place, openDevice }) => {
  await place.ask({ prompt: 'Is anybody there?' });
  const page = await openDevice('Phone');
  const notNotified = page.getByText('One question: no device was notified.');
  await expect(notNotified).toBeVisible();
  await place.ask({ prompt: 'And now?' });
  await expect(page.getByRole('link', { name: 'And now?' })).toBeVisible();
  await expect(notNotified).toBeVisible();
  await page.getByRole('button', { name: 'OK' }).click();
  await expect(notNotified).toBeHidden();
});
