import { deepStrictEqual } from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { readSettings } from '../../platform/settings.ts';
import { hubUrl, keepAddress, type HubData } from './hub-data.ts';
import type { Terminal } from './terminal.ts';

test('a command finds the hub of its data folder where that listens; PORT and BECKON_URL win, in this order', async (t) => {
  const dataDir = mkdtempSync(join(tmpdir(), 'beckon-address-'));
  t.after(() => rmSync(dataDir, { recursive: true }));
  const found = (env: Record<string, string> = {}) =>
    hubUrl({ env: { DATA_DIR: dataDir, ...env } } as never as Terminal);
  const start = (HOST: string, PORT: string, publicUrl = 'https://hub.example') =>
    keepAddress({ settings: readSettings({ DATA_DIR: dataDir, HOST, PORT }), publicUrl } as HubData);
  const none = found();
  await start('0.0.0.0', '4300');
  const both = { PORT: '4400', BECKON_URL: 'https://other.example/' };
  deepStrictEqual(
    [none, found(), found({ PORT: ' ' }), found({ PORT: '4400' }), found(both)],
    [
      'http://127.0.0.1:4275',
      'http://127.0.0.1:4300',
      'http://127.0.0.1:4300',
      'http://127.0.0.1:4400',
      'https://other.example',
    ],
  );
  const seen: string[] = [];
  for (const [host, port] of [
    ['10.0.0.5', '80'],
    ['::', '81'],
    ['::1', '82'],
    ['localhost', '0'],
  ] as const) {
    await start(host, port, 'http://localhost:8300');
    seen.push(found());
  }
  deepStrictEqual(seen, ['http://10.0.0.5:80', 'http://127.0.0.1:81', 'http://[::1]:82', 'http://127.0.0.1:8300']);
});
