import { useId } from 'preact/hooks';
import { seen } from '#shared/visible.ts';
import { clockTime } from '../times.ts';
import { language } from '../language.ts';

const WAVE = 'q5.5-5 11 0t11 0 11 0 11 0 11 0 11 0 11 0';
const waves = [19, 28, 37, 46, 55, 64].map((y, at) => `M${at % 2 === 0 ? 84 : 86} ${y}${WAVE}`).join('');

/** Drawn over the source icon when an inquiry is resolved: device above, person below, date and minute between; ink when nobody decided. */
export function OutcomeBadge({ above, below, at, ink }: { above: string; below: string; at: number; ink?: boolean }) {
  const upper = useId();
  const lower = useId();
  const zh = language.value === 'zh';
  const date = new Intl.DateTimeFormat(
    zh ? 'zh-CN' : 'en-GB',
    zh ? { month: 'long', day: 'numeric' } : { day: 'numeric', month: 'short' },
  ).format(at);
  return (
    <svg class={ink ? 'outcome-badge is-ink' : 'outcome-badge'} viewBox="0 0 172 84" aria-hidden="true">
      <g fill="none" stroke="currentColor">
        <circle cx="44" cy="42" r="37.5" stroke-width="1.7" />
        <circle cx="44" cy="42" r="25" stroke-width="1" />
        <path d={waves} stroke-width="1.3" />
      </g>
      <path id={upper} d="M15.5 42a28.5 28.5 0 0 1 57 0" fill="none" />
      <path id={lower} d="M10.4 42a33.6 33.6 0 0 0 67.2 0" fill="none" />
      <g fill="currentColor" style="font:650 8px var(--sans);letter-spacing:.9px" text-anchor="middle">
        <text>
          <textPath href={`#${upper}`} startOffset="50%">
            {short(above)}
          </textPath>
        </text>
        <text>
          <textPath href={`#${lower}`} startOffset="50%">
            {short(below)}
          </textPath>
        </text>
        <text x="44" y="40" style="font-size:9.5px;letter-spacing:.2px">
          {date.toUpperCase()}
        </text>
        <text x="44" y="52.5" style="font-size:11.5px;letter-spacing:0">
          {clockTime(at)}
        </text>
      </g>
    </svg>
  );
}

// Half a circle of 28.5 holds about twelve capitals.
function short(words: string): string {
  const letters = [...seen(words).toUpperCase()];
  return letters.length > 12 ? `${letters.slice(0, 11).join('')}…` : letters.join('');
}
