import { deepStrictEqual } from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { readGatesFile } from './file.ts';

const folder = mkdtempSync(join(tmpdir(), 'beckon-gates-'));
after(() => rmSync(folder, { recursive: true }));
const path = join(folder, 'gates.json');

function read(text: string): unknown {
  writeFileSync(path, text);
  try {
    return Object.fromEntries(readGatesFile(path, 7));
  } catch (error) {
    return (error as Error).message.replaceAll(path, 'FILE');
  }
}

test('the operator’s file names gates before addresses, which ask about what no rule names', () => {
  const gates = {
    files: { upstream: { url: 'https://files.example/mcp' }, rules: [{ tool: 'read_*', does: 'allow' }] },
    shop: { upstream: { url: 'http://10.0.0.5/mcp', headers: { 'x-key': 'k' } }, deadline: 60 },
  };
  const policy = { from: 'file', rules: [], otherwise: 'ask', elicitation: 'client', changedAt: 7 };
  deepStrictEqual(read(JSON.stringify({ gates })), {
    files: {
      ...policy,
      name: 'files',
      upstream: { url: 'https://files.example/mcp', headers: {} },
      rules: [{ tool: 'read_*', does: 'allow' }],
      deadline: 3600,
    },
    shop: {
      ...policy,
      name: 'shop',
      upstream: { url: 'http://10.0.0.5/mcp', headers: { 'x-key': 'k' } },
      deadline: 60,
    },
  });
  deepStrictEqual(readGatesFile(undefined, 7).size, 0);
});

test('a gate before a program is refused with the line that puts it where the client runs', () => {
  const files = { upstream: { command: 'npx', args: ['-y', 'some-server', "/srv/Ada's files"], env: { TOKEN: 'x' } } };
  const shop = { upstream: { command: 'shop' }, rules: [{ tool: 'pay', does: 'deny' }], deadline: 60 };
  const start = 'The file FILE (GATES_FILE) cannot be used:\n';
  const why = 'names a program, which the hub does not start:';
  deepStrictEqual(
    read(JSON.stringify({ gates: { files, shop, late: { ...shop, upstream: {}, deadline: 'soon' } } })),
    [
      `${start}/gates/files/upstream ${why} use "beckon gate --name files -- npx -y some-server '/srv/Ada'\\''s files'" as the server's command in the client.`,
      `/gates/shop/upstream ${why} with {"rules":[{"tool":"pay","does":"deny"}],"deadline":60} in shop.json use "beckon gate --name shop --config shop.json -- shop" as the server's command in the client.`,
      '/gates/late/upstream/url is missing.',
      '/gates/late/deadline must be a number.',
    ].join('\n'),
  );
});

test('every fault of the file is listed, one sentence each', () => {
  const texts = [
    '{"gates":',
    '{"gates":{},"gates":{}}',
    '{"gates":{"files":{"upstream":{"url":"https://example.com/"},"rule":[],"deadline":"soon","otherwise":"perhaps"}}}',
    '{"gates":{"a":{"upstream":{"url":"https://u:p@example.com/"}},"b":{"upstream":{"url":"https://example.com/","headers":{"Host":"x"}}}}}',
  ].map(read);
  deepStrictEqual(texts, [
    'The file FILE (GATES_FILE) is not JSON: Unexpected end of JSON input.',
    'The file FILE (GATES_FILE) is not JSON: A member stands twice in it.',
    'The file FILE (GATES_FILE) cannot be used:\n' +
      '/gates/files/otherwise must be one of annotations, ask, allow, deny.\n' +
      '/gates/files/deadline must be a number.\n' +
      '/gates/files/rule is not a member this call knows.',
    'The file FILE (GATES_FILE) cannot be used:\n' +
      '/gates/a/upstream/url cannot be used: refused: credentials in the address; send it as a header.\n' +
      '/gates/b/upstream/headers/Host is not for a gate to set: it belongs to the connection or to MCP.',
  ]);
  rmSync(path);
  deepStrictEqual(
    (() => {
      try {
        readGatesFile(path, 7);
        return 'read';
      } catch (error) {
        return (error as Error).message.replace(path, 'FILE');
      }
    })(),
    'The file FILE (GATES_FILE) cannot be read: ENOENT.',
  );
});
