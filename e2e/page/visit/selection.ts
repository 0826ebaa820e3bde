import type { Look } from './look.ts';
import { expect, type Page } from '@playwright/test';
import { button } from '../press.ts';
import type { Place } from '../scene.ts';

/** Calls of one run as they are selected and shown before they are decided together. */
export async function visitSelection(place: Place, page: Page, look: Look): Promise<void> {
  const calls = [];
  for (const name of ['refunds', 'sessions --timeout 120000', 'mail']) {
    const args = { command: `npm test -- ${name}` };
    const action = { name: 'Bash', args, description: 'Check it', allowed: ['approve' as const, 'reject' as const] };
    calls.push(await place.ask({ actions: [action], context: { runId: 'run 482' } }));
  }
  await button(page, 'Approve 3, Atlas, run 482').click();
  await expect(page.getByRole('dialog', { name: 'Approve these 3 calls?' })).toBeVisible();
  await look('run-dialog');
  await button(page.getByRole('dialog'), 'Cancel').click();
  await page.getByRole('button', { name: 'Select', exact: true }).click();
  await page.getByRole('checkbox', { name: /refunds/ }).check();
  await page.getByRole('button', { name: 'Like the first 3' }).click();
  await expect(button(page, 'Approve 3')).toBeVisible();
  await look('inbox-select');
  // Those that are left out, and why.
  const more = page.getByRole('button', { name: /^Show \d+ more/ });
  while ((await more.count()) > 0) await more.first().click();
  await look('inbox-select-all');
  await button(page, 'Approve 3').click();
  await expect(page.getByRole('dialog', { name: 'Approve these 3 calls?' })).toBeVisible();
  await look('select-dialog');
  await button(page.getByRole('dialog'), 'Cancel').click();
  await page.getByRole('button', { name: 'Cancel' }).click();
  await page.getByRole('button', { name: 'Filter' }).click();
  await look('inbox-filter');
  await button(page.getByRole('dialog'), 'Close').click();
  for (const call of calls) await place.withdraw(call);
}
