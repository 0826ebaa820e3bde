import { deepStrictEqual, match, ok, strictEqual } from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { test, type TestContext } from 'node:test';
import { findDevice } from '../devices/find.ts';
import { createGroup } from '../people/groups.ts';
import { createGateStore } from '../mcp/gate/config/store.ts';
import { openDatabase } from '../platform/engines/open.ts';
import { SETTINGS } from '../platform/settings.ts';
import { closedPort, serve } from '../platform/testing/listen.ts';
import { findSource } from '../sources/find.ts';
import { keepPublicUrl } from './command/hub-data.ts';
import { run } from './main.ts';

type Ran = { code: number; out: string; err: string };

test('device add and source add work before any hub ran', async (context) => {
  const dataDir = folder(context);
  const noHub = { PORT: String(await closedPort()) };
  const device = await beckon(dataDir, ['device', 'add', 'owner', 'Script', '--json'], noHub);
  const { deviceId, accessToken, ...rest } = JSON.parse(device.out) as Record<string, string>;
  deepStrictEqual([device.code, device.err, rest], [0, '', {}]);
  strictEqual(device.out, `${JSON.stringify({ deviceId, accessToken })}\n`);
  const source = await beckon(dataDir, ['source', 'add', 'CI', '--webhook', 'https://ci.example/hook']);
  const key = source.out.trimEnd().split('\n').at(-1) ?? '';

  const database = await openDatabase({ dataDir });
  const found = await findDevice(database, accessToken ?? '');
  const asking = await findSource(database, key);
  await database.close();
  ok(typeof found === 'object' && typeof asking === 'object');
  deepStrictEqual([found.id, found.person.handle, asking.name], [deviceId, 'owner', 'CI']);
});

test('completion prints the names of sources, of people and of groups, and makes no database', async (context) => {
  const dataDir = folder(context);
  strictEqual((await beckon(dataDir, ['completion', 'sources'])).code, 2);
  deepStrictEqual(readdirSync(dataDir), []);
  await beckon(dataDir, ['source', 'add', 'Release train'], { PORT: String(await closedPort()) });
  await beckon(dataDir, ['person', 'add', 'anna']);
  const database = await openDatabase({ dataDir });
  await createGroup(database, { handle: 'ops', members: ['anna'] });
  await database.close();
  deepStrictEqual(
    [await beckon(dataDir, ['completion', 'sources']), await beckon(dataDir, ['completion', 'people'])],
    [
      { code: 0, out: 'Release train\n', err: '' },
      { code: 0, out: 'owner\nanna\nops\n', err: '' },
    ],
  );
});

test('what lists, removes or links where there is no database is refused, and makes none', async (context) => {
  const dataDir = folder(context);
  for (const args of [
    ['source', 'list'],
    ['source', 'remove', 'CI'],
    ['person', 'list'],
    ['person', 'link', 'owner'],
    ['person', 'remove', 'bob'],
    ['device', 'list'],
    ['device', 'remove', 'dev_x'],
    ['gate', 'list'],
    ['gate', 'remove', 'files'],
    ['backup', join(dataDir, 'backup.sqlite')],
  ]) {
    const err = `There is no database in ${dataDir}; set DATA_DIR.\n`;
    deepStrictEqual([args, await beckon(dataDir, args)], [args, { code: 2, out: '', err }]);
  }
  deepStrictEqual(readdirSync(dataDir), []);
});

test('what makes something beside a running hub whose data is elsewhere is refused', async (context) => {
  const dataDir = folder(context);
  const { port } = new URL(await serve(context, (_, reply) => reply.end('{"status":"ok","version":"1.0.0"}')));
  for (const args of [
    ['source', 'add', 'CI'],
    ['person', 'add', 'bob'],
    ['device', 'add', 'owner', 'Script'],
    ['ask', 'a'],
  ]) {
    const err = `A hub runs on port ${port}, but there is no database in ${dataDir}; set DATA_DIR to the folder of that hub.\n`;
    deepStrictEqual([args, await beckon(dataDir, args, { PORT: String(port) })], [args, { code: 2, out: '', err }]);
  }
  deepStrictEqual(readdirSync(dataDir), []);
});

