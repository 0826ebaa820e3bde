import type { Look } from './look.ts';
import { expect, type Page } from '@playwright/test';
import { must } from '../../hub/call.ts';
import type { InquiryPage } from '../inquiry.ts';
import { button, press } from '../press.ts';
import type { Place } from '../scene.ts';

/** Looks at what arrives while a call is open: an urgent question, and then a device that wants to sign in. */
export async function visitArrivals(place: Place, inquiry: InquiryPage, look: Look, id: string): Promise<void> {
  const { page } = inquiry;
  await page.goto(`${place.origin}/i/${id}`);
  await expect(inquiry.button('Reject')).toBeVisible();
  const urgent = await place.ask({ prompt: 'Roll back 2.4? Checkout fails for one in five.', urgency: 'high' });
  const announced = page.getByRole('region', { name: 'Urgent question' });
  await expect(announced).toBeVisible();
  await look('toast-urgent');
  const { enrolmentId } = await must<{ enrolmentId: string }>(place.hub, 'POST /v1/enrolments', {
    body: { handle: 'mara', deviceName: 'iPad' },
  });
  const request = page.getByRole('region', { name: 'Sign-in request' });
  await press(announced.getByRole('button', { name: 'Later' }), request);
  await look('toast-sign-in');
  await must(place.hub, `DELETE /v1/enrolments/${enrolmentId}`, { token: place.mara.token });
  await expect(request).toHaveCount(0);
  await place.withdraw(urgent);
}

/** Looks at an agent that asks for a key, over another place, and rejects it. */
export async function visitKeyRequest({ hub }: Place, page: Page, look: Look): Promise<void> {
  const host = 'build-7.example.internal';
  const body = { client_id: 'codex', client_name: `Codex, ${host}`, host_name: host };
  await must(hub, 'POST /v1/device-authorizations', { body });
  const card = page.getByRole('dialog', { name: /^Give Codex/ });
  await press(button(page.getByRole('region', { name: 'Request for a key' }), 'Review'), card);
  await look('request-key');
  await expect(async () => {
    if (await card.isVisible()) await button(card, 'Reject').click();
    await expect(card).toBeHidden({ timeout: 1000 });
  }).toPass();
}
