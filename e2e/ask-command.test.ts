import { deepStrictEqual, strictEqual } from 'node:assert/strict';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import type { Inquiry } from '#shared/inquiry.ts';
import { BUNDLE } from './bundle.ts';

const MAIN = BUNDLE.command;
const dataDir = mkdtempSync(join(tmpdir(), 'beckon-ask-'));
let hub: ChildProcess;
let url = '';
let token = '';

before(async () => {
  hub = start(['serve'], { PORT: '0', LOG_LEVEL: 'silent' });
  url = await opened(hub);
  const device = await beckon(['device', 'add', 'owner', 'Laptop', '--json']);
  token = (JSON.parse(device.out) as { accessToken: string }).accessToken;
});

after(async () => {
  hub.kill('SIGTERM');
  await exited(hub);
  rmSync(dataDir, { recursive: true });
});

test('ask prints the chosen option alone', async () => {
  const asking = beckon(['ask', 'Ship it?', '--options', 'Ship,Wait', '--wait', '60']);
  const inquiry = await openInquiry('Ship it?');
  deepStrictEqual(inquiry.to, ['owner']);
  await answer(inquiry, { values: { answer: 'Ship' } });
  deepStrictEqual(await asking, { code: 0, out: 'Ship\n', err: '' });
});

test('ask prints free text as it was written', async () => {
  const asking = beckon(['ask', 'Which name?']);
  await answer(await openInquiry('Which name?'), { text: 'Ada, of\ncourse' });
  deepStrictEqual(await asking, { code: 0, out: 'Ada, of\ncourse\n', err: '' });
});

test('a decline is said on standard error, with exit code 3', async () => {
  const asking = beckon(['ask', 'Drop the table?']);
  await answer(await openInquiry('Drop the table?'), { outcome: 'declined', message: 'never' });
  const { code, out, err } = await asking;
  deepStrictEqual([code, out, err.includes('never')], [3, '', true]);
});

test('[RES4] when nobody answers in time nothing stands on standard output', async () => {
  const { code, out, err } = await beckon(['ask', 'Anybody?', '--wait', '1']);
  deepStrictEqual([code, out, err.includes('Nobody')], [4, '', true]);
});

test('a call that is approved as sent exits 0, a rejected one 3; edit is not offered', async () => {
  const args = '{"euros":340.00}';
  const asking = beckon(['ask', 'Refund Anna?', '--approve', 'refund', '--args', args]);
  const inquiry = await openInquiry('Refund Anna?');
  deepStrictEqual(inquiry.actions?.[0]?.allowed, ['approve', 'reject']);
  await answer(inquiry, { decisions: [{ type: 'approve' }] });
  deepStrictEqual(await asking, { code: 0, out: 'Approved: `refund` `340.00`.\n', err: '' });

  const again = beckon(['ask', 'Refund Bob?', '--approve', 'refund', '--args', args]);
  await answer(await openInquiry('Refund Bob?'), { decisions: [{ type: 'reject', message: 'too much' }] });
  const { code, out, err } = await again;
  deepStrictEqual([code, out, err.includes('too much')], [3, '', true]);
});

test('an editable call prints its arguments, as sent or as changed, with every number as written', async () => {
  const ask = ['--approve', 'refund', '--args', '{"euros":340.00,"to":"anna"}', '--editable'];
  const asSent = beckon(['ask', 'Send this?', ...ask]);
  await answer(await openInquiry('Send this?'), { decisions: [{ type: 'approve' }] });
  deepStrictEqual(await asSent, { code: 0, out: '{"euros":340.00,"to":"anna"}\n', err: '' });
  const changed = beckon(['ask', 'Change this?', ...ask]);
  const argsText = '{"euros":300.50,"to":"anna"}';
  await answer(await openInquiry('Change this?'), { decisions: [{ type: 'edit', argsText }] });
  deepStrictEqual(await changed, { code: 0, out: `${argsText}\n`, err: '' });
});

