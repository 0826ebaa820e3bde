import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Program } from '../hub/process.ts';

const CLI = fileURLToPath(import.meta.resolve('@modelcontextprotocol/conformance/dist/index.js'));
const PATIENCE = import.meta.resolve('./patience.ts');
const SCENARIO_MS = '240000';

export const REVISIONS = ['2025-11-25', '2026-07-28'] as const;
export type Revision = (typeof REVISIONS)[number];

/** What each scenario found: how many of each status, and in words what was not met. */
export type Findings = Record<string, { met: number; unmet: string[] }>;

/** Runs what a revision requires of a server, and what the suite only reports, against a URL. */
export async function conformance(url: string, revision: Revision): Promise<Findings> {
  return run(['--url', url, '--requirements', revision]);
}

async function run(args: string[]): Promise<Findings> {
  const folder = mkdtempSync(join(tmpdir(), 'beckon-conformance-'));
  try {
    const suite = new Program([
      process.execPath,
      `--import=${PATIENCE}`,
      CLI,
      'server',
      ...args,
      '--timeout',
      SCENARIO_MS,
      '-o',
      folder,
    ]);
    const { out, err } = await suite.ended;
    const findings = readFindings(folder);
    if (Object.keys(findings).length === 0) throw new Error(`the conformance suite found nothing: ${out}${err}`);
    return findings;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

// One folder for each scenario, named server-SCENARIO-TIME.
function readFindings(folder: string): Findings {
  const findings: Findings = {};
  for (const name of readdirSync(folder).toSorted()) {
    const checks = JSON.parse(readFileSync(join(folder, name, 'checks.json'), 'utf8')) as Check[];
    const scenarioName = name.replace(/^server-/, '').replace(/-\d{4}-\d{2}-\d{2}T[\d-]+Z$/, '');
    findings[scenarioName] = {
      met: checks.filter(({ status }) => status === 'SUCCESS').length,
      unmet: [...new Set(checks.filter(({ status }) => /FAILURE|WARNING/.test(status)).map(({ id }) => id))],
    };
  }
  return findings;
}

type Check = { id: string; status: string; errorMessage?: string };
