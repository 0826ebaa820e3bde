import { deepStrictEqual, rejects } from 'node:assert/strict';
import { lstatSync, mkdirSync, mkdtempSync, readFileSync, readlinkSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import type { Line, Part } from './agents.ts';
import { write } from './files.ts';

const LINE = { url: 'http://hub.test', key: 'bks_1' } as Line;
const part = (file: string) => ({ file, put: () => '{"beckon":1}', take: () => '{}' }) as unknown as Part;

function folderOf(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'beckon-files-'));
  t.after(() => rmSync(folder, { recursive: true }));
  return folder;
}

test('a link that leads to no file yet stays a link, and the file is made where it leads', async (t) => {
  const folder = folderOf(t);
  mkdirSync(join(folder, 'agent'));
  const [file, between, target] = [
    join(folder, 'agent', 'a.json'),
    join(folder, 'b.json'),
    join(folder, 'dots', 'c.json'),
  ];
  symlinkSync('../b.json', file);
  symlinkSync(target, between);
  await write(part(file), LINE);
  const made = [readlinkSync(file), readlinkSync(between), readFileSync(target, 'utf8'), lstatSync(target).isFile()];
  await write(part(file), undefined);
  deepStrictEqual(
    [made, readlinkSync(file), lstatSync(target, { throwIfNoEntry: false })],
    [['../b.json', target, '{"beckon":1}', true], '../b.json', undefined],
  );
});

test('a folder that nobody can make is one sentence', { timeout: 10_000 }, async () => {
  const file = '/proc/nope/agent/a.json';
  await rejects(write(part(file), LINE), (error: Error) => error.message.startsWith(`${file} could not be written: `));
});
