import { signal } from '@preact/signals';
import { useEffect, useMemo } from 'preact/hooks';
import { isHan, visible } from '../../ui/theirs.ts';

type Render = (text: string) => string;
const renderer = signal<Render | undefined>(undefined);
const fetching: { asked?: boolean } = {};

// Most prose is a few plain sentences; those need no markdown and so no wait.
const MARKS = /[`*_#>[\]|~\\]|^\s*(?:[-+]|\d+[.)])\s|https?:\/\/|\n\n|&\w+;|<\w/m;

/** An agent's markdown as prose; its plain text until the renderer has come, and if it never does. */
export function Prose({ text, lang }: { text: string; lang?: string | undefined }) {
  const marked = MARKS.test(text);
  useEffect(() => {
    if (!marked || fetching.asked) return;
    fetching.asked = true;
    import('./markdown.ts').then(
      ({ renderMarkdown }) => (renderer.value = renderMarkdown),
      () => (fetching.asked = false),
    );
  }, [marked]);
  const render = marked ? renderer.value : undefined;
  const html = useMemo(() => render?.(text), [render, text]);
  const language = lang ?? (isHan(text) ? 'zh' : undefined);
  if (text.trim() === '') return null;
  if (html === undefined) {
    return (
      <div class="prose is-plain" lang={language}>
        {visible(text)}
      </div>
    );
  }
  return <div class="prose" lang={language} dangerouslySetInnerHTML={{ __html: html }} />;
}
