import { z } from 'zod';
import type { Action } from '#shared/inquiry.ts';

export type Diff = NonNullable<Action['diff']>;

const Replacement = z.object({ old_string: z.string(), new_string: z.string() });
const One = Replacement.extend({ file_path: z.string() });
const Several = z.object({ file_path: z.string(), edits: z.array(Replacement).min(1) });
const Patch = z.object({ command: z.string() });

const READERS: Record<string, (input: unknown) => Diff | undefined> = {
  Edit: one,
  replace: one,
  MultiEdit: several,
  apply_patch: (input) => patched(Patch.safeParse(input).data?.command ?? ''),
};

/** What a call of a coding agent changes in files, where its arguments alone say all of it. */
export function readDiff(tool: string, input: unknown): Diff | undefined {
  const diff = Object.hasOwn(READERS, tool) ? READERS[tool]?.(input) : undefined;
  const fits = diff && diff.length <= 100 && diff.every(({ path }) => path !== '' && path.length <= 1000);
  return fits ? diff : undefined;
}

function one(input: unknown): Diff | undefined {
  const { data } = One.safeParse(input);
  return data && [{ path: data.file_path, oldText: data.old_string, newText: data.new_string }];
}

function several(input: unknown): Diff | undefined {
  const { data } = Several.safeParse(input);
  return data?.edits.map(({ old_string: oldText, new_string: newText }) => ({
    path: data.file_path,
    oldText,
    newText,
  }));
}

const ENDS = '*** End Patch';
const HEAD = /^\*\*\* (Add|Update) File: (.+)$/;

/** A patch in Codex's form, for which no library is kept. What it deletes or moves stands only in its arguments: then there is no diff. */
function patched(patch: string): Diff | undefined {
  const [begin, ...lines] = patch.trim().split(/\r?\n/);
  if (begin !== '*** Begin Patch' || lines.pop() !== ENDS) return undefined;
  const diff: Diff = [];
  let file: { path: string; adds: boolean } | undefined;
  let hunk: { old: string[]; new: string[] } = { old: [], new: [] };
  const close = (): void => {
    if (file && hunk.old.length + hunk.new.length > 0)
      diff.push({ path: file.path, oldText: hunk.old.join('\n'), newText: hunk.new.join('\n') });
    hunk = { old: [], new: [] };
  };
  for (const line of lines) {
    const [, kind, path = ''] = HEAD.exec(line) ?? [];
    const mark = line[0] ?? ' ';
    if (kind) {
      close();
      file = { path, adds: kind === 'Add' };
    } else if (line.startsWith('@@')) close();
    else if (line === '*** End of File') continue;
    else if (!file || !(file.adds ? '+' : ' +-').includes(mark)) return undefined;
    else {
      if (mark !== '+') hunk.old.push(line.slice(1));
      if (mark !== '-') hunk.new.push(line.slice(1));
    }
  }
  close();
  return diff.length > 0 ? diff : undefined;
}
