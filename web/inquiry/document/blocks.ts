import { ensureSyntaxTree, syntaxTree } from '@codemirror/language';
import { type EditorState, type Range, StateField, type Transaction } from '@codemirror/state';
import { Decoration, type DecorationSet, EditorView, WidgetType } from '@codemirror/view';
import type { SyntaxNode } from '@lezer/common';
import { renderMarkdown, watchTables } from '../view/markdown.ts';
import { enterGap } from './acts.ts';
import { type Gap, marks } from './text.ts';
import { focused, isTouched } from './look.ts';

/** Tables as tables until somebody writes in them, and a place to press under every gap; `write` says what is pressed. */
export function blocks(write: string) {
  const field = StateField.define<DecorationSet>({
    create: (state) => draw(state, write),
    update: (before, transaction) => (isSeen(transaction) ? draw(transaction.state, write) : before),
    provide: (own) => EditorView.decorations.from(own),
  });
  return field;
}

function isSeen({ docChanged, selection, startState, state }: Transaction): boolean {
  return (
    docChanged ||
    selection !== undefined ||
    startState.field(focused) !== state.field(focused) ||
    syntaxTree(startState) !== syntaxTree(state)
  );
}

function draw(state: EditorState, write: string): DecorationSet {
  const out: Range<Decoration>[] = [];
  (ensureSyntaxTree(state, state.doc.length, 50) ?? syntaxTree(state)).iterate({
    enter({ name, from, to, node }) {
      if (name !== 'Table' || node.parent?.name !== 'Document' || isTouched(state, from, to)) return;
      out.push(Decoration.replace({ widget: new Table(state.sliceDoc(from, to)), block: true }).range(from, to));
    },
  });
  for (const gap of state.field(marks).gaps) {
    if (gap.filled || isBeingFilled(state, gap)) continue;
    if (gap.from !== undefined) {
      const { from, to } = state.doc.lineAt(gap.from);
      const widget = new Place(write, gap.from === from && gap.at === to);
      out.push(Decoration.replace({ widget }).range(gap.from, gap.at));
      continue;
    }
    out.push(
      Decoration.widget({ widget: new Place(write), side: 1, block: !gap.lead.startsWith(' ') }).range(
        widgetPlace(state, gap),
      ),
    );
  }
  return Decoration.set(out, true);
}

// A widget of its own line stands after a line's end.
function widgetPlace(state: EditorState, { at, lead, from }: Gap): number {
  return from ?? (lead.startsWith(' ') ? at : state.doc.lineAt(at).to);
}

function isBeingFilled(state: EditorState, { at, from }: Gap): boolean {
  if (from !== undefined) return isTouched(state, from, at);
  const { head } = state.selection.main;
  return state.field(focused) && head > at && state.sliceDoc(at, head).trim() === '';
}

// An equal table takes over the drawing of the one before.
const watched = new WeakMap<HTMLElement, () => void>();

class Table extends WidgetType {
  private readonly source: string;
  constructor(source: string) {
    super();
    this.source = source;
  }
  override eq({ source }: Table): boolean {
    return source === this.source;
  }
  override toDOM(view: EditorView): HTMLElement {
    const box = document.createElement('div');
    box.className = 'md-table prose';
    const html = renderMarkdown(this.source);
    if (html === undefined) box.textContent = this.source;
    else box.innerHTML = html;
    watched.set(box, watchTables(box));
    box.addEventListener('mousedown', (event) => {
      event.preventDefault();
      writeInCell(view, box, event.target);
    });
    return box;
  }
  override destroy(box: HTMLElement): void {
    watched.get(box)?.();
  }
  override ignoreEvent(): boolean {
    return true;
  }
}

// The caret goes to the end of the cell that was pressed.
function writeInCell(view: EditorView, box: HTMLElement, pressed: EventTarget | null): void {
  const cell = pressed instanceof Element ? pressed.closest('td, th') : null;
  const row = cell?.closest('tr');
  const start = view.posAtDOM(box);
  const rowAt = row ? [...box.querySelectorAll('tr')].indexOf(row) : 0;
  const cellAt = row && cell ? [...row.children].indexOf(cell) : 0;
  let table: SyntaxNode | null = syntaxTree(view.state).resolve(start, 1);
  while (table && table.name !== 'Table') table = table.parent;
  const rows = table ? [...table.getChildren('TableHeader'), ...table.getChildren('TableRow')] : [];
  const anchor = rows[rowAt]?.getChildren('TableCell')[cellAt]?.to ?? rows[rowAt]?.to ?? start;
  view.dispatch({ selection: { anchor } });
  view.focus();
}

class Place extends WidgetType {
  private readonly words: string;
  private readonly alone: boolean;
  constructor(words: string, alone = false) {
    super();
    this.words = words;
    this.alone = alone;
  }
  override eq({ words, alone }: Place): boolean {
    return words === this.words && alone === this.alone;
  }
  override toDOM(view: EditorView): HTMLElement {
    const place = document.createElement('span');
    place.className = this.alone ? 'md-gap is-alone' : 'md-gap';
    place.textContent = this.words;
    // The toolbar has the same for keyboards and screen readers.
    place.setAttribute('aria-hidden', 'true');
    place.addEventListener('mousedown', (event) => {
      event.preventDefault();
      const at = view.posAtDOM(place);
      const gap = view.state
        .field(marks)
        .gaps.find((one) => !one.filled && Math.abs(widgetPlace(view.state, one) - at) <= 1);
      if (gap) enterGap(view, gap);
    });
    return place;
  }
  override ignoreEvent(): boolean {
    return true;
  }
}
