export type MarkName = 'comma' | 'stop' | 'dots' | 'query' | 'dash' | 'tick';

const boxes: Record<MarkName, string> = {
  comma: '0 0 20 27',
  stop: '0 0 20 24',
  dots: '0 0 26 27',
  query: '0 0 20 24',
  dash: '0 0 20 24',
  tick: '0 0 36 34',
};

/** The punctuation of a status: comma waits, stop answered, dots being answered, query expired, dash taken back. */
export function Mark({ name, class: more = '' }: { name: MarkName; class?: string }) {
  const tone = name === 'tick' ? 'tick' : 'mk';
  return (
    <svg class={more ? `${tone} ${more}` : tone} viewBox={boxes[name]} aria-hidden="true">
      {shapes[name]()}
    </svg>
  );
}

const shapes: Record<MarkName, () => preact.JSX.Element> = {
  comma: () => (
    <path d="M9.8.6c-5 0-8.6 3.5-8.6 8.2 0 4.3 3 7.5 7.1 7.9.4 0 .7.4.6.8-.7 2.6-2.7 4.6-5.6 5.9-.6.3-.8.9-.5 1.4l.5.9c.2.5.8.7 1.3.5 8-2.9 14-9 14-16.6C18.6 4.3 15 .6 9.8.6z" />
  ),
  stop: () => <circle cx="10" cy="13" r="6.4" />,
  dots: () => (
    <g class="dots">
      <circle cx="3.6" cy="14" r="3.4" />
      <circle cx="13" cy="14" r="3.4" />
      <circle cx="22.4" cy="14" r="3.4" />
    </g>
  ),
  query: () => (
    <>
      <path
        d="M4.6 7.6c.4-3.3 2.6-5 5.5-5 3.3 0 5.6 2 5.6 4.9 0 2.2-1 3.5-2.9 4.9-1.9 1.4-2.5 2.3-2.5 4.3"
        fill="none"
        stroke="currentColor"
        stroke-width="3"
        stroke-linecap="round"
      />
      <circle cx="10.2" cy="21.3" r="2.2" />
    </>
  ),
  dash: () => <path d="M0 11.2h20v3.6H0z" />,
  tick: () => (
    <path d="M4.2 18.8c2.7 1.1 5.2 3.6 7 7.2C15.8 16.2 22.6 8 32.6 1.6c.7-.4 1.3.3.8.9-7.6 8.2-14 17.6-18.6 29.2-.5 1.3-2.3 1.5-3 .2-2.3-4.5-5-8.3-8.6-11.2-1-.8-.3-2.4 1-1.9z" />
  ),
};
