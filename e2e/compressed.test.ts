import { deepStrictEqual, ok } from 'node:assert/strict';
import { request } from 'node:http';
import { test } from 'node:test';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { startHub } from './hub/hub.ts';

test('the page and its scripts travel compressed to a browser that reads it, and mean the same', async (t) => {
  const hub = await startHub();
  t.after(() => hub.remove());
  const page = await get(hub.url, '/', 'identity');
  const script = /src="(\/assets\/[^"]+)"/.exec(page.body.toString())?.[1] ?? '';
  for (const path of ['/', '/i/inq_01j0000000000000000000000', script]) {
    const plain = await get(hub.url, path, 'identity');
    const brotli = await get(hub.url, path, 'gzip, deflate, br, zstd');
    const zipped = await get(hub.url, path, 'gzip');
    deepStrictEqual(
      { plain: plain.encoding, brotli: brotli.encoding, zipped: zipped.encoding },
      { plain: undefined, brotli: 'br', zipped: 'gzip' },
    );
    deepStrictEqual(brotliDecompressSync(brotli.body), plain.body);
    deepStrictEqual(gunzipSync(zipped.body), plain.body);
    for (const { encoding: _, body: _body, ...one } of [brotli, zipped]) {
      const { encoding: _none, body: _text, ...expected } = plain;
      deepStrictEqual(one, expected);
    }
    ok(brotli.body.length < plain.body.length, `${path}: ${brotli.body.length} of ${plain.body.length} bytes`);
  }
});

type Reply = Record<'encoding' | 'type' | 'cache' | 'vary', string | undefined> & { policy: boolean; body: Buffer };

// fetch would unpack what it gets.
function get(origin: string, path: string, accept: string): Promise<Reply> {
  const { promise, resolve, reject } = Promise.withResolvers<Reply>();
  const sent = request(new URL(path, origin), { headers: { 'accept-encoding': accept } }, (reply) => {
    const { headers } = reply;
    const parts: Buffer[] = [];
    reply.on('data', (part: Buffer) => parts.push(part));
    reply.on('error', reject);
    reply.on('end', () =>
      resolve({
        encoding: headers['content-encoding'],
        type: headers['content-type'],
        cache: headers['cache-control'],
        vary: headers.vary,
        policy: headers['content-security-policy'] !== undefined,
        body: Buffer.concat(parts),
      }),
    );
  });
  sent.on('error', reject);
  sent.end();
  return promise;
}
