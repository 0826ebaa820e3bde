import { deepStrictEqual } from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { createServer as createPage } from 'vite';

test("the page's server hands its own sources out, also those below /live/, and passes calls and the live line on to the hub", async (t) => {
  const hub = createServer((_, reply) => reply.end('the hub')).listen(0, '127.0.0.1');
  await once(hub, 'listening');
  process.env['PORT'] = String((hub.address() as AddressInfo).port);
  const page = await createPage({
    root: 'web',
    logLevel: 'silent',
    optimizeDeps: { noDiscovery: true },
    server: { port: 0, strictPort: false, host: '127.0.0.1', hmr: false },
  });
  t.after(async () => {
    await page.close();
    hub.close();
  });
  await page.listen();
  const [origin] = page.resolvedUrls?.local ?? [];
  const from = async (path: string) => {
    const text = await (await fetch(new URL(path, origin))).text();
    return text === 'the hub' ? 'the hub' : text.includes('import');
  };
  deepStrictEqual(
    await Promise.all(['/live/store.ts', '/v1/inbox', '/live/?EIO=4&transport=websocket', '/live'].map(from)),
    [true, 'the hub', 'the hub', 'the hub'],
  );
});
