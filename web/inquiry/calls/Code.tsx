import './code.css';
import { signal, useSignal } from '@preact/signals';
import { useEffect, useMemo } from 'preact/hooks';
import { visible } from '#shared/visible.ts';
import { UntrustedText, written } from '../../ui/UntrustedText.tsx';
import { dialogWords } from '../words.ts';
import { type CodeLanguage, fold } from './arguments.ts';
import type * as highlight from './highlight.ts';

const highlighter = signal<typeof highlight | undefined>(undefined);
const asked = { yet: false };
// Past this a phone would think for longer than it takes to read.
const MOST = 30_000;

/** Code or long text as it is, highlighted once the highlighter has come; what is folded says how much, unless `whole`. */
export function Code({
  text,
  language,
  whole,
}: {
  text: string;
  language?: CodeLanguage | undefined;
  whole?: boolean;
}) {
  const open = useSignal(false);
  const { head, lines, characters } = useMemo(() => fold(text), [text]);
  const folded = !whole && !open.value && head.length < text.length;
  return (
    <>
      <pre tabIndex={-1}>
        <code>
          <Tokens text={folded ? head : text} language={language} />
        </code>
      </pre>
      {folded && (
        <button type="button" class="fold" data-lines={lines} onClick={() => (open.value = true)}>
          {dialogWords().call.below(lines, characters)}
        </button>
      )}
    </>
  );
}

/** One stretch of code in the tones of its language. */
export function Tokens({ text, language }: { text: string; language: CodeLanguage | undefined }) {
  const wanted = language !== undefined && text.length <= MOST;
  useEffect(() => {
    if (wanted) fetchHighlighter();
  }, [wanted]);
  const tools = wanted ? highlighter.value : undefined;
  const tokens = useMemo(() => language && tools?.tokenize(text, language), [tools, text, language]);
  // What cannot be seen is named there as well, without an element each.
  if (text.length > MOST) return visible(text, true);
  if (!tokens) return <UntrustedText exact text={text} />;
  return (
    <>
      {tokens.map(({ text: part, tone }, at) =>
        tone ? (
          <span key={at} class={`tone-${tone}`}>
            {written(part, true)}
          </span>
        ) : (
          written(part, true)
        ),
      )}
    </>
  );
}

function fetchHighlighter(): void {
  if (asked.yet) return;
  asked.yet = true;
  import('./highlight.ts').then(
    // In a task of its own: a tap is not kept waiting by the script and its first use together.
    (ready) => setTimeout(() => (highlighter.value = ready)),
    () => (asked.yet = false),
  );
}
