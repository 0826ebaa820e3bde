import { deepStrictEqual, rejects } from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterEach, beforeEach, describe, test } from 'node:test';
import { lighthouseScores } from './lighthouse.ts';

const path = process.env['PATH'] ?? '';

let folder = '';
const profile = () => ({ executablePath: '/usr/bin/true', profile: join(folder, 'profile') });
describe('what Lighthouse measures', () => {
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
    deepStrictEqual(await lighthouseScores('http://localhost/', profile()), {
      performance: 97,
      accessibility: 100,
      'best-practices': 100,
      faults: ['Total Blocking Time 210 ms'],
    });
    deepStrictEqual(timesRun(), 5);
  });

  test('of three runs the one with the median performance counts', async () => {
    measures(0.91, 0.99, 0.97);
    const { performance, faults } = await lighthouseScores('http://localhost/', profile());
    deepStrictEqual(
      { performance, faults, runs: timesRun() },
      { performance: 97, faults: ['Total Blocking Time 0.97'], runs: 3 },
    );
  });

  test('a page that cannot be measured is given up after the fourth time, with the reason', async () => {
    failsFirst(9);
    await rejects(
      lighthouseScores('http://localhost/', profile()),
      /could not measure http:\/\/localhost\/: NO_NAVSTART/,
    );
    deepStrictEqual(timesRun(), 4);
  });

  /** In the place of `npx`: as Lighthouse does, it writes a report and ends with an error so many times, and then measures. */
  function failsFirst(times: number): void {
    const failed = { runtimeError: { code: 'NO_NAVSTART' }, categories: {}, audits: {} };
    standIn(`if [ $run -le ${times} ]; then ${write(failed)}; exit 1; fi`, said(0.97, '210 ms'));
  }

  /** In the place of `npx`: a report of each performance in turn, with its figure as the fault. */
  function measures(...scores: number[]): void {
    standIn(...scores.map((score, at) => `[ $run -ne ${at + 1} ] || ${said(score, String(score))}`));
  }

  function said(score: number, displayValue: string): string {
    const report = {
      categories: {
        performance: { score, auditRefs: [{ id: 'total-blocking-time', weight: 30 }] },
        accessibility: { score: 1, auditRefs: [] },
        'best-practices': { score: 1, auditRefs: [] },
      },
      audits: { 'total-blocking-time': { title: 'Total Blocking Time', score: 0.8, displayValue } },
    };
    return write(report);
  }

  function write(report: object): string {
    return `echo '${JSON.stringify(report)}' > "$report"`;
  }

  // The file that the arguments name.
  const REPORT = 'for one; do case $one in --output-path=*) report=${one#*=};; esac; done';

  function standIn(...lines: string[]): void {
    const runs = join(folder, 'runs');
    const script = ['#!/bin/sh', `echo run >> '${runs}'`, `run=$(wc -l < '${runs}')`, REPORT, ...lines];
    writeFileSync(join(folder, 'npx'), script.join('\n'), { mode: 0o755 });
  }

  function timesRun(): number {
    return readFileSync(join(folder, 'runs'), 'utf8').trim().split('\n').length;
  }
});
