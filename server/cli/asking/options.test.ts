import { deepStrictEqual } from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { readAsk } from './options.ts';

const MAIN = join(import.meta.dirname, '..', 'main.ts');

test('options that the hub would refuse are told in words of the command line', () => {
  const told = (options: string) => {
    try {
      readAsk({ values: { options }, args: ['Ship?'], json: false } as unknown as Parameters<typeof readAsk>[0]);
      return 'asked';
    } catch (error) {
      return (error as Error).message;
    }
  };
  const many = Array.from({ length: 51 }, (_, nth) => `o${nth}`).join(',');
  deepStrictEqual(['A,B', 'A,A', 'A, B,A', ',', 'x'.repeat(501), many].map(told), [
    'asked',
    '--options names "A" twice; write each option once.',
    '--options names "A" twice; write each option once.',
    '--options is empty; write the options, e.g. --options Ship,Wait.',
    '--options holds one of 501 characters; 500 are the most.',
    '--options names 51 options; 50 are the most.',
  ]);
});

test('an output on a full disk is one sentence and exit code 1', { skip: process.platform !== 'linux' }, () => {
  const full = openSync('/dev/full', 'w');
  const { status, stderr } = spawnSync(process.execPath, [MAIN, '--help'], { stdio: ['ignore', full, 'pipe'] });
  closeSync(full);
  deepStrictEqual([status, stderr.toString()], [1, 'The output could not be written: ENOSPC.\n']);
});
