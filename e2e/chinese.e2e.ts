import type { Page } from '@playwright/test';
import { must } from './hub/call.ts';
import { InquiryPage } from './page/inquiry.ts';
import { press } from './page/press.ts';
import { expect, test } from './page/scene.ts';

const PLACES = ['收件箱', '历史记录', '自动化', '接入', '设置'];

test('the language can be switched to Chinese, and nothing of the page stays English', async ({
  place,
  openDevice,
}) => {
  await must(place.hub, 'PATCH /v1/people/me', {
    token: place.mara.token,
    body: { preferences: { undoSeconds: 10 } },
  });
  const page = await openDevice('手机');
  await page.getByRole('link', { name: 'Settings' }).click();
  await page.getByRole('combobox', { name: 'Language' }).selectOption('中文');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('设置');
  await expect(page.getByRole('navigation', { name: '导航' }).getByRole('link')).toHaveText(PLACES);
  await expect(page.locator('html')).toHaveAttribute('lang', /^zh/);
  expect(await linesOfPlaces(page, { width: 1280, height: 800 })).toEqual([1, 1, 1, 1, 1]);
  const asked = await place.ask({
    questions: [
      {
        id: 'day',
        type: 'choice',
        prompt: '结账页面什么时候上线？',
        options: [
          { value: 'mon', label: '星期一' },
          { value: 'wait', label: '再等等' },
        ],
        allowOther: true,
      },
    ],
    context: { language: 'zh' },
  });
  for (const name of PLACES) {
    await page.getByRole('link', { name, exact: true }).click();
    await expect(page).toHaveTitle(new RegExp(`${name} · Beckon`));
    await expect(page.getByRole('main')).not.toHaveAttribute('aria-busy', 'true');
    expect(await latin(page), name).toEqual([]);
  }

  await page.reload();
  await page.getByRole('link', { name: '收件箱', exact: true }).click();
  const inquiry = new InquiryPage(page);
  await expect(inquiry.heading).toHaveText('结账页面什么时候上线？');
  await press(inquiry.button('再等等'), page.locator('.undo'));
  await expect(page.locator('.undo')).toContainText('即将发送：再等等');
  await expect(page.locator('.undo').getByRole('button')).toHaveText(['撤销']);
  expect(await latin(page)).toEqual([]);
  await page.reload();
  await expect(inquiry.verdict).toHaveText('Atlas 收到了你的答复。');
  expect(await latin(page)).toEqual([]);
  expect((await place.read(asked)).resolution).toMatchObject({ text: '再等等' });
});

// Names of people, things and techniques that are written in Latin letters in Chinese too.
const NAMES =
  /Atlas|YOLO|Command line|Mara|mara|owner|Beckon|Chrome|Linux|Terminal|English|Claude Code|MCP|[Ww]ebhook|curl|esc|https?|Enter/g;

/** Words of headings, buttons, links and labels that are written in Latin letters. */
async function latin(page: Page): Promise<string[]> {
  const said: string[] = [];
  for (const role of ['heading', 'button', 'link', 'radio', 'navigation', 'complementary'] as const)
    for (const one of await page.getByRole(role).all())
      said.push(
        (await one.getAttribute('aria-label')) ??
          (role === 'heading' || role === 'button' ? await one.innerText() : ''),
      );
  return said.filter((words) => /[A-Za-z]{2,}/.test(words.replace(NAMES, '')));
}

/** In how many lines the name of each place stands on a screen of this size. */
async function linesOfPlaces(page: Page, size: { width: number; height: number }): Promise<number[]> {
  const before = page.viewportSize();
  await page.setViewportSize(size);
  const lines = await page
    .getByRole('navigation', { name: '导航' })
    .getByRole('link')
    .evaluateAll((links) =>
      links.map((link) => {
        const words = document.createRange();
        words.selectNodeContents(link);
        return new Set([...words.getClientRects()].map(({ top }) => Math.round(top))).size;
      }),
    );
  if (before) await page.setViewportSize(before);
  return lines;
}
