import { signal } from '@preact/signals';
import type { RefObject } from 'preact';
import { useEffect, useMemo, useRef } from 'preact/hooks';
import { visible } from '#shared/visible.ts';
import { useFold } from '../../ui/Folded.tsx';
import { isHan } from '../../ui/line-breaks.ts';

type Renderer = {
  renderMarkdown: (text: string) => string | undefined;
  watchTables: (within: HTMLElement) => () => void;
};
const renderer = signal<Renderer | undefined>(undefined);
const fetching: { asked?: boolean } = {};

// Most prose is a few plain sentences; those need no markdown and so no wait.
const MARKS = /[`*_#>[\]|~\\]|^\s*(?:[-+]|\d+[.)])\s|https?:\/\/|\n\n|&\w+;|<\w/m;

type ProseProps = {
  text: string;
  lang?: string | undefined;
  folded?: boolean;
  body?: RefObject<HTMLDivElement | null>;
};

/** An agent's markdown as prose; its plain text until the renderer has come, if it never does, and where it gives up. */
export function Prose({ text, lang, folded, body }: ProseProps) {
  const marked = MARKS.test(text);
  useEffect(() => {
    if (!marked || fetching.asked) return;
    fetching.asked = true;
    import('./markdown.ts').then(
      (ready) => (renderer.value = ready),
      () => (fetching.asked = false),
    );
  }, [marked]);
  const render = marked ? renderer.value : undefined;
  const html = useMemo(() => render?.renderMarkdown(text), [render, text]);
  const own = useRef<HTMLDivElement>(null);
  const place = body ?? own;
  useEffect(() => {
    const tables = html?.includes('<table') ? place.current : null;
    return tables ? render?.watchTables(tables) : undefined;
  }, [html]);
  const classes = folded ? 'prose is-folded' : 'prose';
  const language = lang ?? (isHan(text) ? 'zh' : undefined);
  if (text.trim() === '') return null;
  if (html === undefined) {
    return (
      <div class={`${classes} is-plain`} lang={language} dir="auto" ref={place}>
        {visible(text)}
      </div>
    );
  }
  return <div class={classes} lang={language} dir="auto" ref={place} dangerouslySetInnerHTML={{ __html: html }} />;
}

/** The same, folded to three lines until it is opened. */
export function FoldedProse(props: { text: string; lang?: string | undefined }) {
  const { body, folded, bar } = useFold<HTMLDivElement>();
  return (
    <>
      <Prose {...props} folded={folded} body={body} />
      {bar}
    </>
  );
}
