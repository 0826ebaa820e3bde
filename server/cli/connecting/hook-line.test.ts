import { deepStrictEqual, strictEqual } from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import { hookLine } from './hook-line.ts';

const ALLOW = '{"decision":"allow"}';
const DECISION = 'Beckon-Reply: decision';
const HELD = ['Transfer-Encoding: chunked', 'Beckon-Reply: waiting'];
/** All that a shell could read as its own, and more than it reads at once. */
const ODD = JSON.stringify({
  decision: 'allow',
  x: `\u007f\u0001é漢😀\u2028\\n\t' " $HOME \`id\` %s *${'y'.repeat(262_144)}`,
});

const head = (status: string, ...headers: string[]) =>
  [`HTTP/1.1 ${status}`, 'Connection: close', ...headers, '', ''].join('\r\n');
const whole = (status: string, body: string, ...headers: string[]) =>
  head(status, `Content-Length: ${Buffer.byteLength(body)}`, ...headers) + body;
const chunks = (...parts: string[]) =>
  parts.map((part) => `${Buffer.byteLength(part).toString(16)}\r\n${part}\r\n`).join('');
const END = '0\r\n\r\n';

/** Replies of a hub, whatever a proxy does to them that changes nothing; with what the hook's program gets. */
const TAKEN: Record<string, [reply: string, out: string]> = {
  'a decision': [whole('200 OK', `${ALLOW}\n`, 'Beckon-Reply: decision'), `${ALLOW}\n`],
  'a call that needs none': [whole('200 OK', '{}\n', 'Beckon-Reply: pass'), '{}\n'],
  'that nobody decided': [whole('200 OK', '{"decision":"deny"}\n', 'Beckon-Reply: undecided'), '{"decision":"deny"}\n'],
  'a decision after a while': [head('200 OK', ...HELD) + chunks('\n', '\n', `${ALLOW}\n`) + END, `\n\n${ALLOW}\n`],
  'the longest and oddest one': [head('200 OK', ...HELD) + chunks('\n', `${ODD}\n`) + END, `\n${ODD}\n`],
  'names in small letters': [whole('200 OK', `${ALLOW}\n`, 'beckon-reply: decision'), `${ALLOW}\n`],
  'a proxy that says "100 Continue" first': [
    head('100 Continue') + whole('200 OK', `${ALLOW}\n`, 'Beckon-Reply: decision'),
    `${ALLOW}\n`,
  ],
};

/** What is no reply of a hub, or none that is whole. */
const REFUSED: Record<string, string> = {
  204: head('204 No Content'),
  '204 with the header': head('204 No Content', 'Beckon-Reply: decision'),
  'an empty 200': whole('200 OK', ''),
  'an empty 200 with the header': whole('200 OK', '', 'Beckon-Reply: decision'),
  'the page of a proxy': whole('200 OK', `<html>\n${ALLOW}\n</html>\n`),
  302: whole('302 Found', `${ALLOW}\n`, 'Beckon-Reply: decision', 'Location: http://127.0.0.1:1/'),
  502: whole('502 Bad Gateway', `${ALLOW}\n`, 'Beckon-Reply: decision'),
  504: whole('504 Gateway Timeout', '<html>'),
  'a status that only says 200': whole('502 200', `${ALLOW}\n`, 'Beckon-Reply: decision'),
  '{} without the header': whole('200 OK', '{}'),
  'a decision without the header': whole('200 OK', `${ALLOW}\n`),
  '"ok"': whole('200 OK', '"ok"'),
  '"ok" with the header': whole('200 OK', '"ok"\n', 'Beckon-Reply: decision'),
  'half of a body in chunks': head('200 OK', ...HELD) + chunks('\n', '{"decision":"al'),
  'chunks without their end': head('200 OK', ...HELD) + chunks('\n', `${ALLOW}\n`),
  'half of a body that ends with its connection': `${head('200 OK', 'Beckon-Reply: waiting')}\n{"decision":"allow","x":{}`,
  'all of such a body but its end': `${head('200 OK', 'Beckon-Reply: waiting')}\n${ALLOW}`,
  'nothing after a while': head('200 OK', ...HELD) + chunks('\n', '\n') + END,
  'a call that needs no decision, after one was waited for': head('200 OK', ...HELD) + chunks('\n', '{}\n') + END,
  'another kind': whole('200 OK', `${ALLOW}\n`, 'Beckon-Reply: yes'),
  'a longer kind': whole('200 OK', `${ALLOW}\n`, 'Beckon-Reply: decisions'),
  'no kind': whole('200 OK', `${ALLOW}\n`, 'Beckon-Reply:'),
  'the header twice': whole('200 OK', `${ALLOW}\n`, 'Beckon-Reply: decision', 'beckon-reply: decision'),
  'the header twice, joined by a proxy': whole('200 OK', `${ALLOW}\n`, 'Beckon-Reply: decision, decision'),
  'the header twice, of two kinds': whole('200 OK', '{}\n', 'Beckon-Reply: undecided', 'Beckon-Reply: pass'),
  'a header of another name': whole('200 OK', `${ALLOW}\n`, 'X-Beckon-Reply: decision'),
  'the header before another reply': head('100 Continue', 'Beckon-Reply: decision') + whole('200 OK', `${ALLOW}\n`),
  'the header in a body': whole('200 OK', `<!--\r\nBeckon-Reply: decision\r\n-->\r\n${ALLOW}\n`),
  'the header as the first line of a body': whole('200 OK', `Beckon-Reply: decision\r\n${ALLOW}\n`),
  'a reply quoted in a body': whole('502 Bad Gateway', `It said:\n${whole('200 OK', `${ALLOW}\n`, DECISION)}`),
  'a reply after blank lines': whole('502 Bad Gateway', `\n${whole('200 OK', `${ALLOW}\n`, DECISION)}`),
  'two lines': whole('200 OK', `{}\n${ALLOW}\n`, 'Beckon-Reply: decision'),
  'no HTTP': 'SSH-2.0-OpenSSH_10.0\r\n',
  'nothing at all': '',
};

