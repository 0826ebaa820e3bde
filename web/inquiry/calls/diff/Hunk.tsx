import { useSignal } from '@preact/signals';
import { useMemo } from 'preact/hooks';
import { UntrustedText } from '../../../ui/UntrustedText.tsx';
import { dialogWords } from '../../words.ts';
import { changedPart, counterparts, type DiffLine } from './diff.ts';

/** Lines of a patch as proof marks: cut ones struck, new ones with a plus, the words that changed marked in both; what is folded says how much. */
export function Hunk({ lines }: { lines: DiffLine[] }) {
  const others = useMemo(() => counterparts(lines), [lines]);
  return (
    <>
      {lines.map((line, at) => (
        <Line key={at} line={line} other={others[at]} />
      ))}
    </>
  );
}

function Line({ line, other }: { line: DiffLine; other: string | undefined }) {
  switch (line.kind) {
    case 'same':
      return <span>{<UntrustedText exact text={line.text} />}</span>;
    case 'cut':
      return (
        <del>
          <Changed text={line.text} other={other} />
        </del>
      );
    case 'add':
      return (
        <ins>
          <Changed text={line.text} other={other} />
        </ins>
      );
    case 'alike':
      return <Alike lines={line.lines} />;
  }
}

function Changed({ text, other }: { text: string; other: string | undefined }) {
  const parts = other === undefined ? undefined : changedPart(other, text);
  if (!parts) return <UntrustedText exact text={text} />;
  return (
    <>
      <UntrustedText exact text={parts.head} />
      <u>
        <UntrustedText exact text={parts.changed} />
      </u>
      <UntrustedText exact text={parts.tail} />
    </>
  );
}

function Alike({ lines }: { lines: string[] }) {
  const words = dialogWords();
  const open = useSignal(false);
  if (open.value) return <span>{<UntrustedText exact text={lines.join('\n')} />}</span>;
  return (
    <button type="button" class="gap" onClick={() => (open.value = true)}>
      {words.call.alike(lines.length)}
    </button>
  );
}
