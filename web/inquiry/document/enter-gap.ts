import { StateEffect, StateField, Text } from '@codemirror/state';
import { EditorView } from '@codemirror/view';
import type { Gap } from './gaps.ts';
import { marks } from './text.ts';

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
export function enterGap(view: EditorView, { at, lead }: Gap): void {
  // Before the room is made: room without a caret is taken back.
  view.focus();
  const { state } = view;
  if (lead === ' ' && state.sliceDoc(at, at + 1) === ' ')
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
