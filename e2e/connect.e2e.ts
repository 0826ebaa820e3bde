import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import type { Page } from '@playwright/test';
import type { Inquiry } from '#shared/inquiry.ts';
import { all, must } from './hub/call.ts';
import { faultsOf } from './page/axe.ts';
import { InquiryPage } from './page/inquiry.ts';
import { press, button } from './page/press.ts';
import { expect, test } from './page/scene.ts';
import { goTo } from './page/sign-in.ts';

const PHONE = { viewport: { width: 390, height: 844 }, permissions: ['clipboard-read', 'clipboard-write'] };
const DESKTOP = { ...PHONE, viewport: { width: 1280, height: 800 } };
const client = (page: Page) => page.getByRole('combobox', { name: 'Agent' });
const way = (page: Page, name: string) => page.getByRole('radio', { name, exact: true });
const chosen = (page: Page) => client(page).locator('option:checked');
const nameField = (page: Page) => page.getByRole('textbox', { name: 'Name, shown above each question' });
const listening = (page: Page, words: string) => page.getByRole('status').filter({ hasText: words });

/** What a button that copies puts on the clipboard. */
async function copied(page: Page, button: string, within: Pick<Page, 'getByRole'> = page): Promise<string> {
  await within.getByRole('button', { name: button }).click();
  return page.evaluate(() => navigator.clipboard.readText());
}

async function newKey(page: Page): Promise<void> {
  await press(button(page, 'New key'), page.getByRole('button', { name: 'Copy the key' }));
}

test('a person connects Claude Code: its settings are filled in, its first question is seen, and what went back', async ({
  place,
  openDevice,
}) => {
  const page = await openDevice('iPhone', PHONE);
  await goTo(page, 'Connect');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('What do you connect?');
  await expect(chosen(page)).toHaveText('Claude Code');
  await expect(way(page, 'One command')).toBeChecked();
  expect(await copied(page, 'Copy the command')).toMatch(/connect claude$/m);
  await expect(nameField(page)).toHaveCount(0);
  await way(page, 'JSON to paste').check();
  await expect(nameField(page)).toHaveValue('Claude Code');
  expect(await copied(page, 'Copy the settings')).toContain('"Bearer $BECKON_KEY"');
  await newKey(page);
  await expect(page.getByRole('heading', { name: 'The key is shown only now.' })).toBeFocused();
  await expect(listening(page, 'Listening…')).toBeVisible();

  const settings = await copied(page, 'Copy the settings');
  const key = await copied(page, 'Copy the key');
  const { hooks } = JSON.parse(settings) as Record<'hooks', Record<string, [{ hooks: [Hook] }]>>;
  const hook = hooks['PermissionRequest']?.[0].hooks[0] as Hook;
  expect(hook).toMatchObject({
    url: `${place.origin}/v1/ask/claude-hook?deadline=3600`,
    timeout: 3660,
    headers: { Authorization: `Bearer ${key}` },
  });
  const asked = fetch(hook.url.replace(place.origin, place.hub.url), {
    method: 'POST',
    headers: hook.headers,
    body: JSON.stringify({
      hook_event_name: 'PermissionRequest',
      session_id: 's1',
      cwd: '/srv/shop',
      agent_type: 'reviewer',
      tool_name: 'Bash',
      tool_input: { command: 'npm publish' },
    }),
  });
  const arrived = listening(page, 'First question arrived:');
  await expect(arrived).toBeVisible();
  await arrived.getByRole('link').click();

  const inquiry = new InquiryPage(page);
  await expect(inquiry.panel).toContainText('reviewer, /srv/shop');
  await inquiry.panel.getByRole('button', { name: 'More' }).first().click();
  await expect(page.getByRole('dialog')).toContainText(/Asked\s*through Claude Code, /);
  await page.keyboard.press('Escape');
  await inquiry.decide('Approve');
  const reply = (await (await asked).text()).trim();
  await inquiry.panel.getByText('About this question').click();
  const wentBack = page.getByRole('region', { name: 'What went back' });
  await expect(wentBack.getByRole('code')).toHaveText(reply);
  expect(await copied(page, 'Copy', wentBack)).toBe(reply);
  expect(await faultsOf(page)).toEqual([]);
});

type Hook = { url: string; timeout: number; headers: Record<string, string> };

