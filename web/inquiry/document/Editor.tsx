import { defaultKeymap, history, historyKeymap } from '@codemirror/commands';
import { insertNewlineContinueMarkup } from '@codemirror/lang-markdown';
import type { ChangeSpec, EditorState } from '@codemirror/state';
import { EditorView, highlightSpecialChars, keymap } from '@codemirror/view';
import { StyleModule } from 'style-mod';
import { useEffect, useRef } from 'preact/hooks';
import { pieces } from '#shared/visible.ts';
import { Icon } from '../../ui/Icon.tsx';
import { dialogWords } from '../words.ts';
import { enterNextGap, takeRoomBack, toggleHeading, toggleList, toggleMark, undo } from './acts.ts';
import { commonEnds } from '../steps.ts';
import { blocks } from './blocks.ts';
import { look } from './look.ts';
import { marks, createState, readText } from './text.ts';
import { documentWords } from './words.ts';

/** How far the gaps of a document are. */
export type Progress = { filled: number; of: number };
export type DocumentEditor = {
  view: EditorView;
  /** Puts the focus where somebody wrote last, else into the first gap; without either nowhere. */
  write(): void;
  /** Puts another text in place of this one, as when words come from another device. */
  replace(markdown: string): void;
  close(): void;
};
type EditorParts = {
  parent: HTMLElement;
  markdown: string;
  /** What the asker wrote: everything else is the person's. */
  original: string;
  label: string;
  describedBy: string | undefined;
  write: string;
  onWrite: (markdown: string) => void;
  onProgress: (progress: Progress) => void;
};

// The page's policy allows no style elements; a style sheet that a script makes is none. In a low layer the page's own
// rules outweigh it.
StyleModule.mount = (root, modules) => {
  const styles = new CSSStyleSheet();
  const rules = [modules].flat().map((module) => module.getRules());
  styles.replaceSync(`@layer base { ${rules.join('\n')} }`);
  root.adoptedStyleSheets = [...root.adoptedStyleSheets, styles];
};

/** Opens an editor of a markdown document in an element. */
function openEditor(parts: EditorParts): DocumentEditor {
  const { parent, markdown, original, label, describedBy, write, onWrite, onProgress } = parts;
  const given: string[] = [];
  let replacing = false;
  const state = createState(markdown, original, [
    history(),
    keymap.of([
      { key: 'Enter', run: insertNewlineContinueMarkup },
      { key: 'Mod-b', run: (view) => toggleMark(view, '**') },
      { key: 'Mod-i', run: (view) => toggleMark(view, '*') },
      // Mod-Enter sends the inquiry and Escape leaves the writing.
      ...defaultKeymap.filter(({ key }) => key !== 'Mod-Enter' && key !== 'Escape'),
      ...historyKeymap,
    ]),
    look,
    blocks(write),
    takeRoomBack,
    highlightSpecialChars({ render: specialCharacter, addSpecialChars: /[\u202A-\u202C\u2068\u{E0000}-\u{E007F}]/gu }),
    EditorView.lineWrapping,
    EditorView.perLineTextDirection.of(true),
    EditorView.scrollMargins.of(() => ({ top: 40, bottom: 170 })),
    EditorView.contentAttributes.of({
      'aria-label': label,
      ...(describedBy ? { 'aria-describedby': describedBy } : {}),
      spellcheck: 'true',
      autocorrect: 'on',
      autocapitalize: 'sentences',
    }),
    EditorView.updateListener.of(({ docChanged, state: now }) => {
      if (!docChanged) return;
      onProgress(toProgress(now.field(marks).gaps));
      if (replacing) return;
      const text = readText(now);
      given.push(text);
      onWrite(text);
    }),
  ]);
  const view = new EditorView({ parent, state });
  onProgress(toProgress(state.field(marks).gaps));
  return {
    view,
    write() {
      if (view.state.selection.main.head > 0) view.focus();
      else enterNextGap(view);
    },
    replace(text) {
      // Words this editor gave out come back a moment later, when it may be further already.
      const echo = given.indexOf(text);
      if (echo !== -1) return void given.splice(0, echo + 1);
      if (text === readText(view.state)) return;
      replacing = true;
      view.dispatch({ changes: difference(view.state, text) });
      replacing = false;
    },
    close: () => view.destroy(),
  };
}

