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
