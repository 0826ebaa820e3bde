import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import type { Drawn } from './bars.ts';
import { attentionWords } from './words.ts';

const WIDTH = 340;
/** How high bars may be; the rest is for the counts and the names. */
export const BARS_HIGH = 62;
const BASE = 82;

/** Bars: ink is what a person was asked, hatched what went without them, and above each how often they were asked. */
export function Plot({ bars, scale, label }: { bars: readonly Drawn[]; scale: number; label: string }) {
  const slot = WIDTH / Math.max(bars.length, 7);
  const width = slot * 0.76;
  return (
    <svg class="plot" viewBox={`0 0 ${WIDTH} 104`} role="img" aria-label={label}>
      {bars.map(({ name, asked, automatic }, at) => {
        const middle = slot * (at + 0.5);
        const [ink, hatched] = [asked * scale, automatic * scale];
        const x = middle - width / 2;
        return (
          <g key={name}>
            {asked > 0 && <rect class="woke" x={x} y={BASE - ink} width={width} height={ink} />}
            {automatic > 0 && (
              <rect
                class="hatched"
                x={x + 0.5}
                y={BASE - ink - hatched}
                width={width - 1}
                height={Math.max(hatched - 1, 0.5)}
              />
            )}
            <text class="n" x={middle} y={BASE - ink - hatched - 5} text-anchor="middle">
              {asked}
            </text>
            <text x={middle} y={99} text-anchor="middle">
              {name}
            </text>
          </g>
        );
      })}
      <path class="axis" d={`M0 ${BASE + 0.5}H${WIDTH}`} />
    </svg>
  );
}

/** The hatching that plots are filled with; once on a page. */
export function Hatching() {
  return (
    <svg class="hatching" width="0" height="0" aria-hidden="true">
      <pattern id="hatch" width="5" height="5" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
        <path d="M0 0V5" />
      </pattern>
    </svg>
  );
}

/** What the two kinds of bars say. */
export function Key() {
  const t = attentionWords();
  return (
    <p class="key">
      {(['asked', 'automatic'] as const).map((what) => (
        <span key={what}>
          <svg class="plot" viewBox="0 0 16 16" aria-hidden="true">
            <rect class={what === 'asked' ? 'woke' : 'hatched'} x="0.5" y="0.5" width="15" height="15" />
          </svg>
          {t[what]}
        </span>
      ))}
    </p>
  );
}

/** The same numbers as a table, for whoever would rather read them. */
export function AsTable({
  caption,
  head,
  rows,
}: {
  caption: string;
  head: readonly string[];
  rows: readonly (readonly (string | number)[])[];
}) {
  const t = attentionWords();
  const [open, setOpen] = useState(false);
  return (
    <details class="as-table" onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>{open ? t.hide : t.show}</summary>
      <div class="wide" role="group" aria-label={caption} tabIndex={0}>
        <table class="counts">
          <caption class="sr">{caption}</caption>
          <thead>
            <tr>{head.map(cell('th'))}</tr>
          </thead>
          <tbody>
            {rows.map((cells) => (
              <tr key={cells.join(' ')}>
                <th scope="row">{cells[0]}</th>
                {cells.slice(1).map(cell('td'))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </details>
  );
}

function cell(Tag: 'th' | 'td') {
  return (value: ComponentChildren, at: number) => (
    <Tag key={at} {...(Tag === 'th' ? { scope: 'col' } : {})}>
      {value}
    </Tag>
  );
}
