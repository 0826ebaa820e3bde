// What a person sees of an asker that is gone, and of an answer that it did not pick up.
import type { Inquiry } from '#shared/inquiry.ts';
import { must } from './hub/call.ts';
import { InquiryPage } from './page/inquiry.ts';
import { press } from './page/press.ts';
import { expect, type Place, testOnOneHub as test } from './page/scene.ts';

const BUILD = [{ name: 'build', args: { target: 'prod' }, allowed: ['approve', 'reject'] }];

test('[ASK5] a call whose asker is gone cannot be approved until it is back', async ({ place, openDevice }) => {
  const inquiry = new InquiryPage(await openDevice('Phone'));
  const first = await askAndWait(place, 'gone');
  await inquiry.open('build prod');
  await expect(inquiry.button('Approve')).toBeEnabled();
  first.leave();
  await expect(inquiry.panel).toContainText(/Atlas is gone since \d\d:\d\d\. Nobody waits for this answer/);
  await expect(inquiry.button('Approve')).toBeDisabled();
  const again = await askAndWait(place, 'gone');
  await expect(inquiry.panel).not.toContainText('Atlas is gone');
  await inquiry.decide('Approve');
  expect((await again.reply())?.resolution).toMatchObject({ outcome: 'answered' });
});

test('[ASK5] a call whose asker is gone can be rejected, and its asker finds the "no" when it comes back', async ({
  place,
  openDevice,
}) => {
  const inquiry = new InquiryPage(await openDevice('Phone'));
  const { page } = inquiry;
  const first = await askAndWait(place, 'refused');
  await inquiry.open('build prod');
  first.leave();
  await expect(inquiry.panel).toContainText('Atlas is gone since');
  await inquiry.button('Approve').click({ force: true });
  await page.keyboard.press('y');
  // With no time to undo, its reason is asked for first.
  await press(inquiry.button('Reject'), inquiry.panel.getByRole('textbox'));
  await press(inquiry.button('Reject'), inquiry.verdict);
  const again = await askAndWait(place, 'refused');
  expect((await again.reply())?.resolution).toMatchObject({ answer: { decisions: [{ type: 'reject' }] } });
});

test('[ASK5] an approval that nobody picked up says so on the device and in the history', async ({
  place,
  openDevice,
}) => {
  const inquiry = new InquiryPage(await openDevice('Phone'));
  const { page } = inquiry;
  const asked = await askAndWait(place, 'missed');
  await inquiry.open('build prod');
  asked.leave();
  await expect(inquiry.panel).toContainText('Atlas is gone since');
  const { items } = await must<{ items: Inquiry[] }>(place.hub, 'GET /v1/inbox', { token: place.mara.token });
  const [{ id, digest } = { id: '', digest: '' }] = items;
  const body = { digest, decisions: [{ type: 'approve' }] };
  await must(place.hub, `POST /v1/inquiries/${id}/answer`, { token: place.mara.token, body });
  const news = page.getByRole('status').filter({ hasText: 'Not picked up: “build prod”. Atlas was gone.' });
  await expect(news).toBeVisible({ timeout: 40_000 });
  await page.getByRole('link', { name: 'Open', exact: true }).click();
  await expect(inquiry.verdict).toHaveText('Not picked up. Atlas was gone; nothing ran.');
  await page.goto(`${place.origin}/history`);
  await expect(page.getByRole('main')).toContainText(
    /Not picked up .*Approved by you, on .*\. Atlas was gone; nothing ran/,
  );
  const again = await askAndWait(place, 'anew');
  await page.goto(place.origin);
  await inquiry.open('build prod');
  await expect(inquiry.panel).toContainText('Nobody picked that answer up. This is a new question.');
  again.leave();
});

/** Asks as an agent that waits for its answer; `leave` breaks its connection. */
async function askAndWait({ hub, source }: Place, key: string) {
  const leaving = new AbortController();
  const reply = must<Inquiry>(hub, 'POST /v1/inquiries?wait=100', {
    token: source.key,
    body: { actions: BUILD, key },
    signal: leaving.signal,
  }).catch(() => undefined);
  return { reply: () => reply, leave: () => leaving.abort() };
}
