import { expect, type Locator, type Page } from '@playwright/test';

/**
 * Presses until it shows. An inquiry or dialog that has just come takes no press in its first moment, because that was
 * meant for what lay there before: this waits for an inquiry to have come, and presses a dialog again.
 */
export async function press(button: Locator, shows: Locator): Promise<void> {
  const arriving = button.page().locator('.panel.is-arriving');
  await expect(async () => {
    if (!(await shows.isVisible())) {
      await button.waitFor({ timeout: 2000 });
      await expect(arriving).toHaveCount(0, { timeout: 2000 });
      // A hand comes from elsewhere: what stands under a pointer that has not left takes no press.
      await button.page().mouse.move(2, 2);
      await button.click({ timeout: 2000 });
    }
    await expect(shows).toBeVisible({ timeout: 2000 });
  }).toPass();
}

/** Presses a key until it shows: keys act on a question only after a pause in the typing since it came. */
export async function pressKey(page: Page, key: string, shows: Locator): Promise<void> {
  await expect(async () => {
    if (!(await shows.isVisible())) await page.keyboard.press(key);
    await expect(shows).toBeVisible({ timeout: 2000 });
  }).toPass();
}

/**
 * Presses a button that says it waits, until it says why and `focused` has the focus: why may stand there before, and a
 * press in the moment after the button moved does nothing.
 */
export async function pressAnyway(button: Locator, why: Locator, focused?: Locator): Promise<void> {
  await expect(async () => {
    await button.click({ force: true, timeout: 2000 });
    await expect(why).toBeVisible({ timeout: 2000 });
    if (focused) await expect(focused).toBeFocused({ timeout: 2000 });
  }).toPass();
}

/** A deciding button by its words; the style sheet draws the full stop of the main one. */
export function button(within: { getByRole: Locator['getByRole'] }, words: string): Locator {
  return within.getByRole('button', { name: exactly(words) });
}

/** Exactly these words, with or without a full stop. */
export function exactly(words: string): RegExp {
  return new RegExp(`^${words.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}\\.?$`);
}
