import type { Look } from './look.ts';
import { expect, type Page } from '@playwright/test';
import type { Place } from '../scene.ts';

/** Walks through the page of quiet hours. */
export async function visitQuiet(place: Place, page: Page, look: Look): Promise<void> {
  await page.goto(`${place.origin}/quiet`);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('No quiet hours.');
  await look('quiet-none');
  await page.getByRole('button', { name: 'New quiet hours' }).click();
  await expect(page.getByLabel('From', { exact: true })).toHaveValue('22:00');
  await page.getByRole('combobox', { name: 'Days' }).selectOption('These days');
  await expect(page.getByRole('checkbox', { name: 'Su' })).toBeChecked();
  await look('quiet');
}
