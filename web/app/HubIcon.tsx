import { PERFORATED } from '../ui/post/pattern.ts';

/** The hub's own icon, with its comma, on what it asks itself. */
export function HubIcon() {
  return (
    <svg class="source-icon" viewBox="0 0 46 54" aria-hidden="true">
      <path d={PERFORATED} fill="var(--icon)" stroke="var(--icon-edge)" stroke-width=".7" />
      <path d={RAYS} fill="none" stroke="currentColor" stroke-width=".62" opacity=".72" />
      <path d="M6 6h34v42H6z" fill="none" stroke="currentColor" stroke-width=".8" />
      <circle cx="23" cy="27" r="12.2" fill="var(--panel)" stroke="currentColor" stroke-width=".9" />
      <g transform="translate(16.4 17.8) scale(.66)" fill="var(--own)">
        <path d="M9.8.6c-5 0-8.6 3.5-8.6 8.2 0 4.3 3 7.5 7.1 7.9.4 0 .7.4.6.8-.7 2.6-2.7 4.6-5.6 5.9-.6.3-.8.9-.5 1.4l.5.9c.2.5.8.7 1.3.5 8-2.9 14-9 14-16.6C18.6 4.3 15 .6 9.8.6z" />
      </g>
    </svg>
  );
}

const RAYS = Array.from({ length: 56 }, (_, at) => {
  const angle = (2 * Math.PI * at) / 56;
  const [x, y] = [Math.cos(angle), Math.sin(angle)];
  // As far as the frame of 34 by 42 lets it.
  const reach = Math.min(17 / Math.abs(x), 21 / Math.abs(y));
  return `M${(23 + 13 * x).toFixed(1)} ${(27 + 13 * y).toFixed(1)}L${(23 + reach * x).toFixed(1)} ${(27 + reach * y).toFixed(1)}`;
}).join('');