// Only what differs, so that the caret stays where it is.
function difference(state: EditorState, text: string): ChangeSpec {
  const next = state.toText(text);
  const before = state.doc.toString();
  const { head, tail } = commonEnds(before, next.toString());
  return { from: head, to: before.length - tail, insert: next.slice(head, next.length - tail) };
}

function toProgress(gaps: readonly { filled: boolean }[]): Progress {
  return { filled: gaps.filter(({ filled }) => filled).length, of: gaps.length };
}

// A CR at a line's end is no character to look at; what could turn text around is named.
function specialCharacter(code: number, _description: string | null, placeholder: string): HTMLElement {
  const span = document.createElement('span');
  if (code === 13) return span;
  const [piece] = pieces(String.fromCodePoint(code));
  span.className = 'hidden-char';
  span.textContent = typeof piece === 'object' ? piece.hidden : placeholder;
  return span;
}

type RichProps = {
  markdown: string;
  original: string;
  describedBy: string | undefined;
  onWrite: (markdown: string) => void;
  onOpen: (editor: DocumentEditor) => void;
  onClose: (editor: DocumentEditor) => void;
  onProgress: (progress: Progress) => void;
};

/** The document as prose that can be written in. */
export function RichText({ markdown, original, describedBy, onWrite, onOpen, onClose, onProgress }: RichProps) {
  const words = documentWords();
  const place = useRef<HTMLDivElement>(null);
  const editor = useRef<DocumentEditor | undefined>(undefined);
  const latest = useRef({ onWrite, onProgress });
  latest.current = { onWrite, onProgress };
  useEffect(() => {
    const parent = place.current;
    if (!parent) return;
    const opened = openEditor({
      parent,
      markdown,
      original,
      label: dialogWords().yourAnswer,
      describedBy,
      write: words.writeHere,
      onWrite: (text) => latest.current.onWrite(text),
      onProgress: (progress) => latest.current.onProgress(progress),
    });
    editor.current = opened;
    onOpen(opened);
    return () => {
      onClose(opened);
      opened.close();
    };
  }, []);
  useEffect(() => editor.current?.replace(markdown), [markdown]);
  return <div class="doc" ref={place} />;
}

type Tool = { name: 'bold' | 'heading' | 'list' | 'code' | 'undo'; act: (view: EditorView) => unknown };
const TOOLS: Tool[] = [
  { name: 'bold', act: (view) => toggleMark(view, '**') },
  { name: 'heading', act: toggleHeading },
  { name: 'list', act: toggleList },
  { name: 'code', act: (view) => toggleMark(view, '`') },
  { name: 'undo', act: undo },
];
const LETTERS: Partial<Record<Tool['name'], string>> = { bold: 'B', heading: 'H' };
const STROKES: Partial<Record<Tool['name'], string>> = {
  list: 'M9 6.5h11M9 12h11M9 17.5h11M4.5 6.5h.01M4.5 12h.01M4.5 17.5h.01',
  code: 'M4.5 7l5 5-5 5M12 17.5h7.5',
  undo: 'M8 5L4 9l4 4M4.5 9H15a5 5 0 0 1 0 10h-4',
};

/** What can be done with the text of a document, above the deciding buttons. */
export function Tools({ view, progress }: { view: EditorView; progress: Progress }) {
  const words = documentWords();
  return (
    <div class="tools" role="toolbar" aria-label={words.tools}>
      {TOOLS.map(({ name, act }) => (
        <button
          key={name}
          type="button"
          aria-label={words[name]}
          title={words[name]}
          // The keyboard of a phone stays where the focus stays.
          onPointerDown={(event) => event.preventDefault()}
          onClick={() => {
            act(view);
            view.focus();
          }}
        >
          {LETTERS[name] ?? (
            <svg class="ic" viewBox="0 0 24 24" aria-hidden="true">
              <path d={STROKES[name] ?? ''} />
            </svg>
          )}
        </button>
      ))}
      {progress.filled < progress.of && (
        <button
          type="button"
          class="push"
          onPointerDown={(event) => event.preventDefault()}
          onClick={() => enterNextGap(view)}
        >
          {words.nextGap}
          <Icon name="next" />
        </button>
      )}
    </div>
  );
}
