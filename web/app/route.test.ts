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
      { page: 'letter', inquiryId: 'inq_1' },
      { page: 'unknown' },
      { page: 'unknown' },
      { page: 'unknown' },
      { page: 'enroll', secret: 's3cret' },
      { page: 'share' },
    ],
  );
});
