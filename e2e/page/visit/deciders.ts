import type { Look } from './look.ts';
import { expect, type Page } from '@playwright/test';
import { must } from '../../hub/call.ts';
import { startModel } from '../../hub/model.ts';
import { InquiryPage } from '../inquiry.ts';
import { press } from '../press.ts';
import type { Place } from '../scene.ts';

/** Walks through what deciders show: their page, a proposal beside one's words, and the time to overrule one. */
export async function visitDeciders(place: Place, page: Page, look: Look): Promise<void> {
  const { hub, mara, source } = place;
  const inquiry = new InquiryPage(page);
  const model = await startModel({ text: 'A new machine leaves today, Anna.' });
  const made = { kind: 'chat', name: 'Helper', url: model.url, model: 'qwen-3', instructions: 'Be kind.' };
  const body = { ...made, holdSeconds: 300 };
  const { id } = await must<{ id: string }>(hub, 'POST /v1/deciders', { token: mara.token, body });
  const decider = { id, suggests: true, actions: false, agentMayAsk: false };
  await must(hub, `PATCH /v1/sources/${source.source.id}`, { token: mara.token, body: { decider } });
  await page.goto(`${place.origin}/deciders#${id}`);
  await page.getByRole('button', { name: 'Test: Helper' }).click();
  await expect(page.getByText('Helper answered:')).toBeVisible();
  await look('stand-in');
  await page.goto(`${place.origin}/deciders#${id}/sources`);
  await look('stand-in-saved');
  const asked = await place.ask({ prompt: 'What shall I write to Anna?' });
  await page.goto(`${place.origin}/i/${asked.id}`);
  await expect(inquiry.panel.getByText('Helper suggests')).toBeVisible();
  await look('inquiry-proposal');
  await inquiry.quiet('What it was sent').click();
  await expect(page.getByText('Be kind.')).toBeVisible();
  await look('decider-run');
  await page.keyboard.press('Escape');
  await inquiry.quiet('Let Helper decide').click();
  await expect(inquiry.button('Answer myself')).toBeVisible();
  await look('inquiry-hold');
  await press(inquiry.quiet('Send now'), inquiry.verdict);
  await expect(inquiry.verdict).toHaveText('Decided by Helper.');
  await look('verdict-decider');
  await must(hub, `PATCH /v1/sources/${source.source.id}`, { token: mara.token, body: { decider: null } });
  model.close();
}
