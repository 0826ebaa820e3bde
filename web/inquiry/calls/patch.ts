import type { DiffLine } from './diff.ts';

/** What a patch does to one file. */
export type FileAct = { does: 'add' | 'change' | 'delete'; path: string } | { does: 'move'; path: string; to: string };
/** A patch as it is drawn, no line of it left out: its own headers, and the lines that it changes or keeps. */
export type PatchBlock = { head: string } | { lines: DiffLine[] };

const CODEX = '*** Begin Patch';
const UNIFIED = /^--- \S[^\n]*\r?\n\+\+\+ \S[^\n]*\r?\n@@ /m;
const RENAMED = /^rename from (.+)\r?\nrename to (.+)$/gm;
const HEADS =
  /^(?:\*\*\* |@@|diff --git |index [0-9a-f]|(?:old|new|deleted|new file|deleted file) mode |similarity index |rename (?:from|to) |--- \S|\+\+\+ \S|\\ No newline)/;

/** True for a text that is a patch in Codex's form, or a unified diff. */
export function isPatch(text: string): boolean {
  return text.trimStart().startsWith(CODEX) || UNIFIED.test(text) || /^diff --git [^\n]+\n/m.test(text);
}

/** Which files a patch adds, changes, deletes and moves, in its order. */
export function parseActs(text: string): FileAct[] {
  return text.trimStart().startsWith(CODEX) ? codexActs(text) : unifiedActs(text);
}

/**
 * The lines of a patch in blocks: what is said about a file stands between what changes in it. Not by the package
 * "diff", which throws at a patch that was cut off and finds nothing in one in Codex's form.
 */
export function parseBlocks(text: string): PatchBlock[] {
  const blocks: PatchBlock[] = [];
  for (const line of text.replace(/\n$/, '').split('\n')) {
    const last = blocks.at(-1);
    const drawn = HEADS.test(line) ? undefined : drawnLine(line);
    if (!drawn) blocks.push({ head: line });
    else if (last && 'lines' in last) last.lines.push(drawn);
    else blocks.push({ lines: [drawn] });
  }
  return blocks;
}

function drawnLine(line: string): DiffLine {
  const kind = line.startsWith('+') ? 'add' : line.startsWith('-') ? 'cut' : 'same';
  return { kind, text: /^[ +-]/.test(line) ? line.slice(1) : line };
}

function codexActs(text: string): FileAct[] {
  const acts: FileAct[] = [];
  for (const line of text.split(/\r?\n/)) {
    const [, verb, path = ''] = /^\*\*\* (Add File|Update File|Delete File|Move to): *(.*\S)/.exec(line.trim()) ?? [];
    const last = acts.at(-1);
    if (verb === 'Add File') acts.push({ does: 'add', path });
    else if (verb === 'Update File') acts.push({ does: 'change', path });
    else if (verb === 'Delete File') acts.push({ does: 'delete', path });
    else if (verb === 'Move to' && last) acts.splice(-1, 1, { does: 'move', path: last.path, to: path });
  }
  return acts;
}

function unifiedActs(text: string): FileAct[] {
  const lines = text.split(/\r?\n/);
  const acts = lines.flatMap((line, at): FileAct[] => {
    const next = lines[at + 1] ?? '';
    if (!/^--- \S/.test(line) || !/^\+\+\+ \S/.test(next)) return [];
    const [from, to] = [parsePath(line), parsePath(next)];
    if (from === undefined) return to === undefined ? [] : [{ does: 'add', path: to }];
    if (to === undefined) return [{ does: 'delete', path: from }];
    return [from === to ? { does: 'change', path: to } : { does: 'move', path: from, to }];
  });
  const moved = [...text.matchAll(RENAMED)].map(([, path = '', to = '']): FileAct => ({ does: 'move', path, to }));
  return [...acts, ...moved.filter(({ path }) => !acts.some((act) => act.path === path))];
}

// "a/" and "b/" are git's; a time may follow after a tab.
function parsePath(line: string): string | undefined {
  const [path = ''] = line.slice(4).split('\t');
  return path === '/dev/null' ? undefined : path.replace(/^[ab]\//, '');
}
