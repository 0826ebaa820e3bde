import { deepStrictEqual, match, ok, strictEqual } from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, before, describe, test } from 'node:test';
import type { AnswerBody } from '#shared/answer.ts';
import type { Inquiry } from '#shared/inquiry.ts';
import type { Gate } from '#shared/policies/gate.ts';
import type { NewSourceReply } from '#shared/wire.ts';
import { answer, asked } from './gate/people.ts';
import { snippet } from './guides/snippets.ts';
import { must } from './hub/call.ts';
import { startHub, type Hub } from './hub/hub.ts';
import { addSource, ownerDevice, type Device } from './hub/people.ts';
import { Program } from './hub/process.ts';

const ROOT = resolve(import.meta.dirname, '..');

describe('blocks of the guides, run as they stand', { timeout: 120_000 }, () => {
  let hub: Hub;
  let owner: Device;
  let source: NewSourceReply;
  let folder: string;
  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'beckon-guides-'));
    hub = await startHub();
    owner = await ownerDevice(hub);
    source = await addSource(hub, owner, 'Guide');
  });
  after(async () => {
    await hub?.remove();
    rmSync(folder, { recursive: true, force: true });
  });

  /** Runs a block, with the test's hub in the place of the reader's. */
  async function runs(
    name: string,
    { cwd = folder, env = {}, replace = [] as [string, string][] } = {},
  ): Promise<string> {
    const own: [string, string][] = [
      ['https://beckon.example.com', hub.url],
      ['http://localhost:4275', hub.url],
    ];
    const code = [...own, ...replace].reduce((text, [from, to]) => text.replaceAll(from, to), snippet(name));
    const [, language = ''] = /> (\w+) \d+$/.exec(name) ?? [];
    const programs: Record<string, string[]> = {
      sh: ['sh', '-e', '-c', code.replaceAll('curl ', 'curl -sS --fail-with-body ')],
      js: [process.execPath, '--input-type=module', '-e', code],
      python: ['python3', '-c', code],
    };
    const given = { BECKON_URL: hub.url, BECKON_KEY: source.key, DATA_DIR: hub.dataDir, DEVICE_TOKEN: owner.token };
    const { code: status, out, err } = await run(programs[language]!, { cwd, env: { ...given, ...env } });
    strictEqual(status, 0, `${name}: ${out}${err}`);
    return out;
  }
  /** The same, for a block that asks once. */
  async function answered(name: string, body: AnswerBody, options = {}): Promise<string> {
    const running = runs(name, options);
    const [inquiry] = await Promise.race([asked(hub, owner), running.then((out) => Promise.reject(new Error(out)))]);
    await answer(hub, owner, inquiry, body);
    return running;
  }

  test('a request of the Agent Approval Protocol is made, waited for and cancelled, and a source becomes a provisioner', async () => {
    const block = (at: number) => `infra/protocols.md > Agent Approval Protocol > sh ${at}`;
    const { id, status } = JSON.parse(await runs(block(0))) as { id: string; status: string };
    const replace: [string, string][] = [
      ['REQUEST', id],
      ['30s', '1s'],
      ['SOURCE', source.source.id],
    ];
    const read = (await runs(block(1), { replace }))
      .split(/(?<=\})(?=\{)/)
      .map((one) => (JSON.parse(one) as { status: string }).status);
    deepStrictEqual([status, read], ['pending', ['pending', 'cancelled']]);
    match(await runs(block(2), { replace }), /"mayProvision":true/);
  });

  test('README asks from a shell, and over HTTP with a key that it makes', async () => {
    const choose = { values: { answer: 'Ship' } };
    strictEqual(await answered('README.md > Ask > sh 0', choose, { cwd: ROOT }), 'Ship\n');
    const approve: AnswerBody = { decisions: [{ type: 'approve' }] };
    const out = await answered('README.md > Ask > sh 1', approve, {
      cwd: ROOT,
      env: { BECKON_KEY: '', BECKON_URL: '' },
    });
    const { resolution, source: asking } = JSON.parse(out) as {
      resolution: { outcome: string };
      source: { name: string };
    };
    deepStrictEqual([resolution.outcome, asking.name], ['answered', 'Release train']);
  });

  test('the plain API is asked by curl, JavaScript and Python', async () => {
    for (const language of ['sh', 'js', 'python']) {
      const out = await answered(`infra/agents.md > Others, over the plain API > ${language} 0`, { text: 'Yes.' });
      strictEqual(out.trim(), 'Yes.');
    }
  });

  test('the clients are fetched, and are programs', async () => {
    for (const at of [0, 1]) await runs(`infra/agents.md > The client > sh ${at}`);
    deepStrictEqual(readdirSync(folder).toSorted(), ['beckon.d.mts', 'beckon.mjs', 'beckon.py']);
    const imports = ['python3', '-c', 'import beckon; print(beckon.ask.__name__)'];
    strictEqual((await run(imports, { cwd: folder })).out, 'ask\n');
    strictEqual((await run([process.execPath, '--check', 'beckon.mjs'], { cwd: folder })).code, 0);
  });

  test('a source says how long its approvals hold and whom it asks when nobody answers, and a decider is made', async () => {
    const env = { SOURCE_ID: source.source.id };
    const held = JSON.parse(
      await runs('infra/connect-your-agent.md > How long an approval holds > sh 0', { env }),
    ) as object;
    strictEqual('validFor' in held && held.validFor, 3600);
    const whom = await runs('infra/connect-your-agent.md > When nobody answers > sh 0', {
      env,
      replace: [['ops', owner.handle]],
    });
    deepStrictEqual((JSON.parse(whom) as { escalate: object }).escalate, [{ after: 600, to: [owner.handle] }]);
    const several = await runs('infra/connect-your-agent.md > Several people > sh 0', { env });
    deepStrictEqual((JSON.parse(several) as { approvals: object }).approvals, { count: 2 });
    await must(hub, `PATCH /v1/sources/${source.source.id}`, { token: owner.token, body: { approvals: null } });
    const made = await runs('infra/deciders.md > Let a model or a tool of yours decide > sh 0', {
      env,
      replace: [['sk-…', 'sk-1']],
    });
    strictEqual((JSON.parse(made) as { name: string }).name, 'Ada’s double');
  });

  test('a receipt is read, and used once', async () => {
    const args = { cents: 1200 };
    const body = { actions: [{ name: 'refund', args, allowed: ['approve', 'reject'] }] };
    const inquiry = await must<Inquiry>(hub, 'POST /v1/inquiries', { token: source.key, body });
    await answer(hub, owner, inquiry, { decisions: [{ type: 'approve' }] });
    const receipt = await runs('infra/receipts.md > Receipts > sh 0', { env: { ID: inquiry.id } });
    const used = await runs('infra/receipts.md > Receipts > sh 1', {
      env: { RECEIPT: (JSON.parse(receipt) as { receipt: string }).receipt },
    });
    strictEqual(typeof JSON.parse(used), 'object');
  });

  test('rules of a gate are taken by the API, and gates of a file by a hub that starts', async () => {
    const rules = JSON.parse(snippet('infra/gates.md > Rules > json 0')) as object[];
    const body = { upstream: { url: 'https://files.example.com/mcp' }, rules };
    const made = await must<Gate>(hub, 'PUT /v1/gates/ruled', { token: owner.token, body });
    deepStrictEqual(made.rules, rules);
    const file = join(folder, 'gates.json');
    writeFileSync(file, snippet('infra/gates.md > Setting it up > json 0'));
    const other = await startHub({ GATES_FILE: file });
    try {
      const device = await ownerDevice(other);
      const { items } = await must<{ items: Gate[] }>(other, 'GET /v1/gates', { token: device.token });
      deepStrictEqual(
        items.map(({ name, upstream, otherwise }) => [name, upstream.url, otherwise]),
        [['files', 'https://files.example.com/mcp', 'ask']],
      );
    } finally {
      await other.remove();
    }
  });

  test('the operator makes a link and a backup, and gives up what a lost key sealed', async () => {
    const link = await runs('infra/README.md > After a lost phone > sh 0', {
      cwd: ROOT,
      replace: [['HANDLE', 'owner']],
    });
    match(link, /^The sign-in link for owner is in /);
    const backup = join(folder, 'backup');
    mkdirSync(backup);
    await runs('infra/README.md > Backing up > sh 0', { cwd: ROOT, replace: [['/backup/', `${backup}/`]] });
    const [file = ''] = readdirSync(backup);
    match(file, /^beckon-\d{4}-\d\d-\d\d\.sqlite$/);
    ok(statSync(join(backup, file)).size > 0);
    using copy = new DatabaseSync(join(backup, file));
    const checks = () => copy.prepare(`select count(*) as n from settings where name = 'sealing_key_check'`).get();
    strictEqual(checks()?.['n'], 1);
    copy.exec(snippet('infra/README.md > Backing up > sql 0'));
    strictEqual(checks()?.['n'], 0);
  });
});

function run(command: string[], { cwd, env = {} }: { cwd: string; env?: Record<string, string> }) {
  const { PATH, HOME } = process.env;
  return new Program(['env', '-C', cwd, ...command], { PATH, HOME, PYTHONDONTWRITEBYTECODE: '1', ...env }).ended;
}
