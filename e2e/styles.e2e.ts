import type { Page } from '@playwright/test';
import { must } from './hub/call.ts';
import { expect, type Place, test } from './page/scene.ts';
import { badLines } from './page/lines.ts';
import { type Layout, layout } from './page/styles.ts';

const PLACES = ['history', 'attention', 'devices', 'connect', 'sources', 'connections', 'settings'];
const MORE = ['rules', 'yolo', 'deciders', 'quiet', 'steps'];

test('a page is laid out in the same way whichever pages were opened before it, on a phone', async ({
  place,
  openDevice,
}) => {
  test.setTimeout(180_000);
  await fill(place);
  const page = await openDevice('Phone', { viewport: { width: 390, height: 844 } });
  const paths = [...PLACES, ...MORE].map((name) => `/${name}`);
  paths.push(`/sources/${place.source.source.id}`);
  const alone: Record<string, Layout> = {};
  for (const path of paths) {
    await page.goto(place.origin + path);
    alone[path] = await stands(page, path);
  }
  // Each style sheet stays once it is loaded; the round after this one finds all of them.
  for (const path of paths) await within(page, path);
  for (const path of paths) {
    await within(page, path);
    await expect.soft(async () => expect(changed(alone[path] ?? {}, await layout(page)), path).toEqual([])).toPass();
  }
});

// What the hub counts may have changed meanwhile, so some of it may be new or gone.
function changed(before: Layout, now: Layout): string[] {
  return Object.entries(before).flatMap(([name, was]) => {
    const is = now[name] ?? was;
    return was.flatMap((one, at) => (one === is[at] ? [] : [`${name} { ${one}; } became { ${is[at]}; }`]));
  });
}

for (const locale of ['en', 'zh'] as const)
  test(`no text is cut and no mark begins a line of what can be set on a phone, in ${locale}`, async ({
    place,
    openDevice,
  }) => {
    const page = await openDevice('Phone', { viewport: { width: 390, height: 844 } });
    const { token } = place.mara;
    const spans = [{ from: '22:00', to: '07:00' }];
    const preferences = { chosenTimeZone: 'Europe/Berlin', quiet: { spans } };
    await must(place.hub, 'PATCH /v1/people/me', { token, body: { locale, preferences } });
    await expect(page.locator('html')).toHaveAttribute('lang', locale);
    for (const path of ['/settings', '/quiet', '/yolo', '/history'])
      for (const width of [390, 360, 320]) {
        await page.setViewportSize({ width, height: 844 });
        await page.goto(place.origin + path);
        if (path === '/yolo') await page.getByRole('button', { name: /^(Start|开始)…$/ }).click();
        await expect(page.getByRole('combobox').first()).toBeVisible();
        expect.soft(await badLines(page), `${path}, ${width} px wide`).toEqual([]);
      }
  });

// Goes on as a link does, without loading the page anew.
async function within(page: Page, path: string): Promise<void> {
  await page.evaluate((to) => {
    history.pushState(null, '', to);
    dispatchEvent(new PopStateEvent('popstate'));
  }, path);
  await stands(page, path);
}

async function stands(page: Page, path: string): Promise<Layout> {
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await expect(page.locator('main.page [aria-busy=true], main.page[aria-busy=true]')).toHaveCount(0);
  let last: Layout = {};
  await expect(async () => {
    const [before, now] = [last, await layout(page)];
    last = now;
    expect(Object.keys(now).length, path).toBeGreaterThan(3);
    expect(now).toEqual(before);
  }).toPass({ intervals: [250] });
  return last;
}

// Something in each list.
async function fill({ hub, mara, source, ask }: Place): Promise<void> {
  const { token } = mara;
  const { id } = await ask({ prompt: 'Which port?' });
  await must(hub, `POST /v1/inquiries/${id}/answer`, { token, body: { text: '8080' } });
  const rules = [{ name: 'git', when: { tool: 'Bash', shell: ['git status'] }, then: 'approve' }];
  await must(hub, 'PUT /v1/policies', { token, body: { version: 0, rules } });
  const from = { kind: 'inbound', name: 'Lumen', answerUrl: 'https://lumen.example/answer' };
  await must(hub, 'POST /v1/connections', { token, body: from });
  const body = { webhookUrl: 'http://127.0.0.1:9/hook' };
  await must(hub, `PATCH /v1/sources/${source.source.id}`, { token, body });
  const other = await ask({ prompt: 'Which host?' });
  await must(hub, `POST /v1/inquiries/${other.id}/answer`, { token, body: { text: 'localhost' } });
}
