import { deepStrictEqual, strictEqual } from 'node:assert/strict';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import { toPlatform } from './headers.ts';
import { serve } from '../../platform/testing/listen.ts';
import { rawCall } from '../testing/platform.ts';
import { openScene } from '../testing/scene.ts';

const SMUGGLED = 'GET /admin HTTP/1.1\r\nHost: internal\r\n\r\n';
const HEX = SMUGGLED.length.toString(16);
const FRAMED = {
  'Content-Length': ['content-length', `Content-Length: ${SMUGGLED.length}\r\n\r\n${SMUGGLED}`],
  'Transfer-Encoding': ['transfer-encoding', `Transfer-Encoding: chunked\r\n\r\n${HEX}\r\n${SMUGGLED}\r\n0\r\n\r\n`],
} as const;

for (const [framed, [named, rest]] of Object.entries(FRAMED))
  test(`the body of a request whose Connection header names ${framed} is not read as another request`, async (t) => {
    const got: string[] = [];
    const base = await serve(t, (request, response) => {
      void text(request).then((body) => {
        got.push(`${request.method} ${request.url} ${request.headers.host} ${body}`);
        response.end(`reply to ${request.url}`);
      });
    });
    const { connect } = await openScene(t);
    const { url } = await connect({ name: 'Lumen', kind: 'chatcompletions', baseUrl: `${base}/v1` });
    const { pathname } = new URL(url);
    const { host } = new URL(base);
    for (const method of ['GET', 'HEAD', 'DELETE', 'OPTIONS', 'POST', 'PUT', 'PATCH']) {
      got.length = 0;
      const head = `${method} ${pathname}/a HTTP/1.1\r\nHost: a\r\nConnection: close, host, ${named}\r\n`;
      const reply = await rawCall(url, head + rest);
      if (method !== 'HEAD') strictEqual(reply.slice(-14), 'reply to /v1/a');
      for (const next of ['b', 'c']) strictEqual(await (await fetch(`${url}/${next}`)).text(), `reply to /v1/${next}`);
      deepStrictEqual(got, [`${method} /v1/a ${host} ${SMUGGLED}`, `GET /v1/b ${host} `, `GET /v1/c ${host} `]);
    }
  });

test('no request goes on with both a length and chunks', () => {
  const both = ['Content-Length', '3', 'X-A', '1', 'transfer-encoding', 'chunked'];
  deepStrictEqual(toPlatform(both, 'http://hub.test'), ['X-A', '1']);
  deepStrictEqual(toPlatform(['connection', 'Content-Length', 'Content-Length', '3'], 'http://hub.test'), [
    'Content-Length',
    '3',
  ]);
});
