import { deepStrictEqual, ok } from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import type { Inquiry } from '#shared/inquiry.ts';
import { all } from '../hub/call.ts';
import { type Hub, startHub } from '../hub/hub.ts';
import { openPage, type Page } from '../hub/page.ts';
import { addSource, ownerDevice } from '../hub/people.ts';
import { startFixtureServer } from './fixtures/server.ts';
import { type Forwarder, startForwarder } from './forward.ts';
import { conformance, type Findings, type Revision, REVISIONS } from './suite.ts';

/**
 * What of the suite concerns the hub's own endpoint, which has none of the suite's tools, prompts and resources. What is
 * not met cannot be seen there, for the reason beside it; everything else of these scenarios must be.
 */
const OWN: Record<Revision, Findings> = {
  '2025-11-25': {
    'dns-rebinding-protection': { met: 2, unmet: [] },
    ping: { met: 2, unmet: [] },
    'server-initialize': { met: 3, unmet: [] },
    'server-session-lifecycle': { met: 3, unmet: [] },
    'server-sse-multiple-streams': { met: 2, unmet: [] },
    // No tool of the hub drops its own stream. That calls are resumed is shown in server/mcp.
    'server-sse-polling': { met: 2, unmet: ['server-sse-disconnect-resume'] },
    'tools-list': { met: 3, unmet: [] },
  },
  '2026-07-28': {
    // The hub has no prompts and no resources.
    caching: {
      met: 4,
      unmet: ['prompts-list', 'resources-list', 'resources-templates-list'].map(
        (list) => `sep-2549-${list}-caching-hints`,
      ),
    },
    'dns-rebinding-protection': { met: 2, unmet: [] },
    'http-header-validation': { met: 14, unmet: [] },
    'input-required-result-unsupported-methods': { met: 2, unmet: [] },
    'server-sse-multiple-streams': { met: 1, unmet: [] },
    'server-stateless': {
      met: 24,
      unmet: [
        // No tool of the hub wants a capability of its client.
        'sep-2575-server-rejects-undeclared-capability',
        'sep-2575-missing-capability-http-400',
        // Nor asks it for input, nor logs.
        'sep-2575-http-server-no-independent-requests-on-stream',
        'sep-2575-server-no-log-without-loglevel',
      ],
    },
    // The tools that become tasks have other names; that they become tasks is shown in server/mcp.
    'tasks-capability-negotiation': {
      met: 3,
      unmet: ['sep-2663-server-rejects-undeclared-client', 'tasks-per-request-meta-opt-in'],
    },
    'tools-list': { met: 4, unmet: [] },
  },
};

/** What the fixture server itself does not meet: the SDK has no tool that exists only as a task. */
const LACKS: Record<Revision, Findings> = {
  '2025-11-25': {},
  '2026-07-28': {
    'tasks-required-task-error': { met: 1, unmet: ['sep-2663-server-returns-missing-capability-when-required'] },
  },
};

/** A held call that takes a moment has begun its stream with 200 when the server behind it says 400; a quick person keeps the 400. */
const STATUS = 'sep-2575-missing-capability-http-400';

let hub: Hub;
let page: Page;
let fixtures: Awaited<ReturnType<typeof startFixtureServer>>;
let key: string;
let folder: string;
const forwarders: Forwarder[] = [];

before(async () => {
  folder = mkdtempSync(join(tmpdir(), 'beckon-gates-'));
  fixtures = await startFixtureServer();
  const behind = { url: fixtures.url };
  const gates = {
    passing: { upstream: behind, otherwise: 'allow' },
    asking: { upstream: behind, otherwise: 'ask' },
  };
  const file = join(folder, 'gates.json');
  writeFileSync(file, JSON.stringify({ gates }));
  hub = await startHub({ GATES_FILE: file });
  const owner = await ownerDevice(hub);
  ({ key } = await addSource(hub, owner, 'Suite'));
  page = await openPage(hub, owner);
  page.socket.on(
    'inquiry',
    ({ inquiry: { id: inquiryId, digest, actions = [], resolution } }: { inquiry: Inquiry }) => {
      if (!resolution)
        void page.send('answer', { inquiryId, digest, decisions: actions.map(() => ({ type: 'approve' })) });
    },
  );
});

after(async () => {
  page?.close();
  await Promise.all(forwarders.map((forwarder) => forwarder.close()));
  await Promise.all([fixtures?.close(), hub?.remove()]);
  rmSync(folder, { recursive: true, force: true });
});

for (const revision of REVISIONS) {
  test(`what the conformance suite asks of any server of ${revision} is met at /mcp`, async () => {
    const findings = await conformance(await keyed('/mcp'), revision);
    const own = Object.keys(OWN[revision]).map((name) => [name, findings[name]]);
    deepStrictEqual(Object.fromEntries(own), OWN[revision]);
  });

  test(`the conformance suite finds the same in a server of ${revision} and through gates before it: one lets every call pass, at one a person approves every call`, async () => {
    const urls = [fixtures.url, await keyed('/mcp/gate/passing'), await keyed('/mcp/gate/asking')];
    const [direct = {}, passed = {}, approved = {}] = await Promise.all(urls.map((url) => conformance(url, revision)));
    const lacks = Object.entries(direct).filter(([, { unmet }]) => unmet.length > 0);
    deepStrictEqual(Object.fromEntries(lacks), LACKS[revision]);
    deepStrictEqual(passed, direct);
    deepStrictEqual(forgiving(approved, STATUS), direct);
    const asked = await all<Inquiry>(hub, '/v1/inquiries?state=resolved', key);
    ok(asked.length > 10, `only ${asked.length} calls were held`);
  });
}

function forgiving(findings: Findings, check: string): Findings {
  const forgiven = ({ met, unmet }: Findings[string]) =>
    unmet.includes(check) ? { met: met + 1, unmet: unmet.filter((id) => id !== check) } : { met, unmet };
  return Object.fromEntries(Object.entries(findings).map(([name, found]) => [name, forgiven(found)]));
}

// The suite's command can send no header of ours.
async function keyed(path: string): Promise<string> {
  const forwarder = await startForwarder(hub.url + path, { authorization: `Bearer ${key}` });
  forwarders.push(forwarder);
  return forwarder.url;
}
