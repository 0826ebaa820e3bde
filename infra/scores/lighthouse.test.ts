import { deepStrictEqual, rejects } from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterEach, beforeEach, test } from 'node:test';
import { lighthouseScores } from './lighthouse.ts';

const PROFILE = { executablePath: '/usr/bin/true', profile: '/nowhere' };
const path = process.env['PATH'] ?? '';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'beckon-lighthouse-'));
  process.env['PATH'] = folder + delimiter + path;
});
afterEach(() => {
  process.env['PATH'] = path;
  rmSync(folder, { recursive: true });
});

test('a page whose recording failed is measured again', async () => {
  failsFirst(2);
  deepStrictEqual(await lighthouseScores('http://localhost/', PROFILE), {
    performance: 97,
    accessibility: 100,
    'best-practices': 100,
    faults: ['Total Blocking Time 210 ms'],
  });
  deepStrictEqual(timesRun(), 3);
});

test('a page that cannot be measured is given up after the fourth time, with the reason', async () => {
  failsFirst(9);
  await rejects(lighthouseScores('http://localhost/', PROFILE), /could not measure http:\/\/localhost\/: NO_NAVSTART/);
  deepStrictEqual(timesRun(), 4);
});

/** In the place of `npx`: as Lighthouse does, it writes a report and ends with an error so many times, and then measures. */
function failsFirst(times: number): void {
  const failed = { runtimeError: { code: 'NO_NAVSTART' }, categories: {}, audits: {} };
  const measured = {
    categories: {
      performance: { score: 0.97, auditRefs: [{ id: 'total-blocking-time', weight: 30 }] },
      accessibility: { score: 1, auditRefs: [] },
      'best-practices': { score: 1, auditRefs: [] },
    },
    audits: { 'total-blocking-time': { title: 'Total Blocking Time', score: 0.8, displayValue: '210 ms' } },
  };
  const lines = [
    '#!/bin/sh',
    `echo run >> '${join(folder, 'runs')}'`,
    `if [ "$(wc -l < '${join(folder, 'runs')}')" -le ${times} ]; then echo '${JSON.stringify(failed)}'; exit 1; fi`,
    `echo '${JSON.stringify(measured)}'`,
  ];
  writeFileSync(join(folder, 'npx'), lines.join('\n'), { mode: 0o755 });
}

function timesRun(): number {
  return readFileSync(join(folder, 'runs'), 'utf8').trim().split('\n').length;
}
