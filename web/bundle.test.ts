import { deepStrictEqual, ok } from 'node:assert/strict';
import { before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync } from 'node:zlib';
import { build, type Rolldown } from 'vite';

const LIMIT = 60 * 1024;

let built: (Rolldown.OutputChunk | Rolldown.OutputAsset)[];
before(async () => {
  const output = await build({
    root: fileURLToPath(new URL('.', import.meta.url)),
    logLevel: 'silent',
    build: { write: false },
  });
  built = Array.isArray(output) ? output.flatMap((one) => one.output) : 'output' in output ? output.output : [];
});

const chunks = () => built.filter((file) => file.type === 'chunk');
const chunkOf = (module: string) => chunks().find(({ moduleIds }) => moduleIds.some((id) => id.endsWith(module)));

/** The chunk that holds the module, and all that the browser must fetch with it. */
function loadedWith(module: string): string[] {
  const names = [chunkOf(module)?.fileName ?? module];
  for (const name of names)
    names.push(
      ...(chunks().find(({ fileName }) => fileName === name)?.imports ?? []).filter((one) => !names.includes(one)),
    );
  return names;
}

function compressed(names: Iterable<string>): number {
  return [...names].reduce(
    (sum, name) => sum + brotliCompressSync(chunks().find(({ fileName }) => fileName === name)?.code ?? '').length,
    0,
  );
}

test('the page and an open inquiry of plain questions load at most 60 KB of JavaScript as it travels', () => {
  const page = new Set([
    ...loadedWith('web/main.tsx'),
    ...loadedWith('web/inquiry/InquiryBody.tsx'),
    ...loadedWith('web/inquiry/words.ts'),
  ]);
  const size = compressed(page);
  ok(size > 20_000, `only ${size} bytes were counted: the entry was not found`);
  ok(size <= LIMIT, `${size} bytes`);
});

test('zod, which the schemas need, is not in the page', () => {
  deepStrictEqual(
    chunks().flatMap(({ moduleIds }) => moduleIds.filter((id) => /node_modules\/zod\//.test(id))),
    [],
  );
});

test('the page holds no script or style that a strict policy refuses, and asks no other host', () => {
  const html = asset('index.html');
  ok(html.includes('<div id="page">'));
  deepStrictEqual(html.match(/<style|<script(?![^>]*\bsrc=)|\son\w+=|style="|(?:src|href)="(?:https?:)?\/\//g), null);
});

test('the service worker keeps every built file, and only those that exist', () => {
  const worker = chunks().find(({ fileName }) => fileName === 'sw.js')?.code ?? '';
  const shell = JSON.parse(/const SHELL=(\[.*?\])/.exec(worker)?.[1] ?? '[]') as string[];
  const names = built.map(({ fileName }) => `/${fileName}`).filter((name) => name.startsWith('/assets/'));
  deepStrictEqual(
    shell.filter((name) => name.startsWith('/assets/')),
    names.toSorted(),
  );
});

test('the service worker is one small script: no engine loads modules into every worker', () => {
  const worker = chunkOf('service-worker/sw.ts');
  deepStrictEqual([worker?.fileName, worker?.imports, worker?.dynamicImports], ['sw.js', [], []]);
  const size = compressed(['sw.js']);
  // The list of the page's files is 1.7 KB of it, and grows with them.
  ok(size > 1_000 && size <= 6.25 * 1024, `${size} bytes`);
});

function asset(name: string): string {
  const file = built.find(({ fileName }) => fileName === name);
  return file?.type === 'asset' ? String(file.source) : '';
}
