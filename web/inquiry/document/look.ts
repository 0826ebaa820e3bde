import { syntaxTree } from '@codemirror/language';
import { type EditorState, type Range, StateEffect, StateField } from '@codemirror/state';
import { Decoration, type DecorationSet, EditorView, ViewPlugin, type ViewUpdate, WidgetType } from '@codemirror/view';
import type { SyntaxNode, SyntaxNodeRef } from '@lezer/common';
import { marks } from './text.ts';

const setFocused = StateEffect.define<boolean>();

/** Whether somebody is writing: the marks of markdown show only there, and only then. */
export const focused = StateField.define<boolean>({
  create: () => false,
  update: (before, { effects }) => effects.find((effect) => effect.is(setFocused))?.value ?? before,
});

/** True while the caret or the selection is in a stretch. */
export function isTouched(state: EditorState, from: number, to: number): boolean {
  return state.field(focused) && state.selection.ranges.some((range) => range.from <= to && range.to >= from);
}

/** Markdown that looks like the prose it stands for. Its marks are hidden where nobody writes; the text stays as it is. */
export const look = [
  focused,
  EditorView.focusChangeEffect.of((_state, focusing) => setFocused.of(focusing)),
  ViewPlugin.fromClass(
    class {
      decorations: DecorationSet;
      constructor(view: EditorView) {
        this.decorations = dress(view);
      }
      update({ docChanged, viewportChanged, selectionSet, startState, state, view }: ViewUpdate) {
        if (
          docChanged ||
          viewportChanged ||
          selectionSet ||
          syntaxTree(startState) !== syntaxTree(state) ||
          startState.field(focused) !== state.field(focused)
        )
          this.decorations = dress(view);
      }
    },
    { decorations: (plugin) => plugin.decorations },
  ),
];

const hidden = Decoration.replace({});
const line = (name: string) => Decoration.line({ class: name });
const mark = (name: string) => Decoration.mark({ class: name });
const INLINE: Record<string, Decoration> = {
  StrongEmphasis: mark('md-strong'),
  Emphasis: mark('md-em'),
  InlineCode: mark('md-code'),
  Strikethrough: mark('md-del'),
  Link: mark('md-link'),
  URL: mark('md-url'),
};
const BLOCKS: Record<string, Decoration> = {
  FencedCode: line('md-pre'),
  CodeBlock: line('md-pre'),
  HTMLBlock: line('md-raw'),
  CommentBlock: line('md-raw'),
  ProcessingInstructionBlock: line('md-raw'),
  LinkReference: line('md-raw'),
  Table: line('md-raw'),
  Blockquote: line('md-quote'),
};
const HIDDEN_INSIDE = new Set(['EmphasisMark', 'CodeMark', 'StrikethroughMark']);

function dress(view: EditorView): DecorationSet {
  const out: Range<Decoration>[] = [];
  const { state } = view;
  for (const { from, to } of view.visibleRanges) {
    syntaxTree(state).iterate({ from, to, enter: (node) => dressNode(state, node, out) });
    dressOwn(state, from, to, out);
    dressBlanks(state, from, to, out);
  }
  return Decoration.set(out, true);
}

function dressNode(state: EditorState, { node, name, from, to }: SyntaxNodeRef, out: Range<Decoration>[]): void {
  const inline = INLINE[name];
  if (inline && from < to) out.push(inline.range(from, to));
  const block = BLOCKS[name];
  if (block) eachLine(state, from, to, (start) => out.push(block.range(start)));
  if (/Heading\d$/.test(name)) {
    eachLine(state, from, to, (start) => out.push(line(`md-h md-h${name.at(-1)}`).range(start)));
  } else if (name === 'HeaderMark') dressHeaderMark(state, node, out);
  else if (name === 'ListItem') dressItem(state, node, out);
  else if (name === 'ListMark') dressListMark(state, node, out);
  else if (name === 'QuoteMark') hideUnlessOnLine(state, from, afterSpace(state, to), out);
  // One of underscores is a blank, see `blocks`.
  else if (name === 'HorizontalRule' && !/^_{3,}$/.test(state.sliceDoc(from, to))) {
    out.push(line('md-hr').range(state.doc.lineAt(from).from));
    hideUnlessOnLine(state, from, to, out);
  } else if (name === 'TaskMarker') dressTask(state, node, out);
  else if (name === 'Link') dressLink(state, node, out);
  else if (HIDDEN_INSIDE.has(name)) dressMark(state, node, out);
}

function dressHeaderMark(state: EditorState, node: SyntaxNode, out: Range<Decoration>[]): void {
  // The rule under a heading of the other kind has a line of its own.
  if (node.parent?.name.startsWith('Setext')) return void out.push(mark('md-mark').range(node.from, node.to));
  const atEnd = node.from > (node.parent?.from ?? 0);
  const from = atEnd
    ? node.from - (/\s*$/.exec(state.sliceDoc(node.parent?.from, node.from))?.[0].length ?? 0)
    : node.from;
  hideUnlessOnLine(state, from, atEnd ? node.to : afterSpace(state, node.to), out);
}

