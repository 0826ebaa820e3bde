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

test('the operator’s file names gates before programs and before addresses', () => {
  const gates = {
    files: { upstream: { command: 'files', args: ['/'] }, rules: [{ tool: 'read_*', does: 'allow' }] },
    shop: { upstream: { url: 'http://10.0.0.5/mcp', headers: { 'x-key': 'k' } }, deadline: 60 },
  };
  const policy = { from: 'file', rules: [], otherwise: 'annotations', elicitation: 'client', changedAt: 7 };
  deepStrictEqual(read(JSON.stringify({ gates })), {
    files: {
      ...policy,
      name: 'files',
      upstream: { command: 'files', args: ['/'], env: {}, cwd: undefined },
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

test('every fault of the file is listed, one sentence each', () => {
  const texts = [
    '{"gates":',
    '{"gates":{"files":{"upstream":{"command":"a"},"rule":[],"deadline":"soon","otherwise":"perhaps"}}}',
    '{"gates":{"a":{"upstream":{"url":"https://u:p@example.com/"}},"b":{"upstream":{"url":"https://example.com/","headers":{"Host":"x"}}}}}',
  ].map(read);
  deepStrictEqual(texts, [
    'The file FILE (GATES_FILE) is not JSON: Unexpected end of JSON input.',
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
