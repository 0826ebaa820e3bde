import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, type Page } from '@playwright/test';
import type { AxeResults, RunOptions } from 'axe-core';
import { settled } from './screens.ts';

/** A rule that was broken, where, and what axe-core says of it. */
type Fault = [rule: string, html: string, message: string | undefined];

const AXE = readFileSync(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8');
// Those that look at colours; the others find the same in both themes.
const COLOURS = ['color-contrast', 'link-in-text-block'];

/** Looks with axe-core at what stands on the page once nothing moves on it, in both themes; none is as it should be. */
export async function faultsOf(page: Page): Promise<Fault[]> {
  // Between two inquiries there is none for a moment.
  await expect(page.getByRole('main')).toBeVisible();
  const faults: Fault[] = [];
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    await settled(page);
    const { violations } = await run(page, colorScheme === 'dark' ? { runOnly: COLOURS } : {});
    for (const { id, nodes } of violations) for (const { html, any } of nodes) faults.push([id, html, any[0]?.message]);
  }
  return faults;
}

async function run(page: Page, options: RunOptions): Promise<AxeResults> {
  // Once for each document: it is half a megabyte.
  if (!(await page.evaluate('"axe" in globalThis'))) await page.evaluate(AXE);
  const only: RunOptions = { resultTypes: ['violations'], ...options };
  return page.evaluate(`axe.run(document, ${JSON.stringify(only)})`);
}