test('gates are listed and removed without a sealing key, and none is made', async (context) => {
  const dataDir = await folderWithData(context);
  const database = await openDatabase({ dataDir });
  const sealingKey = randomBytes(32);
  const store = createGateStore({ database, sealingKey, fromFile: new Map() });
  const gate = { rules: [], otherwise: 'ask' as const, elicitation: 'client' as const, deadline: 60 };
  await store.put('files', {
    ...gate,
    upstream: { url: 'http://127.0.0.1:1/mcp', headers: { authorization: 's3cret' } },
  });
  await store.put('notes', { ...gate, upstream: { url: 'http://127.0.0.1:2/mcp', headers: {} } });
  await database.close();
  const listed = async (env: Record<string, string>): Promise<unknown> => {
    const { out } = await beckon(dataDir, ['gate', 'list', '--json'], env);
    return (JSON.parse(out) as { items: { upstream: unknown }[] }).items.map(({ upstream }) => upstream);
  };
  const notes = { url: 'http://127.0.0.1:2/mcp', headerNames: [] };
  deepStrictEqual(
    [
      await listed({}),
      await listed({ SEALING_KEY: randomBytes(32).toString('base64') }),
      await listed({ SEALING_KEY: sealingKey.toString('base64') }),
      (await beckon(dataDir, ['gate', 'remove', 'files'])).out,
      await listed({}),
    ],
    [
      [{ url: 'http://127.0.0.1:1/mcp' }, notes],
      [{ url: 'http://127.0.0.1:1/mcp' }, notes],
      [{ url: 'http://127.0.0.1:1/mcp', headerNames: ['authorization'] }, notes],
      'The gate "files" is removed.\n',
      [notes],
    ],
  );
  const left = new DatabaseSync(join(dataDir, 'beckon.sqlite'), { readOnly: true });
  const checks = left.prepare("select name from settings where name = 'sealing_key_check'").all();
  left.close();
  deepStrictEqual([checks, readdirSync(dataDir).includes('sealing-key')], [[], false]);
});

