import { markdownLanguage } from '@codemirror/lang-markdown';
import { ensureSyntaxTree, syntaxTree } from '@codemirror/language';
import { EditorState, type Extension, Facet, StateField } from '@codemirror/state';
import { EditorView } from '@codemirror/view';
import type { SyntaxNode, Tree } from '@lezer/common';
import { lineEndOf } from './line-ends.ts';
import { ownSpans, type Span } from './own-spans.ts';

const PARSE_MS = 100;
/** What the asker wrote, and how many gaps it has. */
const original = Facet.define<string, { text: string; gaps: number }>({
  combine: ([text = '']) => ({ text, gaps: findGaps(text, markdownLanguage.parser.parse(text), []).length }),
});

/**
 * A markdown text as the editor holds it. The editor's text is the markdown itself: `readText` gives back every
 * byte that nobody changed, line ends included.
 */
export function createState(markdown: string, asked: string, more: Extension = []): EditorState {
  const lineEnd = lineEndOf(markdown);
  return EditorState.create({
    doc: markdown,
    extensions: [
      EditorState.lineSeparator.of(lineEnd),
      // What is pasted brings the line ends of another machine.
      EditorView.clipboardInputFilter.of((text) => text.replace(/\r\n?|\n/g, lineEnd)),
      original.of(asked.split(lineEndOf(asked)).join('\n')),
      markdownLanguage.extension,
      marks,
      more,
    ],
  });
}

/** The markdown as it is sent. */
export function readText(state: EditorState): string {
  return state.sliceDoc();
}

/** What the person wrote, and the gaps, of the text as it stands. */
export const marks = StateField.define<{ own: Span[]; gaps: Gap[] }>({
  create: read,
  update: (before, { docChanged, state }) => (docChanged ? read(state) : before),
});

function read(state: EditorState): { own: Span[]; gaps: Gap[] } {
  const text = state.doc.toString();
  const asked = state.facet(original);
  const own = ownSpans(asked.text, text);
  const tree = ensureSyntaxTree(state, state.doc.length, PARSE_MS) ?? syntaxTree(state);
  const gaps = findGaps(text, tree, own);
  // Where words took the place of a blank, nothing is left of it but that there is one less.
  const taken = Math.max(0, asked.gaps - gaps.length);
  return { own, gaps: [...gaps, ...Array.from({ length: taken }, () => ({ at: 0, lead: '', filled: true }))] };
}

/** A place that waits for words: under a question, behind "Answer:", or a blank of underscores. */
export type Gap = {
  /** The end of what asks. */
  at: number;
  /** What goes between it and the words. */
  lead: string;
  filled: boolean;
  /** Where a blank begins, in whose place the words stand; it ends at `at`. */
  from?: number;
};

const QUESTION = /[?？]["'”’)）」』*_~`\]]*\s*$/;
const BLANK = /(?<![\p{L}\p{N}_\\/.])_{3,}(?![\p{L}\p{N}_/.])/gu;
const LABEL = /^[>\s]*(?:[-*+]\s+)?[*_]{0,2}(?:A|Answer|Your answer|Reply|答|回答|答复|你的回答)\s*[:：][*_]{0,2}/i;

/** The gaps of a document in their order; `own` are the stretches that the person wrote. */
function findGaps(text: string, tree: Tree, own: readonly Span[]): Gap[] {
  const gaps: Gap[] = [];
  tree.iterate({
    enter({ node, name }) {
      if (name === 'FencedCode' || name === 'CodeBlock' || name === 'HTMLBlock' || name === 'Table') return false;
      if (name === 'HorizontalRule') gaps.push(...findBlanks(text, node, own));
      if (name !== 'Paragraph' && name !== 'Task' && !/Heading\d$/.test(name)) return undefined;
      const gap = isOwn(node.from, own) ? undefined : findGap(text, node, own);
      gaps.push(...findBlanks(text, node, own), ...(gap ? [gap] : []));
      return false;
    },
  });
  return gaps;
}

function findBlanks(text: string, node: SyntaxNode, own: readonly Span[]): Gap[] {
  return [...text.slice(node.from, node.to).matchAll(BLANK)].flatMap(({ 0: blank, index }) => {
    const from = node.from + index;
    const isCode = /Code|URL|HTML/.test(node.resolve(from, 1).name);
    return isCode || isOwn(from, own) ? [] : [{ from, at: from + blank.length, lead: '', filled: false }];
  });
}

function findGap(text: string, node: SyntaxNode, own: readonly Span[]): Gap | undefined {
  const lastLine = text.slice(Math.max(node.from, text.lastIndexOf('\n', node.to - 1) + 1), node.to);
  const label = LABEL.exec(lastLine)?.[0];
  if (label !== undefined) {
    const rest = lastLine.slice(label.length);
    const at = node.to - rest.length;
    const filled = rest.trim() !== '';
    if (/^\s*_{3,}\s*$/.test(rest)) return undefined;
    if (filled && !isOwn(at + rest.search(/\S/), own)) return undefined;
    return { at, lead: ' ', filled };
  }
  const asks = node.name.startsWith('Setext') ? text.slice(node.from, node.to).replace(/\n.*$/s, '') : lastLine;
  if (!QUESTION.test(asks)) return undefined;
  const quote = outermost(node, 'Blockquote');
  const at = quote?.to ?? node.to;
  const next = nextWords(text, at);
  const filled = next < text.length && isOwn(next, own);
  // The asker goes on to answer it, or says where the answer goes.
  const line = lineAt(text, next);
  if (!filled && (LABEL.test(line) || /^_{3,}\s*$/.test(line) || (/Heading/.test(node.name) && followed(node))))
    return undefined;
  return { at, lead: quote ? '\n\n' : `\n\n${readIndent(text, node)}`, filled };
}

function followed(heading: SyntaxNode): boolean {
  const next = heading.nextSibling;
  return next !== null && !/Heading|HorizontalRule/.test(next.name);
}

// Words that belong to an entry of a list stand under its first word.
function readIndent(text: string, node: SyntaxNode): string {
  let item: SyntaxNode | null = node;
  while (item && item.name !== 'ListItem') item = item.parent;
  if (!item) return '';
  const start = item.firstChild?.nextSibling?.from ?? node.from;
  const column = start - (text.lastIndexOf('\n', start - 1) + 1);
  return ' '.repeat(column);
}

function outermost(node: SyntaxNode, name: string): SyntaxNode | undefined {
  let found: SyntaxNode | undefined;
  for (let above: SyntaxNode | null = node; above; above = above.parent) if (above.name === name) found = above;
  return found;
}

function nextWords(text: string, at: number): number {
  let next = at;
  while (next < text.length && /\s/.test(text[next] ?? '')) next++;
  return next;
}

function lineAt(text: string, at: number): string {
  const end = text.indexOf('\n', at);
  return text.slice(at, end === -1 ? undefined : end);
}

function isOwn(place: number, own: readonly Span[]): boolean {
  return own.some(({ from, to }) => from <= place && place < to);
}
