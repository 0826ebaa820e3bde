import { Icon } from '../../ui/Icon.tsx';
import type { EditorView } from '@codemirror/view';
import { toggleHeading, toggleList, toggleMark, undo } from './acts.ts';
import { enterNextGap } from './enter-gap.ts';
import type { Progress } from './open-editor.ts';
import { documentWords } from './words.ts';

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
