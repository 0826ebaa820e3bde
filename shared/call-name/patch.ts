import { PATCHES } from './doing.ts';
import { type Args, textAt, type Tool } from './tool.ts';

/** What a patch in Codex's form changes; `takes`: the lines by which it deletes files, as they stand there. */
export type Patched = { paths: string[]; added: number; cut: number; takes: string[] };

/** Reads the patch in the arguments of `apply_patch`; undefined where there is none. */
export function patchedBy({ words }: Tool, args: Args): Patched | undefined {
  if (!words.includes('patch') && !words.includes('applypatch')) return undefined;
  const [kind, path] = [textAt(args, ['type']), textAt(args, ['path'])];
  // OpenAI's form: one operation on one file.
  if (kind?.startsWith('delete') && path) return { paths: [], added: 0, cut: 0, takes: [`${kind} ${path}`] };
  const text = textAt(args, PATCHES);
  if (!text?.includes('*** Begin Patch')) return undefined;
  const found: Patched = { paths: [], added: 0, cut: 0, takes: [] };
  for (const line of text.split(/\r?\n/)) {
    const header = line.trim();
    const path = /^\*\*\* (?:Add File|Update File|Move to):\s*(\S.*)$/.exec(header)?.[1];
    if (path !== undefined) found.paths.push(path);
    else if (header.startsWith('*** Delete File:')) found.takes.push(header);
    else if (line.startsWith('+')) found.added++;
    else if (line.startsWith('-')) found.cut++;
  }
  return found;
}
