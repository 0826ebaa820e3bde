import type { Page } from '@playwright/test';
import { must } from './hub/call.ts';
import { InquiryPage } from './page/inquiry.ts';
import { expect, testOnOneHub as test } from './page/scene.ts';
import { settled } from './page/screens.ts';
import { SEEN_IN } from './page/sizes.ts';

/** The texts of the open inquiry whose lines stand where the outcome badge is drawn. */
const crossed = (page: Page) => page.evaluate<string[]>(CROSSED);

for (const [size, viewport] of Object.entries(SEEN_IN))
  test(`an outcome badge is drawn over no text, however long the names and the title are, on ${size}`, async ({
    place,
    openDevice,
  }) => {
    const page = await openDevice('Phone', { viewport });
    const inquiry = new InquiryPage(page);
    const { id, digest } = await place.ask({
      title: 'Shall the nightly release of the checkout service to all customers in Europe go out before Monday?',
      prompt: 'The tests passed. '.repeat(30),
      context: {
        agent: 'release-train-conductor-of-the-night',
        cwd: '~/code/shop/services/checkout',
        runId: 'run 482',
      },
    });
    const answer = `POST /v1/inquiries/${id}/answer`;
    await must(place.hub, answer, { token: place.mara.token, body: { digest, text: 'Yes. '.repeat(40) } });
    await page.goto(`${place.origin}/i/${id}`);
    await expect(inquiry.verdict).toBeVisible();
    await expect(page.locator('.outcome-badge')).toBeVisible();
    await settled(page);
    expect(await crossed(page)).toEqual([]);
  });

const CROSSED = `(() => {
  const mark = document.querySelector('.outcome-badge').getBoundingClientRect();
  const texts = document.createTreeWalker(document.querySelector('#open'), NodeFilter.SHOW_TEXT);
  const found = [];
  for (let text = texts.nextNode(); text; text = texts.nextNode()) {
    if (text.parentElement.closest('svg, .sr') || !text.data.trim()) continue;
    const range = document.createRange();
    range.selectNodeContents(text);
    const over = ({ left, right, top, bottom }) =>
      left < mark.right - 1 && right > mark.left + 1 && top < mark.bottom - 1 && bottom > mark.top + 1;
    if ([...range.getClientRects()].some(over)) found.push(text.data.trim());
  }
  return found;
})()`;
