import { type Args, textAt, type Tool } from './tool.ts';

/** What a patch in Codex's form changes; `takes`: the first line by which it deletes a file, as it stands there. */
export type Patched = { paths: string[]; added: number; cut: number; takes: string | undefined };

/** Reads the patch in the arguments of `apply_patch`; undefined where there is none. */
export function patchedBy({ words }: Tool, args: Args): Patched | undefined {
  if (!words.includes('patch') && !words.includes('applypatch')) return undefined;
  const [kind, path] = [textAt(args, ['type']), textAt(args, ['path'])];
  // OpenAI's form: one operation on one file.
  if (kind?.startsWith('delete') && path) return { paths: [path], added: 0, cut: 0, takes: `${kind} ${path}` };
  const text = textAt(args, ['patch', 'input', 'diff', 'command']);
  if (!text?.includes('*** Begin Patch')) return undefined;
  const found: Patched = { paths: [], added: 0, cut: 0, takes: undefined };
  for (const line of text.split(/\r?\n/)) {
    const path = /^\*\*\* (?:Add|Update) File: (.+)$/.exec(line)?.[1];
    if (path !== undefined) found.paths.push(path);
    else if (line.startsWith('*** Delete File: ')) found.takes ??= line;
    else if (line.startsWith('+')) found.added++;
    else if (line.startsWith('-')) found.cut++;
  }
  return found;
}
