import { posix } from 'node:path';
import { isTest, type SourceFile } from './tree.ts';

const SOURCE_LINES = 300;
const TEST_LINES = 500;
const FILES_IN_A_FOLDER = 15;
const OWN_LIMITS: [pattern: RegExp, lines: number][] = [
  [/^server\/main\.ts$/, 60],
  [/^server\/app\.ts$/, 200],
  [/^web\/service-worker\/sw\.ts$/, 80],
];
const NAMELESS = /(^|[/.-])(utils?|helpers?|common|misc)([/.-]|$)/i;

/** What is longer, fuller or less well named than the house allows, one sentence each. */
export function outsized(files: SourceFile[]): string[] {
  return [
    ...files
      .filter((file) => lines(file) > limitOf(file.path))
      .map((file) => `${file.path} has ${lines(file)} lines, more than ${limitOf(file.path)}`),
    ...files.filter(({ path }) => NAMELESS.test(path)).map(({ path }) => `${path} has a name that says nothing`),
    ...crowded(files.filter(({ path }) => !isTest(path) && !/\.(contract|d)\.ts$/.test(path))),
  ];
}

function limitOf(path: string): number {
  return (
    OWN_LIMITS.find(([pattern]) => pattern.test(path))?.[1] ??
    (isTest(path) || path.endsWith('.contract.ts') ? TEST_LINES : SOURCE_LINES)
  );
}

function lines({ text }: SourceFile): number {
  return text.split('\n').length - (text.endsWith('\n') ? 1 : 0);
}

function crowded(files: SourceFile[]): string[] {
  const folders = Object.groupBy(files, ({ path }) => posix.dirname(path));
  return Object.entries(folders)
    .filter(([, inside]) => (inside?.length ?? 0) > FILES_IN_A_FOLDER)
    .map(
      ([folder, inside]) => `${folder} has ${inside?.length} files beside its tests, more than ${FILES_IN_A_FOLDER}`,
    );
}
