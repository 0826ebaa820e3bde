import { must } from './hub/call.ts';
import { InquiryPage } from './page/inquiry.ts';
import { expect, testOnOneHub as test } from './page/scene.ts';

const PHONE = { viewport: { width: 390, height: 844 }, permissions: ['clipboard-read', 'clipboard-write'] };

test('the details of what was decided show its receipt, which can be copied as the hub signed it', async ({
  place,
  openDevice,
}) => {
  const { hub, mara } = place;
  const action = { name: 'refund', args: { cents: 1200 }, allowed: ['approve' as const, 'reject' as const] };
  const asked = await place.ask({ actions: [action], validFor: 3600 });
  const body = { decisions: [{ type: 'approve' }], digest: asked.digest };
  await must(hub, `POST /v1/inquiries/${asked.id}/answer`, { token: mara.token, body });
  const { receipt } = await must<{ receipt: string }>(hub, `GET /v1/inquiries/${asked.id}/receipt`, {
    token: mara.token,
  });
  const { authorization_details: calls } = JSON.parse(
    Buffer.from(receipt.split('.')[1] ?? '', 'base64url').toString(),
  ) as { authorization_details: [{ run: string }] };
  const page = await openDevice('iPhone', PHONE);
  const { panel } = new InquiryPage(page);
  await page.goto(`${place.origin}/i/${asked.id}`);
  await panel.getByText('About this question').click();
  const shown = panel.getByRole('region', { name: 'Receipt' });
  await expect(shown.getByRole('definition').nth(0)).toHaveText(/^signed, valid until .*\d\d:\d\d/);
  await expect(shown.getByRole('definition').nth(1)).toHaveText('Approved refund cents: 1200');
  await expect(shown.getByRole('definition').nth(2)).toHaveText(/^mara, on /);
  const short = `sha-256 ${calls[0].run.slice(0, 4)}…${calls[0].run.slice(-4)}`;
  await expect(shown.getByText('sha-256')).toHaveText([short, short]);
  await expect(shown.getByRole('link', { name: 'How to verify it' })).toHaveAttribute('href', '/docs');
  await shown.getByRole('button', { name: 'Copy the receipt' }).click();
  await expect(shown.getByRole('status')).toHaveText('Copied.');
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(receipt);
});

test('what nobody decided has no receipt, and a question has one without an end', async ({ place, openDevice }) => {
  const { hub, source, mara } = place;
  const withdrawn = await place.ask({ prompt: 'Still needed?' });
  await must(hub, `POST /v1/inquiries/${withdrawn.id}/withdraw`, { token: source.key, body: { reason: 'No.' } });
  const answered = await place.ask({ prompt: 'Which table?' });
  await must(hub, `POST /v1/inquiries/${answered.id}/answer`, { token: mara.token, body: { text: 'The long one' } });
  const page = await openDevice('iPhone', PHONE);
  const { panel } = new InquiryPage(page);
  const shown = panel.getByRole('region', { name: 'Receipt' });
  await page.goto(`${place.origin}/i/${answered.id}`);
  await panel.getByText('About this question').click();
  await expect(shown.getByRole('definition').first()).toHaveText('signed');
  await expect(shown.getByText('May run')).toHaveCount(0);
  await page.goto(`${place.origin}/i/${withdrawn.id}`);
  await panel.getByText('About this question').click();
  await expect(panel.getByText('Notified', { exact: true })).toBeVisible();
  await expect(shown).toHaveCount(0);
});