/** Those that are here; `npm test` installs all of them. */
const SHELLS = ['sh', 'dash', 'bash', 'zsh'].filter((shell) => !spawnSync(shell, ['-c', ':']).error);

const line = (url: string, otherwise: 'asks' | 'runs' = 'runs', waitS = 3_600) =>
  hookLine({ header: '"Authorization: Bearer $BECKON_KEY"', address: `${url}?deadline=${waitS}`, waitS, otherwise });

type Ended = { code: number | null; out: string; err: string };

/** Runs a line in a shell against whatever replies there. */
async function run(shell: string, command: string): Promise<Ended> {
  const own = command.replace(/^sh /, `${shell} `);
  // What a shell finds in its environment decides nothing.
  const odd = { s: '200', r: ' pass.', e: '2', l: '{}' };
  // Bash reads the settings of its user where its input is a socket.
  const env = { PATH: process.env['PATH'], HOME: '/none', BECKON_KEY: 'bks_k', NO_PROXY: '*', ...odd };
  const child = spawn(shell, ['-c', own], { env });
  child.stdin.on('error', () => undefined);
  child.stdin.end('{"tool_name":"STDIN"}');
  const closed = once(child, 'close') as Promise<[number | null]>;
  const [out, err, [code]] = await Promise.all([text(child.stdout), text(child.stderr), closed]);
  return { code, out, err };
}

async function replied(shell: string, raw: string, otherwise?: 'asks' | 'runs'): Promise<Ended> {
  const server = createServer((socket) => {
    let got = '';
    socket.on('error', () => undefined);
    socket.on('data', (data) => {
      got += String(data);
      if (got.includes('Bearer bks_k') && got.includes('STDIN')) socket.end(raw);
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return run(shell, line(`http://127.0.0.1:${port}/v1/ask/gemini-hook`, otherwise)).finally(() => server.close());
}

for (const shell of SHELLS)
  test(`[DIA7] in ${shell} the line of a hook passes the hub's reply on, byte for byte, and nothing else`, async () => {
    const taken = Object.entries(TAKEN).map(async ([name, [raw, wanted]]) => {
      const { code, out, err } = await replied(shell, raw);
      return [name, code, out === wanted, err];
    });
    deepStrictEqual(
      await Promise.all(taken),
      Object.keys(TAKEN).map((name) => [name, 0, true, '']),
    );
    const refused = Object.entries(REFUSED).map(async ([name, raw]) => {
      const { code, out, err } = await replied(shell, raw);
      return [name, code, out.trim(), err.trim() !== ''];
    });
    deepStrictEqual(
      await Promise.all(refused),
      Object.keys(REFUSED).map((name) => [name, 2, '', true]),
    );
  });

test('[DIA7] after a wait nobody decided, in a program that asks by itself: it gets that; after anything else, no reply', async () => {
  const held = (body: string) => head('200 OK', ...HELD) + chunks('\n', body) + END;
  deepStrictEqual(await replied('sh', held('{}\n'), 'asks'), { code: 0, out: '\n{}\n', err: '' });
  const { code, out } = await replied('sh', whole('200 OK', '{}\n'), 'asks');
  deepStrictEqual([code, out], [1, '']);
});

test('[DIA7] why nobody was asked is what the line says', async () => {
  const refused = whole(
    '401 Unauthorized',
    '{"status":401}',
    'Beckon-Reply: undecided',
    'Beckon-Reason: Not known \\n %s.',
  );
  deepStrictEqual(await replied('sh', refused), {
    code: 2,
    out: '',
    err: 'Not known \\n %s.\r\nNo decision came from the Beckon hub.\n',
  });
});

test('[DIA7] where nothing listens, or there is no curl, the code is the one that blocks', async () => {
  const dead = await run('sh', line('http://127.0.0.1:1/v1/ask/gemini-hook'));
  deepStrictEqual([dead.code, dead.out], [2, '']);
  const without = await run('sh', line('http://127.0.0.1:1/').replace('curl ', 'no-such-curl '));
  deepStrictEqual([without.code, without.out], [2, '']);
});

test('the guides show these lines', () => {
  const guide = (name: string) => readFileSync(resolve(import.meta.dirname, `../../../infra/${name}.md`), 'utf8');
  const at = (dialect: string) => `https://beckon.example.com/v1/ask/${dialect}`;
  const count = (name: string, command: string) => guide(name).split(JSON.stringify(command)).length - 1;
  strictEqual(count('agents', line(at('gemini-hook'))), 1);
  strictEqual(count('agents', line(at('codex-hook'), 'asks')), 1);
  strictEqual(count('agents', line(at('codex-hook'), 'asks', 60)), 1);
  strictEqual(count('claude-code', line(at('claude-hook'))), 1);
});