test('a form prints its values, and with --json all that became of it', async () => {
  const file = join(dataDir, 'form.json');
  const options = ['mon', 'tue'].map((value) => ({ value, label: value }));
  const questions = [
    { id: 'day', type: 'choice', prompt: 'Which day?', options },
    { id: 'answer', type: 'text', prompt: 'Why?' },
  ];
  writeFileSync(file, JSON.stringify(questions));
  const asking = beckon(['ask', 'About the release', '--form', file]);
  const values = { day: 'tue', answer: 'later' };
  await answer(await openInquiry('About the release'), { values });
  deepStrictEqual(await asking, { code: 0, out: `${JSON.stringify(values)}\n`, err: '' });

  const asJson = beckon(['ask', 'And this?', '--json']);
  const inquiry = await openInquiry('And this?');
  await answer(inquiry, { outcome: 'declined' });
  const { code, out, err } = await asJson;
  const { id, outcome } = JSON.parse(out) as { id: string; outcome: string };
  deepStrictEqual([code, id, outcome, err], [3, inquiry.id, 'declined', '']);
});

test('the same key asks once: an interrupted ask stays open, and the same line finds its answer', async () => {
  const line = ['ask', 'Still wanted?', '--key', 'nightly-41', '--wait', '600'];
  const child = start(line, { BECKON_URL: url });
  const inquiry = await openInquiry('Still wanted?');
  child.kill('SIGTERM');
  strictEqual(await exited(child), 130);
  await answer(inquiry, { text: 'yes' });
  deepStrictEqual(await beckon(line), { code: 0, out: 'yes\n', err: '' });
  const other = await beckon(['ask', 'Something else?', '--key', 'nightly-41']);
  deepStrictEqual([other.code, other.out], [2, '']);
});

test('a question that its source takes back exits 5', async () => {
  const asking = beckon(['ask', 'Gone?']);
  const { id } = await openInquiry('Gone?');
  const headers = { authorization: `Bearer ${readFileSync(join(dataDir, 'command-line-key'), 'utf8').trim()}` };
  strictEqual((await fetch(`${url}/v1/inquiries/${id}/withdraw`, { method: 'POST', headers })).status, 200);
  const { code, out } = await asking;
  deepStrictEqual([code, out], [5, '']);
});

test('Ctrl-C takes the question back', async () => {
  const child = start(['ask', 'Still there?'], { BECKON_URL: url });
  const { id } = await openInquiry('Still there?');
  child.kill('SIGINT');
  strictEqual(await exited(child), 130);
  const inquiry = await read<Inquiry>(`/v1/inquiries/${id}`);
  deepStrictEqual([inquiry.resolution?.outcome, inquiry.resolution?.by.kind], ['withdrawn', 'source']);
});

test('what the hub refuses is said as the hub says it', async () => {
  const { code, out, err } = await beckon(['ask', 'Who?', '--to', 'zoe']);
  deepStrictEqual([code, out, /^--to names nobody.*\n$/.test(err)], [2, '', true]);
});

test('a question is asked without waiting, listed, shown, answered with a device and read', async () => {
  const asked = await beckon(['ask', 'Where to?', '--options', 'Staging,Production', '--no-wait']);
  const id = asked.out.trim();
  deepStrictEqual([asked.code, asked.err], [0, '']);
  const { items } = JSON.parse((await beckon(['list', '--state', 'open', '--json'])).out) as { items: Inquiry[] };
  deepStrictEqual(
    items.filter((one) => one.id === id).map(({ title }) => title),
    ['Where to?'],
  );
  const shown = (await beckon(['show', id])).out;
  const head = new RegExp(`^${id}  open until \\S+\nWhere to\\?\nCommand line asks owner\n`);
  deepStrictEqual([head.test(shown), shown.endsWith('answer: Where to?\n  Staging\n  Production\n')], [true, true]);
  const waiting = beckon(['show', id, '--answer']);
  const device = { BECKON_DEVICE: token };
  const listed = await beckon(['list', '--inbox'], device);
  deepStrictEqual([listed.code, listed.out.includes(id)], [0, true]);
  const misfit = await beckon(['answer', id, 'Moon'], device);
  deepStrictEqual([misfit.code, misfit.out], [2, '']);
  deepStrictEqual(await beckon(['answer', id, 'Staging'], device), {
    code: 0,
    out: `${id} is answered: Staging\n`,
    err: '',
  });
  deepStrictEqual(await waiting, { code: 0, out: 'Staging\n', err: '' });
  deepStrictEqual(await beckon(['answer', id, 'Production'], device), {
    code: 3,
    out: '',
    err: 'It was resolved before, by owner on Laptop: Staging\n',
  });
});

