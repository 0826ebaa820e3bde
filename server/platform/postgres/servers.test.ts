import { deepStrictEqual, throws } from 'node:assert/strict';
import { test } from 'node:test';
import { splitServers } from '../database-hosts.ts';
import { newestOf } from './servers.ts';

test('a URL names several servers between commas, as libpq reads it', () => {
  const of = 'postgres://me:a,b@';
  deepStrictEqual(
    [`${of}one:1,[::1]:2,three/beckon?ssl=1,2`, `${of}one/beckon`, 'postgresql:///beckon', 'nonsense'].map(
      splitServers,
    ),
    [
      [`${of}one:1/beckon?ssl=1,2`, `${of}[::1]:2/beckon?ssl=1,2`, `${of}three/beckon?ssl=1,2`],
      [`${of}one/beckon`],
      ['postgresql:///beckon'],
      ['nonsense'],
    ],
  );
});

test('of several primaries the one that was promoted last counts, and none from before one that was known', () => {
  const [old, promoted] = [1, 2].map((timeline) => ({ host: 'db', port: timeline, timeline })) as [
    Parameters<typeof newestOf>[0][0],
    Parameters<typeof newestOf>[0][0],
  ];
  deepStrictEqual(
    [newestOf([old], 0), newestOf([old, promoted], 1), newestOf([promoted], 2)],
    [old, promoted, promoted],
  );
  throws(() => newestOf([old], 2), /the server at db:1 is a primary from before the last failover/);
});
