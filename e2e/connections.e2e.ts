import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Page } from '@playwright/test';
import type { Connection } from '#shared/connections/connection.ts';
import { must } from './hub/call.ts';
import { startEndpoint } from './hub/endpoint.ts';
import { faultsOf } from './page/axe.ts';
import { InquiryPage } from './page/inquiry.ts';
import { press, button } from './page/press.ts';
import { expect, test } from './page/scene.ts';
import { goTo } from './page/sign-in.ts';
import { settled } from './page/screens.ts';
import { SIZES } from './page/sizes.ts';

const SHOTS = process.env['CONNECTION_SHOTS'];

/** A chat platform that lists its models, and streams what the test says. */
async function startPlatform() {
  const streams: ServerResponse[] = [];
  const server = createServer((request, response) => {
    if (request.url === '/v1/models')
      return void response.writeHead(200, { 'content-type': 'application/json' }).end('{"data":[]}');
    response.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders();
    streams.push(response);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    streams,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}

function asks(inquiryId: string, question: string): string {
  const notification = { method: 'notifications/progress', params: { meta: { inquiryId, question, type: 'INQUIRY' } } };
  const delta = { chatos_additional_data: { mcp_progress_notification_data: JSON.stringify(notification) } };
  return `data: ${JSON.stringify({ choices: [{ index: 0, delta }] })}\n\n`;
}

async function openConnections(page: Page): Promise<void> {
  await goTo(page, 'Connect');
  await page.getByRole('navigation', { name: 'Connect' }).getByRole('link', { name: 'Connections' }).click();
}

for (const [size, viewport] of Object.entries(SIZES)) {
  const shoot = async (page: Page, name: string): Promise<void> => {
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(viewport.width);
    expect(await faultsOf(page)).toEqual([]);
    if (!SHOTS) return;
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      await settled(page);
      await page.screenshot({ path: `${SHOTS}/${name}--${size}-${colorScheme}.png`, fullPage: true });
    }
  };

  test(`the owner makes a connection, checks it, sees its contact, renews its address and removes it, on a ${size}`, async ({
    place,
    openDevice,
  }) => {
    const platform = await startPlatform();
    const answers = await startEndpoint();
    const connections = async () =>
      (await must<{ items: Connection[] }>(place.hub, 'GET /v1/connections', { token: place.mara.token })).items;
    try {
      const page = await openDevice('Phone', { viewport, permissions: ['clipboard-read', 'clipboard-write'] });
      const main = page.getByRole('main');
      const head = page.getByRole('heading', { level: 1 });
      const copied = async (button: string) => {
        await main.getByRole('button', { name: button }).click();
        return page.evaluate(() => navigator.clipboard.readText());
      };
      await openConnections(page);
      await expect(main.getByText(/^A chat platform, a LangGraph/)).toBeVisible();
      await shoot(page, 'connections-none');

      await button(page, 'New connection').click();
      await expect(main.getByLabel('Name, shown above each question')).toBeFocused();
      await shoot(page, 'connection-new');
      await button(main, 'Make the connection').click();
      await expect(main.getByLabel('Name, shown above each question')).toHaveAccessibleDescription('It is empty.');
      await expect(main.getByLabel('Name, shown above each question')).toBeFocused();
      await main.getByLabel('Name, shown above each question').fill('Lumen');
      await main.getByLabel(/^Base URL/).fill(platform.url);
      await main.getByLabel(/^Seconds after which/).fill('60');
      await main.getByLabel(/^Further headers/).fill('Host: elsewhere');
      await main.getByRole('button', { name: 'Check now' }).click();
      await expect(main.getByLabel(/^Further headers/)).toHaveAccessibleDescription(
        'It belongs to the call itself: leave it out.',
      );
      await shoot(page, 'connection-wrong');
      await main.getByLabel(/^Further headers/).fill('X-Team: night');
      await main.getByRole('button', { name: 'Check now' }).click();
      await expect(main.getByText(/^Checked at \d\d:\d\d: .* answers /)).toBeVisible();
      await button(main, 'Make the connection').click();

      await expect(main.getByRole('heading', { name: 'This address is shown only now.' })).toBeFocused();
      const first = await copied('Copy the address');
      expect(first).toMatch(/\/v1\/in\/bki_[\w-]+$/);
      expect(await copied('Copy the secret')).toMatch(/^whsec_/);
      await expect(head).toHaveText(/Lumen.*no contact yet\.$/);
      await button(page, 'Check now').click();
      await expect(main.getByText(/^Checked at \d\d:\d\d: .* answers /)).toBeVisible();
      await expect(main.getByRole('row', { name: /Check.*200/ })).toBeVisible();
      await shoot(page, 'connection-made');
      await expect(main.getByText(/Nobody is asked without an answer URL/)).toBeVisible();
      await main.getByRole('button', { name: 'an answer URL (change)' }).click();
      await main.getByLabel(/^Answer URL/).fill(`${answers.url}/answer`);
      await button(main, 'Save').click();
      await expect(main.getByLabel(/^Headers/)).toHaveAccessibleDescription(/^It was not given for the new host/);
      await main.getByLabel(/^Headers/).fill('X-Team: night');
      await button(main, 'Save').click();
      await expect(main.getByText(/and ask you\. Send answers to/)).toBeVisible();

      await main.getByRole('button', { name: 'Set the hub to 55 s' }).click();
      await expect(main.getByText('Time-outs in the wrong order.')).toBeHidden();
      expect((await connections())[0]).toMatchObject({ deadline: 55, platformLimit: 60, headerNames: ['X-Team'] });

      const stream = await fetch(`${first.replace(place.origin, place.hub.url)}/chat/completions`, {
        method: 'POST',
        body: '{}',
      });
      platform.streams[0]?.write(asks('a4cecc76', 'Book the earlier train?'));
      await page
        .getByRole('navigation', { name: 'Places' })
        .getByRole('link', { name: /^Inbox/ })
        .click();
      const inquiry = new InquiryPage(page);
      await inquiry.open('Book the earlier train?');
      await inquiry.answer.fill('Yes');
      await inquiry.decide('Send');
      await expect
        .poll(() => answers.got.map(({ body }) => body))
        .toEqual(['{"inquiryId":"a4cecc76","response":"Yes"}']);
      platform.streams[0]?.end('data: [DONE]\n\n');
      await stream.text();

      await page.goto(`${place.origin}/connections`);
      await expect(main.getByText(/^Chat platform, last contact \d\d:\d\d\./)).toBeVisible();
      await shoot(page, 'connections');
      await main.getByRole('link', { name: 'Lumen' }).click();
      await expect(head).toHaveText(/^Lumen answers.*last contact \d\d:\d\d\.$/);
      await expect(main.getByRole('heading', { name: 'This address is shown only now.' })).toBeHidden();
      const contact = main.getByRole('row', { name: /Book the earlier train\?/ });
      await expect(contact).toContainText('Answered. The answer arrived.');
      await shoot(page, 'connection');

      await main.getByRole('button', { name: 'New address' }).click();
      await press(button(page.getByRole('dialog'), 'New address'), main.getByText('This address is shown only now.'));
      const second = await copied('Copy the address');
      const reaches = async (url: string) => (await fetch(`${url.replace(place.origin, place.hub.url)}/models`)).status;
      expect([await reaches(first), await reaches(second)]).toEqual([404, 200]);

      await main.getByRole('button', { name: 'Change key and headers' }).click();
      await expect(main.getByLabel(/^API key/)).toBeFocused();
      await shoot(page, 'connection-change');
      await main.getByLabel(/^API key/).fill('sk-1');
      await button(main, 'Save').click();
      await expect(main.getByRole('button', { name: 'Turn off' })).toBeVisible();
      expect((await connections())[0]).toMatchObject({ hasApiKey: true, headerNames: ['X-Team'] });

      await main.getByRole('button', { name: 'Turn off' }).click();
      await expect(head).toHaveText(/turned off\.$/);
      expect(await reaches(second)).toBe(404);
      await main.getByRole('button', { name: 'Turn on' }).click();
      await expect(head).toHaveText(/^Lumen answers/);

      for (let count = 0; count < 50; count++) await reaches(second);
      await page.reload();
      await expect(contact).toBeHidden();
      await main.getByRole('button', { name: 'Show earlier ones' }).click();
      await contact.getByRole('link').click();
      await expect(inquiry.panel).toContainText('Book the earlier train?');
      await page.goBack();
      await main.getByRole('button', { name: 'Remove' }).click();
      await button(page.getByRole('dialog'), 'Remove').click();
      await expect(main.getByText(/^A chat platform, a LangGraph/)).toBeVisible();
      expect(await connections()).toEqual([]);
    } finally {
      platform.close();
      await answers.close();
    }
  });
}

for (const locale of ['en', 'zh'] as const) {
  test(`what fails or is turned off stands in the list, and a list that cannot be read is read again, in ${locale}`, async ({
    place,
    openDevice,
  }) => {
    const { token } = place.mara;
    const make = (body: object) => must<{ connection: Connection }>(place.hub, 'POST /v1/connections', { token, body });
    const threads = await make({ name: 'Threads', kind: 'langgraph', baseUrl: 'http://127.0.0.1:9', apiKey: 'lg-1' });
    await must(place.hub, `POST /v1/connections/${threads.connection.id}/check`, { token, body: {} });
    await make({ name: 'n8n', kind: 'inbound', enabled: false });
    const page = await openDevice('Phone', { viewport: { width: 320, height: 640 } });
    await must(place.hub, 'PATCH /v1/people/me', { token, body: { locale } });
    await expect(page.locator('html')).toHaveAttribute('lang', locale);
    const words = {
      en: {
        off: 'Inbound webhook, turned off.',
        fails: 'refuses the connection',
        again: 'Try again',
        unasked: 'Nobody is asked without an answer URL.',
        wrong: [
          'It ends with a query: leave out everything from "?" or "#" on.',
          'It names nobody: there is no person or group "zoe".',
          'It was not given for the new host: give it again, or remove what is stored.',
          'It is not a header name (RFC 9110, 5.1).',
        ],
      },
      zh: {
        off: '传入 webhook，已停用。',
        fails: '平台拒绝连接',
        again: '重试',
        unasked: '不会提问，还没有 答复 URL。',
        wrong: [
          '地址里不能有用户名和密码，Base URL 里也不能有“?”和“#”。',
          '没有这个用户名的成员或小组。',
          '存下的不是给新主机用的：请重新填写，或者移除。',
          '请求头的名称不对：只能用字母、数字和“-”之类的符号，不能有空格。',
        ],
      },
    }[locale];
    const looks = async (name: string) => {
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320);
      expect(await faultsOf(page)).toEqual([]);
      if (SHOTS) await page.screenshot({ path: `${SHOTS}/${name}--${locale}.png`, fullPage: true });
    };
    await page.route('**/v1/connections', (route) => route.abort());
    await page.goto(`${place.origin}/connections`);
    const main = page.getByRole('main');
    await expect(main.getByRole('alert')).toBeVisible();
    await looks('list-unread');
    await page.unroute('**/v1/connections');
    await main.getByRole('button', { name: words.again }).click();
    await expect(main.getByText(words.off)).toBeVisible();
    await expect(main.getByRole('listitem').filter({ hasText: 'Threads' })).toContainText(words.fails);
    await looks('list');
    await main.getByRole('link', { name: 'Threads' }).click();
    await expect(main.getByRole('row').nth(1)).toContainText(words.fails);
    await looks('langgraph');
    await main.locator('.word').first().click();
    const blank = (name: string) => main.locator(`[name="${name}"]`);
    const save = main.locator('button[type="submit"]');
    const [query, nobody, moved, header] = words.wrong as [string, string, string, string];
    await blank('baseUrl').fill('http://127.0.0.1:10/?a');
    await main.locator('textarea').fill('X Team: night');
    await save.click();
    await expect(blank('baseUrl')).toHaveAccessibleDescription(query);
    await expect(main.locator('textarea')).toHaveAccessibleDescription(header);
    await blank('baseUrl').fill('http://127.0.0.1:10');
    await main.locator('textarea').fill('');
    await save.click();
    await expect(blank('apiKey')).toHaveAccessibleDescription(moved);
    await blank('apiKey').fill('lg-2');
    await blank('to').fill('zoe');
    await save.click();
    await expect(blank('to')).toHaveAccessibleDescription(nobody);
    await looks('form-wrong');
    await page.goBack();
    await main.getByRole('link', { name: 'n8n' }).click();
    await expect(main.getByText(words.unasked)).toBeVisible();
    await looks('inbound');
    await page.goBack();
    await page.getByRole('complementary').getByRole('button').first().click();
    for (const kind of await main.getByRole('radio').all()) {
      await kind.check();
      await looks(`form-${await kind.getAttribute('value')}`);
    }
    await page.goto(`${place.origin}/connections/src_00000000000000000000000000`);
    await expect(main.locator('a[href="/connections"]')).toBeVisible();
    await looks('unknown');
  });
}