test('a prompt comes from standard input, and calls are approved or rejected with a device', async () => {
  const ask = ['ask', '-', '--approve', 'refund', '--args', '{"euros":1}', '--no-wait'];
  const [first, second] = [await beckon(ask, {}, 'Refund Carl?\n'), await beckon(ask, {}, 'Refund Dora?\n')];
  const device = { BECKON_DEVICE: token };
  const [carl, dora] = [first?.out.trim() ?? '', second?.out.trim() ?? ''];
  strictEqual((await read<Inquiry>(`/v1/inquiries/${carl}`)).prompt, 'Refund Carl?');
  deepStrictEqual(
    [
      (await beckon(['answer', carl, '--approve'], device)).code,
      (await beckon(['show', carl, '--answer'])).code,
      (await beckon(['answer', dora, '--reject', 'not now'], device)).code,
      (await beckon(['show', dora, '--answer'])).err.includes('not now'),
      (await beckon(['show', dora, '--answer'])).code,
    ],
    [0, 0, 0, true, 3],
  );
});

test('--approve presses the plain one of the asker’s own buttons, and names them where none is plain', async () => {
  const key = readFileSync(join(dataDir, 'command-line-key'), 'utf8').trim();
  const device = { BECKON_DEVICE: token };
  const always = { id: 'always', label: 'Always', type: 'approve', remember: 'Bash' };
  const ask = async (...options: object[]): Promise<string> => {
    const actions = [{ name: 'Bash', args: {}, allowed: ['approve', 'reject'], options }];
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
    const body = JSON.stringify({ actions });
    const reply = await fetch(`${url}/v1/inquiries`, { method: 'POST', headers, body });
    return ((await reply.json()) as Inquiry).id;
  };
  const id = await ask(always, { id: 'once', label: 'Once', type: 'approve' });
  strictEqual((await beckon(['answer', id, '--approve'], device)).code, 0);
  const { resolution } = await read<Inquiry>(`/v1/inquiries/${id}`);
  deepStrictEqual(resolution?.answer?.decisions, [{ type: 'approve', optionId: 'once' }]);
  deepStrictEqual(await beckon(['answer', await ask(always), '--approve'], device), {
    code: 2,
    out: '',
    err: 'Bash has its own ways to approve: always. Name one as optionId with --content.\n',
  });
});

test('[APR4] answer and show say how many have approved where several people have to', async () => {
  await beckon(['person', 'add', 'anna']);
  const key = readFileSync(join(dataDir, 'command-line-key'), 'utf8').trim();
  const actions = [{ name: 'drop', args: {}, allowed: ['approve'] }];
  const reply = await fetch(`${url}/v1/inquiries`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ to: ['owner', 'anna'], actions, approvals: { count: 2 } }),
  });
  const { id } = (await reply.json()) as Inquiry;
  deepStrictEqual(await beckon(['answer', id, '--approve'], { BECKON_DEVICE: token }), {
    code: 0,
    out: `${id}: 1 of 2 approved (owner); one more\n`,
    err: '',
  });
  const shown = (await beckon(['show', id])).out;
  strictEqual(shown.endsWith('\n\n1 of 2 approved (owner); one more\n'), true, shown);
});

