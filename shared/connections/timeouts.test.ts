import { deepStrictEqual } from 'node:assert/strict';
import { test } from 'node:test';
import { wrongOrder } from './timeouts.ts';

test('a hub that waits as long as the client or longer is told, with a time that fits', () => {
  deepStrictEqual(
    (
      [
        [undefined, 300],
        [301, 300],
        [60, 300],
        [60, 60],
        [7.5, 300],
        [5, 300],
      ] as const
    ).map(([client, hub]) => wrongOrder(client, hub)),
    [
      undefined,
      undefined,
      { client: 60, hub: 300, device: 298, better: 55 },
      { client: 60, hub: 60, device: 58, better: 55 },
      { client: 7.5, hub: 300, device: 298, better: 5 },
      { client: 5, hub: 300, device: 298 },
    ],
  );
});
