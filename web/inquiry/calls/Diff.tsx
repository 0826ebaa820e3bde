import { useSignal } from '@preact/signals';
import { useMemo } from 'preact/hooks';
import { Theirs } from '../../ui/Theirs.tsx';
import { dialogWords } from '../words.ts';
import { CopyButton } from './CopyButton.tsx';
import { changedPart, type DiffLine, diffOf } from './diff.ts';

/** A patch as proof marks: cut lines struck, new ones with their new part underlined; what is folded says how much. */
export function Diff({ path, oldText, newText }: { path: string; oldText: string; newText: string }) {
  const words = dialogWords();
  const lines = useMemo(() => diffOf(oldText, newText), [oldText, newText]);
  return (
    <figure class="slip">
      <figcaption>
        <span>
          <code>
            <Theirs exact text={path} />
          </code>
          {oldText === '' && `, ${words.call.newFile}`}
        </span>
        <CopyButton text={newText} />
      </figcaption>
      <div class="diff">
        {lines.map((line, at) => (
          <Line key={at} line={line} before={replaced(lines, at)} />
        ))}
      </div>
    </figure>
  );
}

function Line({ line, before }: { line: DiffLine; before: string | undefined }) {
  switch (line.kind) {
    case 'same':
      return <span>{<Theirs exact text={line.text} />}</span>;
    case 'cut':
      return <del>{<Theirs exact text={line.text} />}</del>;
    case 'add':
      return <Added text={line.text} before={before} />;
    case 'alike':
      return <Alike lines={line.lines} />;
  }
}

function Added({ text, before }: { text: string; before: string | undefined }) {
  if (before === undefined) return <ins>{<Theirs exact text={text} />}</ins>;
  const { head, changed, tail } = changedPart(before, text);
  return (
    <ins>
      <Theirs exact text={head} />
      <u>
        <Theirs exact text={changed} />
      </u>
      <Theirs exact text={tail} />
    </ins>
  );
}

function Alike({ lines }: { lines: string[] }) {
  const words = dialogWords();
  const open = useSignal(false);
  if (open.value) return <span>{<Theirs exact text={lines.join('\n')} />}</span>;
  return (
    <button type="button" class="gap" onClick={() => (open.value = true)}>
      {words.call.alike(lines.length)}
    </button>
  );
}

// The cut line that an added one stands for: the same place in the run of cuts just above.
function replaced(lines: DiffLine[], at: number): string | undefined {
  let first = at;
  while (lines[first - 1]?.kind === 'add') first--;
  let cuts = first;
  while (lines[cuts - 1]?.kind === 'cut') cuts--;
  const line = lines[cuts + (at - first)];
  return line?.kind === 'cut' && cuts + (at - first) < first ? line.text : undefined;
}
