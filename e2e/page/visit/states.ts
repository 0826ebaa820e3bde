import type { Look } from './look.ts';
import { expect, type Page } from '@playwright/test';
import type { Action, Ask } from '#shared/inquiry.ts';
import { must } from '../../hub/call.ts';
import { InquiryPage } from '../inquiry.ts';
import { press } from '../press.ts';
import type { Place } from '../scene.ts';
import { visitHands } from './hands.ts';
const lines = (count: number, name = 'line') => Array.from({ length: count }, (_, at) => `${name} ${at + 1}`);
const bash = (command: string, more: Partial<Action> = {}): Action => ({
  name: 'Bash',
  args: { command },
  allowed: ['approve', 'edit', 'reject'],
  ...more,
});
const CONTEXT = { agent: 'claude-code', cwd: '~/code/shop-api', runId: 'run 482' };
const RELEASED = { tag: 'v2.4', assets: [{ name: 'a.tgz', size: 12 }], author: { mail: { to: 'mara@example.com' } } };
const RELEASE: Action = {
  name: 'release',
  args: RELEASED,
  allowed: ['approve', 'edit', 'reject'],
  argsSchema: {
    type: 'object',
    properties: {
      tag: { type: 'string' },
      assets: {
        type: 'array',
        items: { type: 'object', properties: { name: { type: 'string' }, size: { type: 'integer' } } },
      },
      author: {
        type: 'object',
        properties: { mail: { type: 'object', properties: { to: { type: 'string', format: 'email' } } } },
      },
    },
  },
};
const TWO_CHANGES: Action = {
  name: 'Edit',
  args: {},
  allowed: ['approve', 'reject'],
  diff: [
    {
      path: 'src/sign-in/session.ts',
      oldText: lines(60).join('\n'),
      newText: lines(60).with(1, 'first change').toSpliced(57, 1, 'second', 'change').join('\n'),
    },
  ],
};
const ANSWERS = ['Release now', 'Wait until Monday', 'Ask Jonas'].map((label) => ({ value: label, label }));

/** Walks a signed-in page through an inbox of fifty, and through the states of a call that its samples do not show. */
export async function visitStates(place: Place, page: Page, look: Look): Promise<void> {
  const inquiry = new InquiryPage(page);
  const open = async (ask: Ask) => {
    const asked = await place.ask(ask);
    await page.goto(`${place.origin}/i/${asked.id}`);
    await expect(inquiry.panel.getByRole('button', { name: /^(Reject|Decline)/ }).first()).toBeVisible();
    return asked;
  };
  await open({ questions: [{ id: 'when', type: 'choice', prompt: 'Release 2.4 now?', options: ANSWERS }] });
  await look('inquiry-choice-three');
  await open({ actions: [RELEASE], context: CONTEXT });
  await press(inquiry.quiet('Edit'), inquiry.quiet('As JSON'));
  await look('inquiry-editing-fields');
  await inquiry.quiet('As JSON').click();
  await look('inquiry-editing-json');
  await open({ actions: [TWO_CHANGES], context: CONTEXT });
  await press(
    inquiry.panel.getByRole('button', { name: 'Next change' }),
    inquiry.panel.getByText('Change 2 of 2', { exact: true }),
  );
  await look('inquiry-second-change');
  await open({ actions: [bash(lines(200, 'step').join('\n'), { caution: true })], context: CONTEXT });
  await expect(inquiry.below).toBeVisible();
  await look('inquiry-below');
  await visitHands(place, inquiry, look);
  await visitReceipts(place, inquiry, look);
  await visitMany(place, page, look);
}

/** What stays of a call that was approved, changed and rejected, and the same call asked again. */
async function visitReceipts(place: Place, inquiry: InquiryPage, look: Look): Promise<void> {
  const { page } = inquiry;
  const decide = async (name: string, action: Action, decision: object) => {
    const { id, digest } = await place.ask({ actions: [action], context: CONTEXT });
    const body = { decisions: [decision], digest };
    await must(place.hub, `POST /v1/inquiries/${id}/answer`, { token: place.mara.token, body });
    await page.goto(`${place.origin}/i/${id}`);
    await expect(inquiry.verdict).toBeVisible();
    await look(`receipt-${name}`);
  };
  await decide('approved', bash('rm -rf node_modules && npm ci'), { type: 'approve' });
  await decide('edited', RELEASE, { type: 'edit', args: { ...RELEASED, tag: 'v2.4.1' } });
  await decide('rejected', bash('npm run db:migrate -- --env staging'), {
    type: 'reject',
    message: 'Not on a Friday.',
  });
  const again = await place.ask({ actions: [bash('rm -rf node_modules && npm ci')], context: CONTEXT });
  await page.goto(`${place.origin}/i/${again.id}`);
  await expect(inquiry.button('Approve')).toBeVisible();
  await expect(page.getByText('P.S.')).toBeAttached();
  await look('inquiry-asked-before');
}

/** Fifty questions, by themselves, searched in vain, and without a line to the hub. */
async function visitMany(place: Place, page: Page, look: Look): Promise<void> {
  await place.ask({ prompt: 'Roll back 2.4? Checkout fails for one in five.', urgency: 'high', deadline: 7200 });
  await place.ask({ actions: [bash('psql -c "drop database preview_41"', { caution: true })], deadline: 600 });
  for (const part of lines(43, 'part'))
    await place.ask({ actions: [bash(`npm test -- ${part}`)], context: { runId: `run ${part.length}` } });
  await page.goto(place.origin);
  await expect(page.getByRole('heading', { name: /^50 wait/ })).toBeVisible();
  await look('inbox-many');
  const search = page.getByRole('button', { name: 'Search', exact: true });
  if (await search.isVisible()) await search.click();
  await page.getByRole('searchbox').fill('nothing like it');
  await expect(page.getByText('Nothing of what waits fits.')).toBeVisible();
  await look('inbox-no-hit');
  await page.getByRole('searchbox').fill('');
  await page.context().setOffline(true);
  await expect(page.getByText(/^Offline since/)).toBeVisible({ timeout: 60_000 });
  await look('inbox-offline');
  await page.context().setOffline(false);
  await expect(page.getByText(/^Offline since/)).toHaveCount(0, { timeout: 60_000 });
}
