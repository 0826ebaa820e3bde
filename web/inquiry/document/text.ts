import { markdownLanguage } from '@codemirror/lang-markdown';
import { ensureSyntaxTree, syntaxTree } from '@codemirror/language';
import { EditorState, type Extension, Facet, StateField } from '@codemirror/state';
import { EditorView } from '@codemirror/view';
import { type Gap, gapsOf } from './gaps.ts';
import { lineEndOf } from './line-ends.ts';
import { ownSpans, type Span } from './own-spans.ts';

const PARSE_MS = 100;
const originalText = Facet.define<string, string>({ combine: ([first]) => first ?? '' });

/**
 * A markdown text as the editor holds it. The editor's text is the markdown itself: `textOf` gives back every
 * byte that nobody changed, line ends included.
 */
export function stateOf(markdown: string, original: string, more: Extension = []): EditorState {
  const lineEnd = lineEndOf(markdown);
  return EditorState.create({
    doc: markdown,
    extensions: [
      EditorState.lineSeparator.of(lineEnd),
      // What is pasted brings the line ends of another machine.
      EditorView.clipboardInputFilter.of((text) => text.replace(/\r\n?|\n/g, lineEnd)),
      originalText.of(original.split(lineEndOf(original)).join('\n')),
      markdownLanguage.extension,
      marks,
      more,
    ],
  });
}

/** The markdown as it is sent. */
export function textOf(state: EditorState): string {
  return state.sliceDoc();
}

/** What the person wrote, and the gaps, of the text as it stands. */
export const marks = StateField.define<{ own: Span[]; gaps: Gap[] }>({
  create: read,
  update: (before, { docChanged, state }) => (docChanged ? read(state) : before),
});

function read(state: EditorState): { own: Span[]; gaps: Gap[] } {
  const text = state.doc.toString();
  const own = ownSpans(state.facet(originalText), text);
  const tree = ensureSyntaxTree(state, state.doc.length, PARSE_MS) ?? syntaxTree(state);
  return { own, gaps: gapsOf(text, tree, own) };
}