test('an answer is given as JSON, and a question is taken back; what an agent wrote cannot steer the terminal', async () => {
  const device = { BECKON_DEVICE: token };
  const id = (await beckon(['ask', 'Red\u001b[31m?', '--no-wait'])).out.trim();
  const shown = (await beckon(['show', id])).out;
  deepStrictEqual([shown.includes('\u001b'), shown.includes('Red[U+001B][31m?')], [false, true]);
  strictEqual((await beckon(['answer', id, '--content', '-'], device, '{"text":"Blue"}')).code, 0);
  strictEqual((await beckon(['show', id, '--answer'])).out, 'Blue\n');
  const other = (await beckon(['ask', 'Gone again?', '--no-wait'])).out.trim();
  strictEqual((await beckon(['withdraw', other, '--reason', 'Called off.'])).code, 0);
  strictEqual((await beckon(['show', other, '--answer'])).code, 5);
});

test('[RES5] a key that is unknown, or of the wrong kind, has an exit code of its own', async () => {
  const key = readFileSync(join(dataDir, 'command-line-key'), 'utf8').trim();
  const id = (await beckon(['ask', 'Whose?', '--no-wait'])).out.trim();
  deepStrictEqual(
    [
      (await beckon(['ask', 'Who?'], { BECKON_KEY: 'bks_unknown' })).code,
      (await beckon(['list'], { BECKON_KEY: token })).code,
      (await beckon(['answer', id, 'Mine'], { BECKON_DEVICE: key })).code,
      (await read<Inquiry>(`/v1/inquiries/${id}`)).state,
    ],
    [6, 6, 6, 'open'],
  );
});

test('the command line’s own source may ask everybody', async () => {
  await beckon(['person', 'add', 'bob']);
  const asking = beckon(['ask', 'Bob?', '--to', 'bob', '--wait', '1']);
  strictEqual((await asking).code, 4);
});

function start(args: string[], env: Record<string, string>): ChildProcess {
  const inherited = { PATH: process.env['PATH'] };
  return spawn(process.execPath, [MAIN, ...args], { env: { ...inherited, DATA_DIR: dataDir, ...env } });
}

async function beckon(
  args: string[],
  env: Record<string, string> = {},
  input = '',
): Promise<{ code: number; out: string; err: string }> {
  // The hub's port is known from its data.
  const child = start(args, env);
  child.stdin?.end(input);
  const [out, err, code] = await Promise.all([textOf(child.stdout), textOf(child.stderr), exited(child)]);
  return { code, out, err };
}

async function textOf(stream: NodeJS.ReadableStream | null): Promise<string> {
  let text = '';
  for await (const chunk of stream ?? []) text += String(chunk);
  return text;
}

async function exited(child: ChildProcess): Promise<number> {
  if (child.exitCode !== null) return child.exitCode;
  const [code] = (await once(child, 'exit')) as [number];
  return code;
}

// Its output is read on to its end: a hub whose reader goes away stops at its next line.
async function opened(child: ChildProcess): Promise<string> {
  let text = '';
  const address = new Promise<string | undefined>((resolve) => {
    child.stdout?.on('data', (chunk) => {
      text += String(chunk);
      const found = /open at (http\S+)/.exec(text)?.[1];
      if (found !== undefined) resolve(found);
    });
    child.stdout?.on('end', () => resolve(undefined));
  });
  const found = await address;
  if (found === undefined) throw new Error(`The hub did not start: ${await textOf(child.stderr)}`);
  return found;
}

async function openInquiry(prompt: string): Promise<Inquiry> {
  for (;;) {
    const { items } = await read<{ items: Inquiry[] }>('/v1/inbox');
    const found = items.find((inquiry) => inquiry.title === prompt);
    if (found) return found;
    await pause(25);
  }
}

async function read<T>(path: string): Promise<T> {
  return (await (await fetch(url + path, { headers: { authorization: `Bearer ${token}` } })).json()) as T;
}

async function answer({ id, digest }: Inquiry, body: object): Promise<void> {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const reply = await fetch(`${url}/v1/inquiries/${id}/answer`, {
    method: 'POST',
    headers,
    body: JSON.stringify({ digest, ...body }),
  });
  strictEqual(reply.status, 200);
}
