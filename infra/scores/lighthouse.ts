import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { Profile } from './browser.ts';

// 170 MB with what it needs, so it is fetched for this command and is no dependency.
const LIGHTHOUSE = 'lighthouse@13.5.0';
const CATEGORIES = ['performance', 'accessibility', 'best-practices'] as const;

export type Scores = Record<(typeof CATEGORIES)[number], number> & { faults: string[] };

/** Lighthouse's scores (0 to 100) of a page in a browser with this profile, signed in as it is, and what it found wrong. */
export async function lighthouseScores(url: string, { executablePath, profile }: Profile): Promise<Scores> {
  const { stdout } = await promisify(execFile)(
    'npx',
    [
      '--yes',
      LIGHTHOUSE,
      url,
      `--only-categories=${CATEGORIES.join()}`,
      `--chrome-flags=--headless=new --no-sandbox --user-data-dir=${profile}`,
      '--disable-storage-reset',
      '--output=json',
      '--quiet',
    ],
    { maxBuffer: 64 * 1024 * 1024, timeout: 300_000, env: { ...process.env, CHROME_PATH: executablePath } },
  );
  const { categories, audits } = JSON.parse(stdout) as Report;
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
};
