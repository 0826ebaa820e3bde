import { deepStrictEqual } from 'node:assert/strict';
import { test } from 'node:test';
import { environmentOfWrapped } from './environment.ts';

test('a wrapped server gets what its client set, and not what was preset for the hub', () => {
  const own = { PATH: '/bin', DATA_DIR: '/home/anna/.beckon', BECKON_KEY: 'bks_x' };
  deepStrictEqual(
    [environmentOfWrapped(own), environmentOfWrapped(own, { DATA_DIR: '/home/anna/.beckon' })],
    [{ PATH: '/bin', DATA_DIR: '/home/anna/.beckon' }, { PATH: '/bin' }],
  );
});
