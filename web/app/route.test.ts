import { deepStrictEqual } from 'node:assert/strict';
import { before, test } from 'node:test';

before(() => {
  Object.assign(globalThis, { location: new URL('http://hub/') });
});

test('each path of the page names its place, and anything else is unknown', async () => {
  const { readRoute } = await import('./route.ts');
  deepStrictEqual(
    [
      '/',
      '/history',
      '/devices',
      '/connect',
      '/settings',
      '/sources',
      '/connections',
      '/connections/src_1',
      '/sources/src_1',
      '/connect/model',
      '/connections/src_1/more',
      '/i/inq_1',
      '/i',
      '/i/a/b',
      '/v1',
      '/enroll#s3cret',
      '/share?text=a',
    ].map(readRoute),
    [
      { page: 'inbox' },
      { page: 'history' },
      { page: 'devices' },
      { page: 'connect' },
      { page: 'settings' },
      { page: 'sources' },
      { page: 'connections' },
      { page: 'connections', id: 'src_1' },
      { page: 'sources', id: 'src_1' },
      { page: 'connect', id: 'model' },
      { page: 'unknown' },
      { page: 'inquiry', inquiryId: 'inq_1' },
      { page: 'unknown' },
      { page: 'unknown' },
      { page: 'unknown' },
      { page: 'enroll', secret: 's3cret' },
      { page: 'share' },
    ],
  );
});

test('the service worker opens exactly those paths offline at which the page shows something', async () => {
  const { readRoute } = await import('./route.ts');
  const { PAGES } = await import('./pages.ts');
  const { PLACES, PLACES_OF_MANY } = await import('./places.ts');
  const pages = ['/', '/enroll', '/i/inq_1', ...PLACES.map((place) => `/${place}`), '/steps/'];
  pages.push(...PLACES_OF_MANY.map((place) => `/${place}/some`));
  const others = ['/i', '/i/a/b', '/history/a', '/v1/inquiries', '/live/', '/docs', '/mcp', '/healthz', '/connect/a/b'];
  deepStrictEqual(
    [...pages, ...others].filter((path) => PAGES.test(path)),
    pages,
  );
  deepStrictEqual(
    [...pages, ...others].filter((path) => readRoute(path).page !== 'unknown'),
    pages,
  );
});
