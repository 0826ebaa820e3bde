import { diff } from 'node:util';
import { maskCredentials } from '../../platform/credentials/masked.ts';
import type { Change } from './files.ts';

const AROUND = 2;

/** What changes in a file, line by line, as patches are written. Keys are not in it. */
export function diffOf({ part, before, after }: Change): string {
  const [old, fresh] = [linesOf(before), linesOf(after)];
  const from = same(old, fresh, (lines, at) => lines[at]);
  const behind = same(old.slice(from), fresh.slice(from), (lines, at) => lines[lines.length - 1 - at]);
  const steps = diff(old.slice(from, old.length - behind), fresh.slice(from, fresh.length - behind));
  const marked = [
    ...old.slice(Math.max(0, from - AROUND), from).map((line) => `  ${line}`),
    ...steps.map(([step, line]) => `${{ [-1]: '+', 0: ' ', 1: '-' }[step]} ${line}`),
    ...old.slice(old.length - behind, old.length - behind + AROUND).map((line) => `  ${line}`),
  ];
  const head = [
    `--- ${before === undefined ? 'nothing' : part.file}`,
    `+++ ${after === undefined ? 'nothing' : part.file}`,
  ];
  return maskCredentials([...head, ...shortened(marked)].join('\n'));
}

/** The lines near a change alone. */
function shortened(marked: string[]): string[] {
  const near = marked.map((_, at) =>
    marked.slice(Math.max(0, at - AROUND), at + AROUND + 1).some((line) => !line.startsWith(' ')),
  );
  return marked.flatMap((line, at) => (near[at] ? [line] : near[at - 1] ? ['  …'] : []));
}

function same(a: string[], b: string[], lineAt: (lines: string[], at: number) => string | undefined): number {
  let count = 0;
  while (count < Math.min(a.length, b.length) && lineAt(a, count) === lineAt(b, count)) count++;
  return count;
}

function linesOf(text: string | undefined): string[] {
  return text === undefined || text === '' ? [] : text.replace(/\r?\n$/, '').split(/\r?\n/);
}