test('a sign-in link is in a file that only this account can read, unless there is a terminal', async (context) => {
  const dataDir = await folderWithData(context);
  const added = await beckon(dataDir, ['person', 'add', 'bob', '--name', 'Bob']);
  const file = join(dataDir, 'sign-in-link');
  const link = readFileSync(file, 'utf8').trim();
  match(link, /^http:\/\/localhost:4275\/enroll#[\w-]{43}$/);
  deepStrictEqual([added.code, added.out.includes(link), added.out.includes(file)], [0, false, true]);
  strictEqual(statSync(file).mode & 0o777, 0o600);

  const shown = await beckon(dataDir, ['person', 'link', 'bob'], { PUBLIC_URL: 'https://b.example/' }, true);
  match(shown.out, /█[^]*\nhttps:\/\/b\.example\/enroll#[\w-]{43}\n$/);
  const json = await beckon(dataDir, ['person', 'link', 'bob', '--json']);
  deepStrictEqual(Object.keys(JSON.parse(json.out) as object), ['link', 'expiresAt']);
  strictEqual(readFileSync(file, 'utf8').trim(), link);
});

test('a link leads to where the hub was opened last, unless the command is told otherwise', async (context) => {
  const dataDir = folder(context);
  const database = await openDatabase({ dataDir });
  await keepPublicUrl(database, 'http://localhost:4300');
  await keepPublicUrl(database, 'https://b.example');
  await database.close();
  const linkTo = async (env: Record<string, string>): Promise<string> => {
    const { out } = await beckon(dataDir, ['person', 'link', 'owner', '--json'], env);
    return new URL((JSON.parse(out) as { link: string }).link).origin;
  };
  deepStrictEqual(
    [await linkTo({}), await linkTo({ PUBLIC_URL: 'https://c.example' })],
    ['https://b.example', 'https://c.example'],
  );
});

test('a backup is a whole database, readable by this account alone, and never overwrites', async (context) => {
  const dataDir = await folderWithData(context);
  await beckon(dataDir, ['person', 'add', 'bob']);
  const file = join(dataDir, 'backup.sqlite');
  strictEqual((await beckon(dataDir, ['backup', file])).code, 0);
  const copy = new DatabaseSync(file, { readOnly: true });
  const handles = copy.prepare('select handle from people order by id').all();
  copy.close();
  deepStrictEqual(
    handles.map(({ handle }) => handle),
    ['owner', 'bob'],
  );
  strictEqual(statSync(file).mode & 0o777, 0o600);
  deepStrictEqual(await beckon(dataDir, ['backup', file]), {
    code: 2,
    out: '',
    err: `${file} is there already; name a new file.\n`,
  });
});

test('what is wrong with a command is told in one sentence, with exit code 2', async (context) => {
  const dataDir = await folderWithData(context);
  const wrong: [args: string[], sentence: string][] = [
    [[], 'Name a command; "beckon --help" lists them.'],
    [['frobnicate'], 'There is no command "frobnicate"; "beckon --help" lists them.'],
    [['constructor'], 'There is no command "constructor"; "beckon --help" lists them.'],
    [['bakcup', 'f'], 'There is no command "bakcup"; "beckon --help" lists them. Did you mean "beckon backup"?'],
    [['source'], 'Write one of: beckon source add, beckon source list, beckon source remove.'],
    [
      ['person', 'ad', 'x'],
      'There is no command "person ad"; "beckon --help" lists them. Did you mean "beckon person add"?',
    ],
    [['gate', 'true'], 'Write "beckon gate [OPTIONS] -- COMMAND [ARGS]". See "beckon gate --help".'],
    [
      ['gate', '--otherwise', 'maybe', '--', 'true'],
      '--otherwise must be one of annotations, ask, allow, deny. See "beckon gate --help".',
    ],
    [['gate', '--deadline', 'soon', '--', 'true'], '--deadline must be a number. See "beckon gate --help".'],
    [['ask'], 'Write "beckon ask PROMPT [OPTIONS]". See "beckon ask --help".'],
    [['ask', 'a', 'b'], 'Write "beckon ask PROMPT [OPTIONS]". See "beckon ask --help".'],
    [
      ['ask', 'Ship it?', '--wait', 'soon'],
      '--wait must be a number of seconds, more than 0 and at most 2592000 (30 days).',
    ],
    [['ask', 'Ship it?', '--frob'], '"beckon ask" has no option --frob. See "beckon ask --help".'],
    [
      ['ask', 'a', '--optoins', 'A,B'],
      '"beckon ask" has no option --optoins. Did you mean --options? See "beckon ask --help".',
    ],
    [['ask', 'a', '--constructor', 'b'], '"beckon ask" has no option --constructor. See "beckon ask --help".'],
    [['ask', 'a', '-w', '3'], '"beckon ask" has no option -w. See "beckon ask --help".'],
    [
      ['ask', 'a', '--wait'],
      '--wait needs a value; write one that begins with "-" as --wait=VALUE. See "beckon ask --help".',
    ],
    [
      ['ask', 'a', '--to', '--json'],
      '--to needs a value; write one that begins with "-" as --to=VALUE. See "beckon ask --help".',
    ],
    [['ask', 'a', '--json=yes'], '--json takes no value. See "beckon ask --help".'],
    [['ask', 'a', '--args', '{}'], '--args needs --approve NAME beside it.'],
    [['ask', 'a', '--editable'], '--editable needs --approve NAME beside it.'],
    [
      ['ask', 'a', '--approve', 'x', '--options', 'A'],
      '--options and --approve do not go together; write one of them.',
    ],
    [['ask', 'a', '--form', '/none'], '--form /none cannot be read: ENOENT.'],
    [['ask', '-', '--form', '-'], 'PROMPT and --form cannot both be read from standard input.'],
    [
      ['answer', 'inq_x', 'Ship'],
      'Set BECKON_DEVICE to the token of a device; "beckon device add HANDLE NAME" makes one on the hub\'s machine.',
    ],
    [['answer', 'inq_x'], 'Write TEXT, --approve, --reject, --decline or --content FILE.'],
    [['answer', 'inq_x', '--approve', '--reject'], '--approve and --reject do not go together; write one of them.'],
    [['answer', 'inq_x', 'Ship', '--approve'], '--approve takes no TEXT beside it.'],
    [['list', '--inbox', '--state', 'open'], '--inbox lists what is open: leave out --state.'],
    [['source', 'add'], 'Write "beckon source add NAME [OPTIONS]". See "beckon source add --help".'],
    [['source', 'add', 'CI', '--may-ask', 'zoe'], '--may-ask names nobody: there is no person or group "zoe".'],
    [['source', 'add', ''], 'NAME is empty.'],
    [['source', 'add', 'CI', '--locale', 'fr'], '--locale must be one of en, zh.'],
    [
      ['source', 'add', 'CI', '--webhook', 'https://user:pw@ci.example/'],
      '--webhook holds a user name or password; put a token into its path or query instead, or check the signature of the webhooks.',
    ],
    [['source', 'remove', 'CI'], 'There is no source "CI" here; "beckon source list" lists them.'],
    [['person', 'add', 'owner'], 'The handle "owner" is taken by a person or a group; choose another.'],
    [['person', 'add', 'A B'], 'HANDLE is not a handle: lower-case letters, digits, ".", "_" and "-", at most 39.'],
    [['person', 'link', 'zoe'], 'There is no person "zoe" here; "beckon person add zoe" makes one.'],
    [['person', 'remove', 'owner'], 'The owner of this hub cannot be removed.'],
    [['device', 'add', 'zoe', 'Phone'], 'There is no person "zoe" here; "beckon person add zoe" makes one.'],
    [['device', 'remove', 'dev_x'], 'Nobody is signed in on a device dev_x; "beckon device list" lists them.'],
    [['gate', 'remove', 'files'], 'There is no gate "files" for you here.'],
    [['completion', 'tcsh'], 'There is no completion for tcsh; write bash, zsh, fish, sources, people.'],
    [['serve', 'now'], 'Write "beckon serve [OPTIONS]". See "beckon serve --help".'],
  ];
  for (const [args, sentence] of wrong) {
    deepStrictEqual(await beckon(dataDir, args), { code: 2, out: '', err: `${sentence}\n` });
  }
  const setting = await beckon(dataDir, ['person', 'link', 'owner'], { PORT: 'x' });
  deepStrictEqual(setting, {
    code: 2,
    out: '',
    err: 'The setting PORT must be a number; see "beckon serve --help".\n',
  });
  const negative = await beckon(dataDir, ['person', 'link', 'owner'], { RETAIN_DAYS: '-1' });
  deepStrictEqual(negative.err, 'The setting RETAIN_DAYS must be 1 or more; see "beckon serve --help".\n');
  const postgres = await beckon(dataDir, ['backup', 'b'], { DATABASE_URL: 'postgres://b@127.0.0.1:1/b' });
  deepStrictEqual([postgres.code, /pg_dump/.test(postgres.err)], [2, true]);
});

test('a hub or a database out of reach is told in one sentence, with exit code 1', async (context) => {
  const dataDir = folder(context);
  const port = await closedPort();
  deepStrictEqual(await beckon(dataDir, ['ask', 'Ship it?'], { PORT: String(port) }), {
    code: 1,
    out: '',
    err: `No hub replies at http://127.0.0.1:${port}; start it with "beckon serve" or set BECKON_URL.\n`,
  });
  const postgres = await beckon(dataDir, ['source', 'add', 'CI'], { DATABASE_URL: `postgres://b@127.0.0.1:${port}/b` });
  deepStrictEqual([postgres.code, postgres.out, postgres.err.trimEnd().includes('\n')], [1, '', false]);
});

test('serve --help names every setting', async (context) => {
  const { code, out } = await beckon(folder(context), ['serve', '--help']);
  const named = SETTINGS.filter(({ name, meaning }) => out.includes(name) && out.includes(meaning));
  deepStrictEqual([code, named.length], [0, SETTINGS.length]);
});

async function beckon(dataDir: string, args: string[], env: Record<string, string> = {}, isTTY = false): Promise<Ran> {
  const ran = { out: '', err: '' };
  const code = await run(args, {
    env: { DATA_DIR: dataDir, ...env },
    out: { isTTY, write: (text: string) => void (ran.out += text) },
    err: { write: (text: string) => void (ran.err += text) },
  });
  return { code, ...ran };
}

function folder(context: TestContext): string {
  const dataDir = mkdtempSync(join(tmpdir(), 'beckon-cli-'));
  context.after(() => rmSync(dataDir, { recursive: true }));
  return dataDir;
}

async function folderWithData(context: TestContext): Promise<string> {
  const dataDir = folder(context);
  await (await openDatabase({ dataDir })).close();
  return dataDir;
}
