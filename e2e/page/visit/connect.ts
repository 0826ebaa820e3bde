import type { NewConnectionReply } from '#shared/connections/connection.ts';
import type { Inquiry } from '#shared/inquiry.ts';
import type { Look } from './look.ts';
import { expect, type Page } from '@playwright/test';
import { call, must } from '../../hub/call.ts';
import { press, button } from '../press.ts';
import type { Place } from '../scene.ts';
import { goTo } from '../sign-in.ts';

/** Walks through Connect: a new key, the sources and one of them, and a new connection. */
export async function visitConnect(place: Place, page: Page, look: Look): Promise<void> {
  await goTo(page, 'Connect');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('What do you connect?');
  await look('connect');
  await page.getByRole('radio', { name: 'JSON to paste' }).check();
  await page.getByRole('textbox', { name: 'Name, shown' }).fill('Claude Code');
  await press(button(page, 'New key'), page.getByRole('button', { name: 'Copy the key' }));
  await look('connect-key');
  const token = /bks_[\w-]+/.exec((await page.getByRole('main').textContent()) ?? '')?.[0] ?? '';
  const first = await must<Inquiry>(place.hub, 'POST /v1/inquiries', { token, body: { prompt: 'Can you read this?' } });
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('First question arrived.');
  await look('connect-arrived');
  await must(place.hub, `POST /v1/inquiries/${first.id}/withdraw`, { token, body: {} });
  await page.goto(`${place.origin}/connect/model`);
  await expect(page.getByRole('button', { name: /^Copy “/ }).first()).toBeVisible();
  await look('connect-model');
  await page.getByRole('link', { name: 'Sources', exact: true }).click();
  await expect(page.getByRole('region', { name: 'Gates' })).toBeVisible();
  await look('sources');
  await page.getByRole('link', { name: 'Atlas' }).click();
  await expect(page.getByRole('region', { name: 'Deliveries' })).toContainText('Nothing was sent yet.');
  await look('source');
  await page.getByRole('link', { name: 'Connections', exact: true }).click();
  await expect(page.getByText('No connection yet.')).toBeVisible();
  await look('connections');
  await button(page, 'New connection').click();
  await look('connection-new');
  await visitConnection(place, page, look);
}

// One whose client gives up before the hub does, with a contact that was refused.
async function visitConnection({ hub, mara, origin }: Place, page: Page, look: Look): Promise<void> {
  const { token } = mara;
  const made = { kind: 'inbound', name: 'Lumen', answerUrl: 'http://127.0.0.1:9/answer', platformLimit: 60 };
  const { connection, url } = await must<NewConnectionReply>(hub, 'POST /v1/connections', { token, body: made });
  await call(hub, `POST ${new URL(url).pathname}`, { body: { no: 'question' } });
  await page.goto(`${origin}/connections`);
  await expect(page.getByRole('link', { name: 'Lumen' })).toBeVisible();
  await look('connections-one');
  await page.goto(`${origin}/connections/${connection.id}`);
  await expect(page.getByText('Time-outs in the wrong order.')).toBeVisible();
  await expect(page.getByRole('region', { name: 'Last contacts' })).toBeVisible();
  await look('connection');
  await must(hub, `DELETE /v1/connections/${connection.id}`, { token });
}
