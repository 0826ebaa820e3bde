import { execFile } from 'node:child_process';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { promisify } from 'node:util';
import type { Profile } from './browser.ts';

// 170 MB with what it needs, so it is fetched for this command and is no dependency.
const LIGHTHOUSE = 'lighthouse@13.5.0';
const CATEGORIES = ['performance', 'accessibility', 'best-practices'] as const;
// Chromium now and then starts to record only after a page of a new process has begun to load (NO_NAVSTART): Lighthouse
// asks to be run again then.
const TIMES = 4;
// Its score of the same page varies by several points from run to run; its authors advise a median.
const ROUNDS = 3;

export type Scores = Record<(typeof CATEGORIES)[number], number> & { faults: string[] };

/** Lighthouse's scores (0 to 100) of a page in a browser with this profile, signed in as it is, and what it found wrong, of the run with the median performance of three; throws when four recordings in a row failed. */
export async function lighthouseScores(url: string, profile: Profile): Promise<Scores> {
  const found: Scores[] = [];
  for (let round = 0; round < ROUNDS; round++) found.push(scoresOf(await reportOf(url, profile)));
  return found.toSorted((one, other) => one.performance - other.performance)[Math.floor(ROUNDS / 2)] as Scores;
}

function scoresOf({ categories, audits }: Report): Scores {
  const scores = Object.fromEntries(CATEGORIES.map((name) => [name, Math.round((categories[name]?.score ?? 0) * 100)]));
  const weighed = CATEGORIES.flatMap((name) => categories[name]?.auditRefs ?? []).filter(({ weight }) => weight > 0);
  const faults = weighed
    .map(({ id }) => audits[id])
    .filter((audit) => audit !== undefined && audit.score !== null && audit.score < 0.9)
    .map((audit) => `${audit?.title ?? ''} ${audit?.displayValue ?? ''}`.trim());
  return { ...(scores as Omit<Scores, 'faults'>), faults };
}

type Report = {
  categories: Record<string, { score: number | null; auditRefs: { id: string; weight: number }[] }>;
  audits: Record<string, { title: string; score: number | null; displayValue?: string }>;
  runtimeError?: { code: string };
};

async function reportOf(url: string, profile: Profile): Promise<Report> {
  let code = '';
  for (let time = 0; time < TIMES; time++) {
    const report = await run(url, profile);
    if (!report.runtimeError) return report;
    code = report.runtimeError.code;
  }
  throw new Error(`Lighthouse could not measure ${url}: ${code}`);
}

async function run(url: string, { executablePath, profile }: Profile): Promise<Report> {
  // It may end before a pipe has taken all of a report.
  const written = `${profile}.json`;
  const options = [
    `--only-categories=${CATEGORIES.join()}`,
    `--chrome-flags=--headless=new --no-sandbox --user-data-dir=${profile}`,
    '--disable-storage-reset',
    '--output=json',
    `--output-path=${written}`,
    '--quiet',
  ];
  try {
    await promisify(execFile)('npx', ['--yes', LIGHTHOUSE, url, ...options], {
      timeout: 300_000,
      env: { ...process.env, CHROME_PATH: executablePath },
    }).catch((failed: unknown) => {
      // It ends with an error after a report of a failed recording.
      if (!existsSync(written)) throw failed;
    });
    return JSON.parse(readFileSync(written, 'utf8')) as Report;
  } finally {
    rmSync(written, { force: true });
  }
}
