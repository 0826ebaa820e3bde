import type { Look } from './look.ts';
import { expect, type Page } from '@playwright/test';
import { startUpstream } from '../../gate/upstream.ts';
import { must } from '../../hub/call.ts';
import type { Place } from '../scene.ts';

/** Looks at a gate, the rules of its tools, and the form that makes one. */
export async function visitGates({ hub, mara, origin }: Place, page: Page, look: Look): Promise<void> {
  const upstream = await startUpstream();
  const { token } = mara;
  try {
    const rules = [{ tool: 'delete_*', does: 'deny' }];
    await must(hub, 'PUT /v1/gates/notes', { token, body: { upstream: { url: upstream.url }, rules } });
    await page.goto(`${origin}/sources`);
    const section = page.getByRole('region', { name: 'Gates' });
    await section.getByRole('button', { name: 'Tools of notes' }).click();
    await expect(section.getByRole('list', { name: 'Tools of notes' })).toBeVisible();
    await look('gate-tools');
    await section.getByRole('button', { name: 'Close the tools of notes' }).click();
    await section.getByRole('button', { name: 'Add a gate' }).click();
    await look('gate-new');
    await must(hub, 'DELETE /v1/gates/notes', { token });
  } finally {
    await upstream.close();
  }
}
