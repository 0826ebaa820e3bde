import { readFileSync } from 'node:fs';
import type { Page } from '@playwright/test';
import type { Inquiry } from '#shared/inquiry.ts';
import type { Source } from '#shared/wire.ts';
import { must } from './hub/call.ts';
import { faultsOf } from './page/axe.ts';
import { button } from './page/press.ts';
import { expect, type Place, test } from './page/scene.ts';
import { settled } from './page/screens.ts';
import { goTo } from './page/sign-in.ts';
import { SIZES } from './page/sizes.ts';

const SHOTS = process.env['TEXTS_SHOTS'];

async function shoot(page: Page, name: string): Promise<void> {
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(page.viewportSize()?.width);
  expect(await faultsOf(page)).toEqual([]);
  if (!SHOTS) return;
  await settled(page);
  await page.screenshot({ path: `${SHOTS}/${name}.png`, fullPage: true });
}

async function sourceOf({ hub, mara, source }: Place): Promise<Source | undefined> {
  const { items } = await must<{ items: Source[] }>(hub, 'GET /v1/sources', { token: mara.token });
  return items.find(({ id }) => id === source.source.id);
}

for (const [size, viewport] of Object.entries(SIZES)) {
  test(`the owner words what an agent reads, sees it as the agent does, and goes back to the hub’s, on a ${size}`, async ({
    place,
    openDevice,
  }) => {
    const { hub, mara } = place;
    const rules = [{ name: 'Nights', when: {}, then: 'unanswered' }];
    await must(hub, 'PUT /v1/policies', { token: mara.token, body: { version: 0, rules } });
    const told = async () => ((await place.ask({ prompt: 'Which city?' })) as Inquiry).resolution?.text;
    const page = await openDevice('Mine', { viewport });
    await goTo(page, 'Connect');
    await page.getByRole('navigation', { name: 'Connect' }).getByRole('link', { name: 'Sources' }).click();
    await page.getByRole('link', { name: 'Atlas' }).click();
    const expired = page.getByRole('textbox', { name: 'Nobody answers in time' });
    await expect(expired).toHaveValue(/^Nobody answered in time\. Nobody decided/);
    await shoot(page, `texts-${size}`);
    await expired.fill('“{title}” by {who}');
    await expect(page.getByRole('alert')).toHaveText('It cannot name {who}. Can name {title}, {deadline}.');
    await button(page, 'Save').click();
    await expect(page.getByRole('alert').last()).toContainText('texts/expired names {who}');
    expect(await sourceOf(place)).toEqual({ ...place.source.source, usedAt: (await sourceOf(place))?.usedAt });
    await expired.fill('Park “{title}”.');
    await expect(page.getByText('The agent reads: Park “Which city?”.')).toBeVisible();
    await button(page, 'Save').click();
    await expect(page.getByText('Saved.')).toBeVisible();
    await shoot(page, `texts-own-${size}`);
    expect([(await sourceOf(place))?.texts, await told()]).toEqual([
      { expired: 'Park “{title}”.' },
      'Park “Which city?”.',
    ]);
    await page.reload();
    await expect(expired).toHaveValue('Park “{title}”.');
    await page.getByRole('button', { name: 'Use the hub’s own: Nobody answers in time' }).click();
    await page.getByRole('combobox', { name: /^Language/ }).selectOption('zh');
    await expect(expired).toHaveValue(/^没有人在时限内答复/);
    await button(page, 'Save').click();
    await expect(page.getByText('Saved.')).toBeVisible();
    expect([(await sourceOf(place))?.texts, (await told())?.slice(0, 9)]).toEqual([undefined, '没有人在时限内答复']);
  });

  test(`what to tell the model is copied from Connect, in either language, on a ${size}`, async ({ openDevice }) => {
    const page = await openDevice('Mine', { viewport, permissions: ['clipboard-read', 'clipboard-write'] });
    await goTo(page, 'Connect');
    await page.getByRole('link', { name: 'What to tell the model' }).click();
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('What to tell the model');
    const copied = async () => {
      await page.getByRole('button', { name: 'Copy “What to do with what comes back”' }).click();
      await expect(page.getByText('Copied.')).toBeAttached();
      return page.evaluate(() => navigator.clipboard.readText());
    };
    // The guide shows each fragment whole.
    const guide = readFileSync(new URL('../infra/connect-your-agent.md', import.meta.url), 'utf8');
    const shownInGuide = async () => {
      const text = await copied();
      expect(guide).toContain(`\n\`\`\`text\n${text}\n\`\`\`\n`);
      return text.split('\n')[0];
    };
    expect(await shownInGuide()).toBe('What comes back says what to do next.');
    await shoot(page, `model-${size}`);
    await page.getByRole('radio', { name: '中文' }).check();
    expect(await shownInGuide()).toBe('返回的内容决定你接下来怎么做。');
  });
}

test('a client that gives up before the hub does is told of on Connect and on the page of its source', async ({
  place,
  openDevice,
}) => {
  const { hub, source } = place;
  const page = await openDevice('Mine', { viewport: SIZES.phone });
  await Promise.all(
    ['One?', 'Two?', 'Three?'].map((prompt) =>
      fetch(`${hub.url}/v1/inquiries?wait=60`, {
        method: 'POST',
        headers: { authorization: `Bearer ${source.key}`, 'content-type': 'application/json' },
        body: JSON.stringify({ prompt, deadline: 300 }),
        signal: AbortSignal.timeout(6_000),
      }).catch(() => undefined),
    ),
  );
  await expect.poll(async () => (await sourceOf(place))?.timeouts?.hub).toBe(300);
  await goTo(page, 'Connect');
  const wrong = page.getByText(/^Atlas Time-outs in the wrong order\. Its client gave up after \d s/);
  await expect(wrong).toContainText(
    'The hub waits 300 s, a device 298 s. Answers after 6 s come too late. Ask with a deadline of 5 s,',
  );
  await shoot(page, 'timeouts-connect');
  await wrong.getByRole('link', { name: 'Atlas' }).click();
  await expect(page.getByText('Time-outs in the wrong order.')).toBeVisible();
  await shoot(page, 'timeouts-source');
});

test('the texts and the parts for the model fit a screen 320 px wide, in Chinese', async ({ place, openDevice }) => {
  const page = await openDevice('Phone', { viewport: { width: 320, height: 640 } });
  await must(place.hub, 'PATCH /v1/people/me', { token: place.mara.token, body: { locale: 'zh' } });
  await expect(page.locator('html')).toHaveAttribute('lang', 'zh');
  await page.goto(`${place.origin}/connect/model`);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('给模型的提示');
  await expect(page.getByText('沉默不等于同意。')).toBeVisible();
  await shoot(page, 'model-zh-320');
  await page.goto(`${place.origin}/sources/${place.source.source.id}`);
  await page.getByRole('textbox', { name: '跟在代答的决定之后' }).fill('代答 {who}{标题}');
  await expect(page.getByRole('alert')).toHaveText('这里不能用 {标题}。 可以用 {title}、{who}。');
  await shoot(page, 'texts-zh-320');
});
