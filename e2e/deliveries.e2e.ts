import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { must } from './hub/call.ts';
import { faultsOf } from './page/axe.ts';
import { press, button } from './page/press.ts';
import { expect, test } from './page/scene.ts';

const SHOTS = process.env['SHOTS'];

/** Refuses until it is told otherwise, and wants no second attempt within the hour. */
async function busyEndpoint() {
  const got: IncomingHttpHeaders[] = [];
  let status = 503;
  const server = createServer((request, response) => {
    request.resume().on('end', () => {
      got.push(request.headers);
      response.writeHead(status, { 'retry-after': '3600' }).end();
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hooks/beckon`,
    got,
    ids: () => got.map((headers) => headers['webhook-id']),
    answer: (next: number) => (status = next),
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

for (const [locale, viewport, colorScheme] of [
  ['en', { width: 1280, height: 800 }, 'dark'],
  ['zh', { width: 320, height: 640 }, 'light'],
] as const)
  test(`[DLV1] deliveries are tried now, replayed and paused on the page of their source, ${viewport.width} px wide in ${locale}`, async ({
    place,
    openDevice,
  }) => {
    const endpoint = await busyEndpoint();
    const zh = locale === 'zh';
    const { token } = place.mara;
    const source = `/v1/sources/${place.source.source.id}`;
    const change = (body: object) => must(place.hub, `PATCH ${source}`, { token, body });
    try {
      const page = await openDevice('Laptop', { viewport, colorScheme });
      if (zh) await must(place.hub, 'PATCH /v1/people/me', { token, body: { locale } });
      await expect(page.locator('html')).toHaveAttribute('lang', locale);
      const looks = async (name: string) => {
        expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(viewport.width);
        expect(await faultsOf(page)).toEqual([]);
        const file = `${SHOTS}/source-${name}--${locale}-${viewport.width}-${colorScheme}.png`;
        if (SHOTS) await page.screenshot({ path: file, fullPage: true });
      };
      const settle = async (prompt: string) => {
        // Asked without an address, so that nothing but the answer is sent.
        await change({ webhookUrl: null });
        const { id } = await place.ask({ prompt });
        await change({ webhookUrl: endpoint.url });
        await must(place.hub, `POST /v1/inquiries/${id}/answer`, { token, body: { text: 'Yes' } });
      };
      await settle('Publish the notes?');
      await expect.poll(() => endpoint.got.length).toBe(1);
      await page.goto(`${place.origin}/sources/${place.source.source.id}`);
      const rowOf = (prompt: string) => page.getByRole('row').filter({ hasText: prompt });
      const notes = rowOf('Publish the notes?');
      await expect(notes).toContainText(zh ? '返回 503' : '503 from 127.0.0.1');
      await expect(page.getByRole('heading', { level: 1 })).toContainText(
        zh ? '1 份答复未送达' : 'one answer not delivered.',
      );
      await notes.locator('summary').click();
      await expect(notes.locator('pre')).toContainText('"type": "inquiry.resolved"');
      await expect(notes.getByRole('listitem')).toContainText('503');
      await looks('fails');
      await notes.locator('summary').click();

      endpoint.answer(204);
      const delivered = zh ? '已送达' : 'Delivered';
      await press(notes.getByRole('button', { name: zh ? /^立即重试/ : /^Try now/ }), notes.getByText(delivered));
      const [first] = endpoint.ids();
      expect(endpoint.ids()).toEqual([first, first]);

      await press(
        page.getByRole('button', { name: zh ? '暂停' : 'Pause', exact: true }),
        page.getByText(zh ? /^已暂停/ : /^Paused since/),
      );
      await settle('Which logo?');
      const logo = rowOf('Which logo?');
      // The page reads what is new when it is opened, and while something waits.
      await page.reload();
      await expect(logo).toContainText(zh ? '继续后再发送' : 'Waits until you resume.');
      await expect(logo.getByRole('button')).toHaveCount(0);
      await looks('paused');
      expect(endpoint.got.length).toBe(2);
      await press(page.getByRole('button', { name: zh ? '继续' : 'Resume', exact: true }), logo.getByText(delivered));
      expect(new Set(endpoint.ids()).size).toBe(2);

      await expect(async () => {
        if (endpoint.ids().filter((id) => id === first).length < 3)
          await notes.getByRole('button', { name: zh ? /^重新投递/ : /^Replay/ }).click({ timeout: 2000 });
        expect(endpoint.ids().filter((id) => id === first).length).toBeGreaterThanOrEqual(3);
      }).toPass();
      await looks('delivered');

      const dialog = page.getByRole('dialog');
      await press(page.getByRole('button', { name: zh ? '更改地址' : 'Change address', exact: true }), dialog);
      await dialog.getByRole('textbox').fill('https://user:pw@ci.example/');
      await button(dialog, zh ? '保存' : 'Save').click();
      await expect(dialog.getByRole('alert')).toBeVisible();
      await looks('address');
      await dialog.getByRole('textbox').fill('https://ci.example/hook');
      await button(dialog, zh ? '保存' : 'Save').click();
      await expect(page.getByRole('main').locator('.copyline').first()).toContainText('https://ci.example/hook');
    } finally {
      await endpoint.close();
    }
  });
