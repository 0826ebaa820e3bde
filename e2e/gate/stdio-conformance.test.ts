import { deepStrictEqual } from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { type Forwarder, startForwarder } from '../mcp/forward.ts';
import { conformance, type Findings, type Revision, REVISIONS } from '../mcp/suite.ts';
import { openPrograms, program, type ProgramScene } from './programs.ts';

const FIXTURES = [process.execPath, join(import.meta.dirname, '../mcp/fixtures/main.ts'), 'stdio'];

/** What the same server does not meet over HTTP either (e2e/mcp/conformance.test.ts). */
const LACKS: Record<Revision, Findings> = {
  '2025-11-25': {},
  '2026-07-28': {
    'tasks-required-task-error': { met: 1, unmet: ['sep-2663-server-returns-missing-capability-when-required'] },
  },
};

let s: ProgramScene;
let forwarder: Forwarder;

before(async () => {
  s = await openPrograms({ fixtures: { upstream: program(FIXTURES), otherwise: 'allow' } });
  forwarder = await startForwarder(s.url('fixtures'), { authorization: `Bearer ${s.key}` });
});
after(async () => {
  await forwarder?.close();
  await s?.remove();
});

// One check of 2025-11-25 is not made: a program has no stream that it could drop.
for (const revision of REVISIONS) {
  test(`a program behind a gate meets all of ${revision} that it meets over HTTP`, { timeout: 120_000 }, async () => {
    const findings = Object.entries(await conformance(forwarder.url, revision));
    deepStrictEqual(Object.fromEntries(findings.filter(([, { unmet }]) => unmet.length > 0)), LACKS[revision]);
  });
}