test('a test question is asked with the key as an agent would, is answered here, and the agent itself is still awaited', async ({
  place,
  openDevice,
}) => {
  const page = await openDevice('iPhone', PHONE);
  const phone = await openDevice('Pixel', PHONE);
  await goTo(page, 'Connect');
  await way(page, 'JSON to paste').check();
  await expect(button(page, 'Send a test question')).toHaveCount(0);
  await newKey(page);
  const key = await copied(page, 'Copy the key');
  await client(page).selectOption('Codex');
  expect(await copied(page, 'Copy the key')).toBe(key);
  const stored = () => JSON.stringify([Object.entries(localStorage), Object.entries(sessionStorage)]);
  expect(await page.evaluate(stored)).not.toContain(key);

  const arrived = listening(page, 'Test question arrived:');
  await press(button(page, 'Send a test question'), arrived);
  await expect(arrived).toContainText('What is missing is the first question of the agent itself.');
  expect(await faultsOf(page)).toEqual([]);
  await expect(phone.getByRole('link', { name: /This is a test\. Can you read it\?/ })).toBeVisible();
  await arrived.getByRole('link', { name: 'This is a test. Can you read it?' }).click();
  const inquiry = new InquiryPage(page);
  await expect(inquiry.panel).toContainText('Claude Code');
  await inquiry.decide('Yes');
  await expect
    .poll(async () => {
      const [asked] = await all<Inquiry>(place.hub, '/v1/inquiries', key);
      return asked?.resolution?.text;
    })
    .toBe('Yes');

  // The key is shown once, truly: it is gone with the page, and what it connects is not.
  await page.goto(`${place.origin}/connect`);
  await expect(listening(page, 'Test question arrived:')).toBeVisible();
  await expect(chosen(page)).toHaveText('Codex');
  await expect(page.getByRole('button', { name: 'Copy the key' })).toHaveCount(0);
  expect(await page.locator('main').textContent()).not.toContain(key);
  await must(place.hub, 'POST /v1/inquiries', { token: key, body: { prompt: 'Which branch?' } });
  const head = page.getByRole('heading', { level: 1 });
  await expect(head).toHaveText('First question arrived.');
  await expect(page.getByRole('complementary', { name: 'Connect' })).toContainText('Claude Code is connected.');
  expect(await faultsOf(page)).toEqual([]);
  await page.reload();
  await expect(head).toHaveText('First question arrived.');
  await page.getByRole('button', { name: 'Connect another agent' }).click();
  await way(page, 'You are away').check();
  await expect(nameField(page)).toHaveValue('Codex');
  await expect(page.getByRole('button', { name: 'Copy the key' })).toHaveCount(0);

  await newKey(page);
  const codex = await copied(page, 'Copy the key');
  await must(place.hub, 'POST /v1/inquiries', { token: codex, body: { prompt: 'Which port?' } });
  await button(page, 'Open the question').click();
  await expect(inquiry.panel.getByRole('heading', { level: 1 })).toHaveText('Which port?');
  await page.goBack();
  await expect(nameField(page)).toHaveValue('Codex');
  await expect(page.getByRole('button', { name: 'Copy the key' })).toHaveCount(0);
});

test('a person picks by keyboard, in JavaScript or Python, and copies what stands in the guide', async ({
  place,
  openDevice,
}) => {
  const read = (name: string) => readFile(new URL(`../infra/${name}.md`, import.meta.url), 'utf8');
  const guide = [await read('agents'), await read('langgraph')]
    .join('\n')
    .replaceAll('https://beckon.example.com', place.origin);
  const page = await openDevice('MacBook', DESKTOP);
  await goTo(page, 'Connect');
  await client(page).focus();
  await page.keyboard.press('ArrowDown');
  await expect(chosen(page)).toHaveText('LangChain, LangGraph, Deep Agents');
  await expect(nameField(page)).toHaveValue('LangGraph');
  await client(page).selectOption('MCP client');
  await page.getByRole('radio', { name: 'Cursor' }).check();
  await expect(nameField(page)).toHaveValue('Cursor');
  await client(page).selectOption('LangChain, LangGraph, Deep Agents');
  const snippets = [await copied(page, 'Copy the code'), await copied(page, 'Copy the command')];
  await way(page, 'Python').check();
  snippets.push(await copied(page, 'Copy the code'), await copied(page, 'Copy the command'));
  await client(page).selectOption('OpenAI Agents');
  await expect(way(page, 'Python')).toBeChecked();
  snippets.push(await copied(page, 'Copy the code'));
  expect(snippets.filter((text) => !guide.includes(text))).toEqual([]);
  expect(snippets.map((text) => /(client\/)?beckon\.(mjs|py)|from beckon/.exec(text)?.[0])).toEqual([
    'beckon.mjs',
    'client/beckon.mjs',
    'from beckon',
    'client/beckon.py',
    'from beckon',
  ]);
});

