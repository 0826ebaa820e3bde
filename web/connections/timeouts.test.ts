import { deepStrictEqual } from 'node:assert/strict';
import { test } from 'node:test';
import { wrongOrder } from './timeouts.ts';

test('a hub that waits as long as the platform or longer is told, with a time that fits', () => {
  deepStrictEqual(
    [
      { deadline: 300 },
      { deadline: 300, platformLimit: 301 },
      { deadline: 300, platformLimit: 60 },
      { deadline: 60, platformLimit: 60 },
      { deadline: 300, platformLimit: 7.5 },
      { deadline: 300, platformLimit: 5 },
    ].map(wrongOrder),
    [
      undefined,
      undefined,
      { platform: 60, hub: 300, device: 298, better: 55 },
      { platform: 60, hub: 60, device: 58, better: 55 },
      { platform: 7.5, hub: 300, device: 298, better: 5 },
      { platform: 5, hub: 300, device: 298 },
    ],
  );
});