function dressMark(state: EditorState, node: SyntaxNode, out: Range<Decoration>[]): void {
  const { parent, from, to } = node;
  if (!parent) return;
  if (parent.name === 'FencedCode') return void out.push(mark('md-mark').range(from, to));
  if (!isTouched(state, parent.from, parent.to)) out.push(hidden.range(from, to));
}

function dressItem(state: EditorState, node: SyntaxNode, out: Range<Decoration>[]): void {
  let depth = 0;
  for (let above = node.parent; above; above = above.parent) if (above.name.endsWith('List')) depth++;
  eachLine(state, node.from, node.to, (start, text) => {
    const first = start === state.doc.lineAt(node.from).from;
    // A line of a deeper list is that list's.
    const inner = innermostItem(state, start + text.length);
    if (inner && (inner.from !== node.from || inner.to !== node.to)) return;
    out.push(line(`md-li md-li${Math.min(depth, 5)}${first ? ' md-li-first' : ''}`).range(start));
    const indent = /^[ \t]+/.exec(text)?.[0].length ?? 0;
    if (indent > 0) out.push(hidden.range(start, start + indent));
  });
}

function innermostItem(state: EditorState, at: number): SyntaxNode | undefined {
  for (let node: SyntaxNode | null = syntaxTree(state).resolveInner(at, -1); node; node = node.parent)
    if (node.name === 'ListItem') return node;
  return undefined;
}

function dressListMark(state: EditorState, { from, to }: SyntaxNode, out: Range<Decoration>[]): void {
  const task = /^\s*\[[ xX]\]/.test(state.sliceDoc(to, to + 6));
  const ordered = to - from > 1;
  if (ordered) return void out.push(mark('md-number').range(from, to));
  if (!isTouched(state, from, to))
    out.push(Decoration.replace(task ? {} : { widget: bullet }).range(from, afterSpace(state, to)));
}

function dressTask(state: EditorState, { from, to }: SyntaxNode, out: Range<Decoration>[]): void {
  const done = /x/i.test(state.sliceDoc(from, to));
  out.push(Decoration.replace({ widget: done ? ticked : unticked }).range(from, to));
}

function dressLink(state: EditorState, node: SyntaxNode, out: Range<Decoration>[]): void {
  if (isTouched(state, node.from, node.to)) return;
  const [open, close] = node.getChildren('LinkMark');
  if (!open || !close || close.from <= open.to) return;
  out.push(hidden.range(open.from, open.to), hidden.range(close.from, node.to));
}

function dressOwn(state: EditorState, from: number, to: number, out: Range<Decoration>[]): void {
  for (const span of state.field(marks).own) {
    if (span.to < from || span.from > to) continue;
    out.push(mark('md-own').range(span.from, span.to));
    const { from: start, text } = state.doc.lineAt(span.from);
    if (span.from === start && span.to === start + text.length) out.push(line('md-own-line').range(start));
  }
}

// The space between paragraphs, which is a whole line only while somebody writes on it.
function dressBlanks(state: EditorState, from: number, to: number, out: Range<Decoration>[]): void {
  eachLine(state, from, to, (start, text) => {
    if (text.trim() !== '' || /Code/.test(syntaxTree(state).resolveInner(start, 1).name)) return;
    out.push(line(isTouched(state, start, start + text.length) ? 'md-here' : 'md-blank').range(start));
  });
}

function hideUnlessOnLine(state: EditorState, from: number, to: number, out: Range<Decoration>[]): void {
  const { from: start, to: end } = state.doc.lineAt(from);
  const until = Math.min(to, end);
  if (from >= until) return;
  out.push(isTouched(state, start, end) ? mark('md-mark').range(from, until) : hidden.range(from, until));
}

function afterSpace(state: EditorState, at: number): number {
  return state.sliceDoc(at, at + 1) === ' ' ? at + 1 : at;
}

function eachLine(state: EditorState, from: number, to: number, each: (start: number, text: string) => void): void {
  for (let at = from; at <= to;) {
    const { from: start, to: end, text } = state.doc.lineAt(at);
    each(start, text);
    at = end + 1;
  }
}

class Word extends WidgetType {
  private readonly name: string;
  private readonly word: string;
  constructor(name: string, word: string) {
    super();
    this.name = name;
    this.word = word;
  }
  override toDOM(): HTMLElement {
    const span = document.createElement('span');
    span.className = this.name;
    span.textContent = this.word;
    return span;
  }
  override ignoreEvent(): boolean {
    return false;
  }
}

const bullet = new Word('md-bullet', '–');
const ticked = new Word('md-task', '☑');
const unticked = new Word('md-task', '☐');
