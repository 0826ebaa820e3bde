import { isTest, type SourceFile } from './tree.ts';

const SOURCE_LINES = 300;
const TEST_LINES = 500;
const OWN_LIMITS: [pattern: RegExp, lines: number][] = [
  [/^server\/main\.ts$/, 60],
  [/^server\/app\.ts$/, 200],
  [/^web\/service-worker\/sw\.ts$/, 80],
];
const NAMELESS = /(^|[/.-])(utils?|helpers?|common|misc)([/.-]|$)/i;

/** What is longer or less well named than the house allows, one sentence each. */
export function outsized(files: SourceFile[]): string[] {
  return [
    ...files
      .filter((file) => lines(file) > limitOf(file.path))
      .map((file) => `${file.path} has ${lines(file)} lines, more than ${limitOf(file.path)}`),
    ...files.filter(({ path }) => NAMELESS.test(path)).map(({ path }) => `${path} has a name that says nothing`),
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
