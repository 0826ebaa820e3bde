import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('../..', import.meta.url));

/** One file of this repository; `path` is relative to its root, with forward slashes. */
export type SourceFile = { path: string; text: string };

const MADE = /(^|\/)(node_modules|dist|data|test-results|playwright-report|\.git)(\/|$)/;

/** Every file under the folders, or matching the patterns, that somebody wrote. */
export function filesOf(patterns: string[]): string[] {
  const found = globSync(patterns, { cwd: root, withFileTypes: true, exclude: (entry) => MADE.test(entry.name) });
  return found
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(root.length).replaceAll('\\', '/'))
    .filter((path) => !MADE.test(path))
    .toSorted();
}

/** The same, with what is in them. */
export function readFiles(patterns: string[]): SourceFile[] {
  return filesOf(patterns).map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') }));
}

/** True for a test, which nobody imports. */
export function isTest(path: string): boolean {
  return /\.(test|e2e|spec)\.tsx?$/.test(path);
}

/** True for what only tests load: tests, what they share and what stands in `testing`. */
export function isForTests(path: string): boolean {
  return isTest(path) || /\/testing\/|\.contract\.ts$/.test(path);
}
