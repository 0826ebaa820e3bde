import { undo } from '@codemirror/commands';
import { syntaxTree } from '@codemirror/language';
import { type ChangeSpec, EditorSelection, type EditorState, StateEffect, StateField, Text } from '@codemirror/state';
import { EditorView } from '@codemirror/view';
import type { SyntaxNode } from '@lezer/common';
import { type Gap, marks } from './text.ts';

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

const setRoom = StateEffect.define<{ from: number; to: number }>();

/** The room that was made for words nobody has written yet. */
const room = StateField.define<{ from: number; to: number } | undefined>({
  create: () => undefined,
  update(before, { changes, effects }) {
    const made = effects.find((effect) => effect.is(setRoom));
    if (made) return made.value;
    return before && { from: changes.mapPos(before.from, -1), to: changes.mapPos(before.to, 1) };
  },
});

/** Puts the caret into a gap, making room for words where there is none. */
export function enterGap(view: EditorView, { at, lead, from }: Gap): void {
  // Before the room is made: room without a caret is taken back.
  view.focus();
  const { state } = view;
  // What is typed takes the place of a blank.
  if (from !== undefined) view.dispatch({ selection: { anchor: from, head: at }, scrollIntoView: true });
  else if (lead === ' ' && state.sliceDoc(at, at + 1) === ' ')
    view.dispatch({ selection: { anchor: at + 1 }, scrollIntoView: true });
  else {
    const insert = Text.of(lead.split('\n'));
    const anchor = at + lead.length;
    view.dispatch({
      changes: { from: at, insert },
      selection: { anchor },
      effects: setRoom.of({ from: at, to: anchor }),
      scrollIntoView: true,
      userEvent: 'input',
    });
  }
}

/** The next gap below the caret, else the first of all; false when none is left. */
export function enterNextGap(view: EditorView): boolean {
  const open = view.state.field(marks).gaps.filter((gap) => !gap.filled);
  const { head } = view.state.selection.main;
  const next = open.find(({ at, lead }) => at + lead.length > head) ?? open[0];
  if (!next) return false;
  enterGap(view, next);
  return true;
}

/** Takes the room back that somebody left without a word, so that looking at a gap changes nothing. */
export const takeRoomBack = [
  room,
  EditorView.updateListener.of(({ view }) => {
    if (!isLeft(view)) return;
    // An update cannot make another.
    queueMicrotask(() => {
      const made = isLeft(view);
      if (made) view.dispatch({ changes: made, effects: setRoom.of({ from: made.from, to: made.from }) });
    });
  }),
];

function isLeft(view: EditorView): { from: number; to: number } | undefined {
  const made = view.state.field(room);
  if (!made || made.from === made.to) return undefined;
  const { head } = view.state.selection.main;
  const inside = view.hasFocus && head >= made.from && head <= made.to;
  return inside || view.state.sliceDoc(made.from, made.to).trim() !== '' ? undefined : made;
}
