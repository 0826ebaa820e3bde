import { undo } from '@codemirror/commands';
import { syntaxTree } from '@codemirror/language';
import { type ChangeSpec, EditorSelection, type EditorState } from '@codemirror/state';
import type { EditorView } from '@codemirror/view';
import type { SyntaxNode } from '@lezer/common';

/** Sets or takes the marks of bold, emphasis or code around the selection, or where the caret stands. */
export function toggleMark(view: EditorView, marker: '**' | '*' | '`'): boolean {
  const name = { '**': 'StrongEmphasis', '*': 'Emphasis', '`': 'InlineCode' }[marker];
  view.dispatch(
    view.state.changeByRange(({ from, to }) => {
      const around = enclosing(view.state, from, to, name);
      const size = marker.length;
      if (around)
        return {
          changes: [
            { from: around.from, to: around.from + size },
            { from: around.to - size, to: around.to },
          ],
          range: EditorSelection.range(Math.max(around.from, from - size), Math.max(around.from, to - size)),
        };
      return {
        changes: [
          { from, insert: marker },
          { from: to, insert: marker },
        ],
        range: EditorSelection.range(from + size, to + size),
      };
    }),
    { userEvent: 'input', scrollIntoView: true },
  );
  view.focus();
  return true;
}

/** Makes headings of the selected lines, or plain lines of headings. */
export function toggleHeading(view: EditorView): boolean {
  return changeLines(view, (text) => (/^#{1,6} /.test(text) ? text.replace(/^#{1,6} +/, '') : `## ${text}`));
}

/** Makes list entries of the selected lines, or plain lines of entries. */
export function toggleList(view: EditorView): boolean {
  return changeLines(view, (text) =>
    /^\s*[-*+] /.test(text) ? text.replace(/^(\s*)[-*+] +/, '$1') : text.replace(/^(\s*)/, '$1- '),
  );
}

export { undo };

function enclosing(state: EditorState, from: number, to: number, name: string): SyntaxNode | undefined {
  for (
    let node: SyntaxNode | null = syntaxTree(state).resolveInner(from, from === to ? 0 : 1);
    node;
    node = node.parent
  )
    if (node.name === name && node.to >= to) return node;
  return undefined;
}

function changeLines(view: EditorView, change: (text: string) => string): boolean {
  const { state } = view;
  const changes: ChangeSpec[] = [];
  const { from, to } = state.selection.main;
  for (let at = from; at <= to;) {
    const { from: start, to: end, text } = state.doc.lineAt(at);
    const changed = change(text);
    if (changed !== text) changes.push(firstDifference(start, text, changed));
    at = end + 1;
  }
  const set = state.changes(changes);
  view.dispatch({ changes: set, selection: state.selection.map(set, 1), userEvent: 'input', scrollIntoView: true });
  view.focus();
  return true;
}

// Only the marks change, so the words keep whose they are.
function firstDifference(start: number, before: string, after: string) {
  let tail = 0;
  while (tail < before.length && tail < after.length && before.at(-1 - tail) === after.at(-1 - tail)) tail++;
  return { from: start, to: start + before.length - tail, insert: after.slice(0, after.length - tail) };
}
