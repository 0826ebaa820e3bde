import { bared, endsOnly, LIST } from './destructive.ts';

/** The first line of a text that destroys by itself, counted from 1; undefined where none does. */
export function destructiveLine(text: string): { place: number; line: string } | undefined {
  const lines = text.split('\n');
  const at = lines.findIndex((line) => LIST.some((pattern) => pattern.test(bared(endsOnly(`${line}\n`)))));
  return at < 0 ? undefined : { place: at + 1, line: (lines[at] ?? '').trim() };
}
