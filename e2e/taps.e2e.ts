import type { Locator, Page } from '@playwright/test';
import type { Ask, Inquiry } from '#shared/inquiry.ts';
import { must } from './hub/call.ts';
import { InquiryPage } from './page/inquiry.ts';
import { expect, type Place, testOnOneHub as test } from './page/scene.ts';

const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };
const CALL: Ask = {
  title: 'May I refund Anna?',
  actions: [{ name: 'refund', args: { order: 'A-1077' }, allowed: ['approve', 'edit', 'reject'] }],
};
const YES_NO: Ask = {
  questions: [
    {
      id: 'q',
      type: 'choice',
      prompt: 'Ship it?',
      options: ['Yes', 'No'].map((label) => ({ value: label.toLowerCase(), label })),
    },
  ],
};

const KINDS: Record<string, [Ask, string, string]> = {
  'yes or no': [YES_NO, 'No', 'No'],
  'an approval': [CALL, 'Approve', 'Approved'],
  'a rejection': [CALL, 'Reject', 'Rejected'],
};

for (const [kind, [ask, answer, text]] of Object.entries(KINDS))
  test(`two taps from the inbox: ${kind}`, async ({ place, openDevice }) => {
    await must(place.hub, 'PATCH /v1/people/me', {
      token: place.mara.token,
      body: { preferences: { undoSeconds: 1 } },
    });
    const page = await openDevice('Phone', PHONE);
    const inquiry = new InquiryPage(page);
    const asked = await place.ask(ask);
    const taps = await countTaps(page);
    await tapUntil(page.getByRole('link', { name: asked.title }), inquiry.button(answer));
    await isReady(inquiry);
    await inquiry.button(answer).tap();
    await expect.poll(() => textOf(place, asked), { timeout: 20_000 }).toContain(text);
    expect(await taps()).toBe(2);
  });

const bash = (at: number) => ({ name: 'Bash', args: { command: `npm test -- part-${at}` } });
const MAY = { allowed: ['approve' as const, 'reject' as const] };

test('at most four taps from the inbox approve a run of 24, each of which was on the screen', async ({
  place,
  openDevice,
}) => {
  const page = await openDevice('Phone', PHONE);
  const asked: Inquiry[] = [];
  for (let at = 0; at < 24; at += 1)
    asked.push(await place.ask({ actions: [{ ...bash(at), ...MAY }], context: { runId: 'run 482' } }));
  const taps = await countTaps(page);
  await page.getByRole('button', { name: /^Approve 24/ }).tap();
  const dialog = page.getByRole('dialog', { name: 'Approve these 24 calls?' });
  const approve = dialog.getByRole('button', { name: /^Approve 24/ });
  await expect(approve).toHaveAttribute('aria-disabled', 'true');
  await dialog.locator('ol').evaluate(READ_THROUGH);
  await expect(approve).not.toHaveAttribute('aria-disabled');
  await approve.tap();
  for (const one of asked)
    expect((await place.read(one, 10)).resolution?.answer?.decisions).toEqual([{ type: 'approve' }]);
  expect(await taps()).toBeLessThanOrEqual(4);
});

test('at most four taps from the inbox approve 20 calls of one inquiry, whose button says how many of what', async ({
  place,
  openDevice,
}) => {
  const page = await openDevice('Phone', PHONE);
  const slack = (at: number) => ({ name: 'Slack', args: { channel: 'ops', text: `Part ${at}` } });
  const actions = Array.from({ length: 20 }, (_, at) => ({ ...(at < 13 ? bash(at) : slack(at)), ...MAY }));
  const asked = await place.ask({ actions });
  const taps = await countTaps(page);
  const inquiry = new InquiryPage(page);
  const approve = inquiry.panel.getByRole('button', { name: /^Approve all 20/ });
  await tapUntil(page.getByRole('link', { name: '20 calls: Bash 13, Slack 7' }), approve);
  await expect(inquiry.below).toBeVisible();
  await page.evaluate(STOOD_STILL);
  await page.evaluate(READ_THROUGH_PAGE);
  await isReady(inquiry);
  await expect(approve).toHaveText(/^Approve all 20\s*Bash 13, Slack 7$/);
  await approve.tap();
  await expect.poll(() => textOf(place, asked), { timeout: 20_000 }).toContain('Approved');
  expect((await place.read(asked)).resolution?.answer?.decisions).toHaveLength(20);
  expect(await taps()).toBeLessThanOrEqual(4);
});

// As a finger draws it up: a window at a time, with a moment for each.
const READ_THROUGH = async (list: Element) => {
  for (let top = 0; top < list.scrollHeight; top += list.clientHeight / 2) {
    list.scrollTo({ top, behavior: 'instant' });
    // A page that is slow looks in between, each time.
    for (let look = 0; look < 4; look++) await new Promise((done) => setTimeout(done, 50));
  }
};
const READ_THROUGH_PAGE = `(${String(READ_THROUGH)})(document.scrollingElement)`;

const textOf = async (place: Place, asked: Inquiry) => (await place.read(asked)).resolution?.text ?? '';

async function tapUntil(link: Locator, shows: Locator): Promise<void> {
  await link.tap();
  await expect(shows).toBeVisible();
}

// An inquiry that has just come takes no tap, nor one whose buttons something that came late has just moved.
async function isReady(inquiry: InquiryPage): Promise<void> {
  await expect(inquiry.panel.locator('.panel.is-arriving')).toHaveCount(0);
  await expect(inquiry.panel.locator('.bar [aria-disabled=true]')).toHaveCount(0);
  await inquiry.page.evaluate(STOOD_STILL);
}

const STOOD_STILL = `new Promise((done) => {
  let stood;
  const look = (now) => {
    const top = document.querySelector('.inquiry .bar')?.getBoundingClientRect().top;
    if (top === undefined || stood?.top !== top) stood = { top, since: now };
    if (now - stood.since > 400) done();
    else requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
})`;

async function countTaps(page: Page): Promise<() => Promise<number>> {
  await page.evaluate(() => {
    const counted = { taps: 0 };
    Object.assign(globalThis, { counted });
    addEventListener('pointerup', () => counted.taps++, true);
  });
  return () => page.evaluate<number>('counted.taps');
}
