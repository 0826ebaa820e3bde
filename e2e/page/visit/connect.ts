import { expect, type Page } from '@playwright/test';
import { press, slab } from '../press.ts';
import type { Look } from '../screens.ts';
import { goTo } from '../sign-in.ts';

/** Walks through Connect: a new key, the sources and one of them, and a new connection. */
export async function visitConnect(page: Page, look: Look): Promise<void> {
  await goTo(page, 'Connect');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('What do you connect?');
  await look('connect');
  await page.getByRole('textbox', { name: 'Name, shown' }).fill('Claude Code');
  await press(slab(page, 'New key'), page.getByRole('button', { name: 'Copy the key' }));
  await look('connect-key');
  await page.getByRole('link', { name: 'Sources', exact: true }).click();
  await expect(page.getByRole('region', { name: 'Gates' })).toBeVisible();
  await look('sources');
  await page.getByRole('link', { name: 'Atlas' }).click();
  await expect(page.getByRole('region', { name: 'Deliveries' })).toContainText('Nothing was sent yet.');
  await look('source');
  await page.getByRole('link', { name: 'Connections', exact: true }).click();
  await expect(page.getByText('No connection yet.')).toBeVisible();
  await look('connections');
  await slab(page, 'New connection').click();
  await look('connection-new');
}