test("each snippet for a program of one's own asks, and prints the answer", async ({ place, openDevice }) => {
  const page = await openDevice('MacBook', DESKTOP);
  const ran: string[] = [];
  for (const [name, program, args, copy] of [
    ['curl', 'bash', ['-c'], 'Copy the command'],
    ['JavaScript', process.execPath, ['--input-type=module', '-e'], 'Copy the code'],
    ['Python', 'python3', ['-c'], 'Copy the code'],
  ] as const) {
    await page.goto(`${place.origin}/connect`);
    await client(page).selectOption('Your own program');
    await button(page, 'New key').click();
    await expect(page.getByRole('alert')).toHaveText('Give it a name first.');
    await expect(nameField(page)).toBeFocused();
    await nameField(page).fill(name);
    await newKey(page);
    await way(page, name).check();
    const env = { ...process.env, BECKON_KEY: await copied(page, 'Copy the key') };
    const running = promisify(execFile)(program, [...args, await copied(page, copy)], { env });
    await listening(page, 'First question arrived:').getByRole('link', { name: 'Can you read this?' }).click();
    const inquiry = new InquiryPage(page);
    await inquiry.answer.fill(`Yes, ${name}`);
    await inquiry.decide('Send');
    ran.push((await running).stdout.trim());
  }
  expect(ran).toEqual(['Yes, curl', 'Yes, JavaScript', 'Yes, Python']);
});

test('what went back to a framework is shown once all that it asked together is decided', async ({
  place,
  openDevice,
}) => {
  const { hub, source, mara } = place;
  const call = { name: 'send', args: { to: 'all' } };
  const review = { action_name: 'send', allowed_decisions: ['approve', 'reject'] };
  const value = { action_requests: Array.from({ length: 21 }, () => call), review_configs: [review] };
  const body = [{ id: 'a1', value }];
  const { ask } = await must<{ ask: string }>(hub, 'POST /v1/ask/langgraph?wait=0', { token: source.key, body });
  const open = await all<Inquiry>(hub, '/v1/inbox', mara.token);
  const approve = async ({ id, digest, actions = [] }: Inquiry) => {
    const decisions = actions.map(() => ({ type: 'approve' }));
    await must(hub, `POST /v1/inquiries/${id}/answer`, { token: mara.token, body: { decisions, digest } });
  };
  const [first, second] = open as [Inquiry, Inquiry];
  await approve(first);
  const bare = await must<{ inquiries: [string] }>(hub, 'POST /v1/ask/langgraph?wait=0&deadline=1', {
    token: source.key,
    body: [{ id: 'a2', value: 'Which table?' }],
  });
  await place.read({ id: bare.inquiries[0] }, 30);
  const page = await openDevice('iPhone', PHONE);
  const about = page.getByText('About this question');
  const wentBack = page.getByRole('region', { name: 'What went back' });
  await page.goto(`${place.origin}/i/${first.id}`);
  await about.click();
  await expect(wentBack).toContainText('Nothing yet');
  await approve(second);
  await about.click();
  await about.click();
  const reply = await must(hub, `GET /v1/asks/${ask}`, { token: source.key });
  await expect(wentBack.getByRole('code')).toHaveText(JSON.stringify(reply));

  await page.goto(`${place.origin}/i/${bare.inquiries[0]}`);
  await about.click();
  await expect(wentBack.getByRole('code')).toContainText('"code":"ask.unanswered"');
});

for (const locale of ['en', 'zh'] as const) {
  test(`every choice of Connect fits a screen 320 px wide and is right for a screen reader, in ${locale}`, async ({
    place,
    openDevice,
  }) => {
    const page = await openDevice('iPhone', { viewport: { width: 320, height: 640 } });
    await goTo(page, 'Connect');
    await way(page, 'JSON to paste').check();
    await newKey(page);
    await must(place.hub, 'PATCH /v1/people/me', { token: place.mara.token, body: { locale } });
    await expect(page.locator('html')).toHaveAttribute('lang', locale);
    const choices = page.getByRole('combobox').first();
    for (let at = 0; at < (await choices.getByRole('option').count()); at++) {
      await choices.selectOption({ index: at });
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320);
    }
    expect(await faultsOf(page)).toEqual([]);
  });
}
