import { posix } from 'node:path';
import type { SourceFile } from './tree.ts';

const FILE_NAME = /^\.?[\w@-][\w.@/{},*-]*(?:\.(?:ts|tsx|mjs|md|json|sql|yaml|yml|css|html|service)|\/)$/;
// Folders that exist only after something ran, and names that stand for the reader's own.
const NOT_OURS = /^(data|node_modules|web\/dist|test-results)\/|(^|\/)(my|your)-/;

/** Paths and npm scripts that a document names and that do not exist, one sentence each. */
export function staleNames(documents: SourceFile[], paths: string[], scripts: string[]): string[] {
  return documents.flatMap(({ path, text }) => [
    ...namedPaths(text)
      .filter((name) => !exists(name, posix.dirname(path), paths))
      .map((name) => `${path} names ${name}, which does not exist`),
    ...namedScripts(text)
      .filter((name) => !scripts.includes(name))
      .map((name) => `${path} names the script ${name}, which does not exist`),
  ]);
}

/** Links to a heading that its document does not have, one sentence each. */
export function staleAnchors(documents: SourceFile[]): string[] {
  const anchors = new Map(documents.map(({ path, text }) => [path, new Set(headingsOf(text).map(toAnchor))]));
  return documents.flatMap(({ path, text }) =>
    [...text.matchAll(/\]\(([^)\s#:]*\.md)?#([^)\s]+)\)/g)].flatMap(([, file, anchor = '']) => {
      const target = file === undefined ? path : posix.join(posix.dirname(path), file);
      return anchors.get(target)?.has(anchor) ? [] : [`${path} links to ${target}#${anchor}, which does not exist`];
    }),
  );
}

function headingsOf(text: string): string[] {
  return [...text.replaceAll(/^```.*?^```$/gms, '').matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) => heading);
}

// As GitHub makes it.
function toAnchor(heading: string): string {
  return heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-');
}

/** Files that hold a path of somebody's own machine; code and tests may make up a home folder, a guide may not. */
export function machinePaths(files: SourceFile[]): string[] {
  const anywhere = /(^|[\s'"`(=:])\/root\//m;
  const guide = /(^|[\s'"`(=:])(\/home\/\w|\/Users\/\w|[A-Z]:\\Users)/m;
  return files
    .filter(({ path, text }) => anywhere.test(text) || (path.endsWith('.md') && guide.test(text)))
    .map(({ path }) => `${path} names a folder of somebody's machine`);
}

function namedPaths(text: string): string[] {
  const quoted = [...text.matchAll(/`([^`\n]+)`/g)]
    .map((match) => match[1] ?? '')
    .filter((name) => FILE_NAME.test(name));
  const linked = [...text.matchAll(/\]\(([^)\s#]+)[^)]*\)|\bsrc="([^"]+)"/g)]
    .map((match) => match[1] ?? match[2] ?? '')
    .filter((name) => !/^[a-z]+:/.test(name));
  return [...new Set([...quoted, ...linked])].filter((name) => !NOT_OURS.test(name));
}

function namedScripts(text: string): string[] {
  const run = [...text.matchAll(/\bnpm run (?:-s |--silent )?([\w:-]+)/g)].map((match) => match[1] ?? '');
  const short = [...text.matchAll(/\bnpm (start|test)\b/g)].map((match) => match[1] ?? '');
  return [...new Set([...run, ...short])];
}

// A name counts from the document's folder, the root, or any folder: `ask.ts` and `inquiries/ask.ts` are found.
function exists(name: string, folder: string, paths: string[]): boolean {
  const clean = name.replace(/^\.\//, '').replace(/\/$/, '');
  const candidates = expand(clean);
  return candidates.every((candidate) => {
    const beside = posix.join(folder, candidate);
    const pattern = new RegExp(`(^|/)${candidate.replace(/[.+^$()|[\]\\]/g, '\\$&').replace(/\*+/g, '[^ ]*')}(/|$)`);
    return paths.some((path) => path === beside || path.startsWith(`${beside}/`) || pattern.test(path));
  });
}

// 'a/{b,c}.ts' → ['a/b.ts', 'a/c.ts']
function expand(name: string): string[] {
  const braces = /\{([^{}]*)\}/.exec(name);
  if (!braces) return [name];
  return (braces[1] ?? '').split(',').flatMap((choice) => expand(name.replace(braces[0], choice.trim())));
}
