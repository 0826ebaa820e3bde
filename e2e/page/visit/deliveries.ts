import type { Look } from './look.ts';
import { expect, type Page } from '@playwright/test';
import { must } from '../../hub/call.ts';
import { startEndpoint } from '../../hub/endpoint.ts';
import { press } from '../press.ts';
import type { Place } from '../scene.ts';
const STATUS: Record<string, number> = { delivered: 204, gone: 410, waits: 503 };

/** Looks at a source's page with a webhook of every end, and while its webhooks are paused. */
export async function visitDeliveries(
  { hub, mara, source, ask, origin }: Place,
  page: Page,
  look: Look,
): Promise<void> {
  const { token } = mara;
  const endpoint = await startEndpoint(({ path }) => STATUS[path.slice(1)] ?? 500);
  const change = (body: object) => must(hub, `PATCH /v1/sources/${source.source.id}`, { token, body });
  const settle = async (prompt: string, path?: string) => {
    const { id } = await ask({ prompt });
    await change({ webhookUrl: path && `${endpoint.url}/${path}` });
    await must(hub, `POST /v1/inquiries/${id}/answer`, { token, body: { text: 'Yes' } });
    await change({ webhookUrl: null });
  };
  try {
    for (const path of Object.keys(STATUS)) await settle(`Publish what is ${path}?`, path);
    await expect.poll(() => endpoint.got.length).toBe(3);
    await page.goto(`${origin}/sources/${source.source.id}`);
    const waits = page.getByRole('row').filter({ hasText: 'Publish what is waits?' });
    await expect(waits).toContainText('503 from');
    await press(waits.locator('summary'), waits.locator('pre'));
    await press(page.locator('summary', { hasText: 'Approvals' }), page.getByText('People who must approve'));
    await look('source-deliveries');
    await press(page.getByRole('button', { name: 'Pause', exact: true }), page.getByText(/^Paused since/));
    await waits.locator('summary').click();
    await look('source-paused');
    await change({ webhooksPaused: false });
  } finally {
    await endpoint.close();
  }
}
