import { expect, type Page } from '@playwright/test';
import { must } from '../../hub/call.ts';
import { button, press } from '../press.ts';
import type { Place } from '../scene.ts';
import type { Look } from './look.ts';

/** Walks a signed-in page through YOLO: before it, while it is on, and the list of what it did. */
export async function visitYolo(place: Place, page: Page, look: Look): Promise<void> {
  await page.goto(`${place.origin}/yolo`);
  await press(button(page, 'Start…'), page.getByRole('dialog'));
  await page.getByRole('radio', { name: /^Another end/ }).check();
  await page.getByRole('combobox', { name: 'For' }).selectOption('these sources');
  await look('yolo');
  const { token } = place.mara;
  const body = { calls: 'approve', questions: 'you-decide', until: 3600 };
  const { id } = await must<{ id: string }>(place.hub, 'POST /v1/yolo', { token, body });
  const call = { args: { command: 'npm test' }, allowed: ['approve' as const] };
  for (const name of ['Bash', 'Bash', 'Bash', 'Write'])
    await place.ask({ prompt: 'May I go on?', actions: [{ name, ...call }] });
  await place.ask({ prompt: 'Which colour?' });
  const careful = await place.ask({ prompt: 'May I wipe it?', actions: [{ name: 'Bash', ...call, caution: true }] });
  await page.goto(`${place.origin}/yolo`);
  await expect(page.getByText('5 settled so far.')).toBeVisible();
  await look('yolo-on');
  await page.goto(`${place.origin}/i/${careful.id}`);
  await expect(page.getByRole('status').filter({ hasText: /^YOLO until/ })).toBeVisible();
  await look('yolo-inquiry');
  await must(place.hub, `POST /v1/yolo/${id}/stop`, { token });
  await page.goto(`${place.origin}/settings`);
  await expect(page.getByRole('status').filter({ hasText: /^YOLO ended/ })).toBeVisible();
  await look('yolo-ended');
  await page.goto(`${place.origin}/yolo#${id}`);
  await expect(page.getByRole('heading', { level: 1 })).toContainText('4 calls approved.');
  await look('yolo-end');
  await press(page.getByRole('button', { name: 'Make rules of these' }), page.getByRole('dialog'));
  await look('yolo-rules');
  await page.keyboard.press('Escape');
  await button(page, 'OK').click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('YOLO is off.');
  await look('yolo-before');
}
