import { createTwoFilesPatch, OMIT_HEADERS } from 'diff';
import { maskCredentials } from '../../platform/credentials/masked.ts';
import type { Change } from './files.ts';

/** What changes in a file, as a unified diff. Keys are not in it. */
export function writeDiff({ part, before, after }: Change): string {
  const hunks = createTwoFilesPatch('', '', before ?? '', after ?? '', undefined, undefined, {
    context: 2,
    stripTrailingCr: true,
    // A name with letters beyond ASCII is no riddle to be read.
    headerOptions: OMIT_HEADERS,
  });
  const head = [before, after].map((text) => (text === undefined ? 'nothing' : part.file));
  return maskCredentials(`--- ${head[0]}\n+++ ${head[1]}\n${hunks.replace(/\n$/, '')}`);
}
