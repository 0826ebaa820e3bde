import { deepStrictEqual, match } from 'node:assert/strict';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect as open, createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test, type TestContext } from 'node:test';
import type { Notice } from '#shared/wire.ts';
import { answer, asked } from './gate/people.ts';
import { all } from './hub/call.ts';
import { environment, runCommand, startHub, type Hub } from './hub/hub.ts';
import { addSource, ownerDevice, type Device } from './hub/people.ts';

/** What stands between the agent's machine and the hub, and what it makes of the words of both. */
async function startProxy(t: TestContext, hub: Hub, change: { sent?: Change; replied?: Change }): Promise<string> {
  const same: Change = (text) => text;
  const { sent = same, replied = same } = change;
  const server = createServer((socket) => {
    const hubs = open(Number(new URL(hub.url).port), '127.0.0.1');
    for (const one of [socket, hubs]) one.on('error', () => [socket, hubs].forEach((each) => each.destroy()));
    socket.on('data', (data) => hubs.write(sent(data.toString('latin1')), 'latin1'));
    hubs.on('data', (data) => socket.write(replied(data.toString('latin1')), 'latin1'));
    socket.on('close', () => hubs.destroy());
    hubs.on('close', () => socket.end());
  }).listen(0, '127.0.0.1');
  t.after(() => server.close());
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
type Change = (text: string) => string;

/** As nginx passes calls on where nothing is said of it. */
const HTTP_1_0 = {
  sent: (text: string) => text.replace(/^(\w+ \S+) HTTP\/1\.1\r\n/, '$1 HTTP/1.0\r\nConnection: close\r\n'),
};
/** A hub of before. */
const OLDER = { replied: (text: string) => text.replace(/^beckon-re(ply|ason): .*\r\n/gim, '') };

const AGENTS = {
  claude: { label: 'Claude Code', files: ['.claude.json', '.claude/settings.json'] },
  codex: { label: 'Codex', files: ['.codex/beckon-key', '.codex/config.toml'] },
  gemini: { label: 'Gemini CLI', files: ['.gemini/beckon-key', '.gemini/settings.json'] },
};

describe('the test question of beckon connect, by the hook itself', { timeout: 240_000 }, () => {
  let hub: Hub;
  let owner: Device;
  before(async () => {
    hub = await startHub();
    owner = await ownerDevice(hub);
  });
  after(() => hub?.remove());

  async function scene(t: TestContext, name: string, url = hub.url) {
    const home = mkdtempSync(join(tmpdir(), 'beckon-home-'));
    t.after(() => rmSync(home, { recursive: true }));
    const { key, source } = await addSource(hub, owner, name);
    const files = () =>
      readdirSync(home, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map((entry) => join(entry.parentPath, entry.name).slice(home.length + 1))
        .toSorted();
    const connect = (...args: string[]) =>
      runCommand(['connect', ...args, '--yes'], environment({ HOME: home, BECKON_URL: url, BECKON_KEY: key }));
    return { home, source, files, connect };
  }

  for (const [agent, { label, files }] of Object.entries(AGENTS)) {
    test(`[DIA7] ${agent}: it asks as the agent does, and an answer says that all is set`, async (t) => {
      const s = await scene(t, `Answered ${agent}`);
      const connecting = s.connect(agent);
      const [inquiry] = await asked(hub, owner);
      deepStrictEqual(
        [inquiry.actions?.[0]?.name, inquiry.actions?.[0]?.args, inquiry.source.id],
        ['connection_test', { note: `${label} is connected. Approve or reject this: nothing runs.` }, s.source.id],
      );
      await answer(hub, owner, inquiry, { decisions: [{ type: 'approve' }] });
      const { code, out, err } = await connecting;
      deepStrictEqual([code, err, out.includes('It was answered. All is set.'), s.files()], [0, '', true, files]);
    });

    test(`[DIA7] ${agent}: behind a proxy that speaks HTTP/1.0 it says so, with what to do, and so does a notice`, async (t) => {
      const s = await scene(t, `Old ${agent}`, await startProxy(t, hub, HTTP_1_0));
      const { code, out, err } = await s.connect(agent);
      match(err, /^The hook got no decision: .*HTTP\/1\.1.*"proxy_http_version 1\.1; proxy_buffering off;".*\n$/);
      deepStrictEqual([code, out.includes('All is set'), s.files()], [1, false, files]);
      const notices = await all<Notice>(hub, '/v1/notices', owner.token);
      deepStrictEqual(
        notices.filter(({ source }) => source.id === s.source.id).map(({ title }) => title),
        [`The hook of ${label} asked nobody`],
      );
    });
  }

  for (const agent of ['codex', 'gemini'] as const)
    test(`[DIA7] ${agent}: of a hub that is older than the line nothing is renewed, and what is there stays`, async (t) => {
      const s = await scene(t, `Older ${agent}`, await startProxy(t, hub, OLDER));
      const [, file = ''] = AGENTS[agent].files;
      const settings = join(s.home, file);
      mkdirSync(join(settings, '..'), { recursive: true });
      writeFileSync(settings, agent === 'codex' ? 'model = "x"\n' : '{ "model": "x" }\n');
      const before = readFileSync(settings, 'utf8');
      const { code, err } = await s.connect(agent);
      match(err, /sends its hooks no "Beckon-Reply": it is older .*; upgrade the hub first\.\n$/);
      deepStrictEqual([code, s.files(), readFileSync(settings, 'utf8')], [1, [file], before]);
    });

  test('claude: a hub that is older is no hindrance, since Claude Code itself judges its replies', async (t) => {
    const s = await scene(t, 'Older claude', await startProxy(t, hub, OLDER));
    deepStrictEqual((await s.connect('claude', '--no-test')).code, 0);
    deepStrictEqual(existsSync(join(s.home, '.claude/settings.json')), true);
  });
});
