import { useId, useMemo } from 'preact/hooks';
import { PERFORATED, sourceFace } from './pattern.ts';

/** The little engraving a source is known by, always beside its name. */
export function SourceIcon({ sourceId, name }: { sourceId: string; name: string }) {
  const clip = useId();
  const { lines, letters } = useMemo(() => sourceFace(sourceId, name), [sourceId, name]);
  return (
    <svg class="source-icon" viewBox="0 0 46 54" aria-hidden="true">
      <path d={PERFORATED} fill="var(--icon)" stroke="var(--icon-edge)" stroke-width=".7" />
      <clipPath id={clip}>
        <path d="M6 6h34v42H6z" />
      </clipPath>
      <path clip-path={`url(#${clip})`} d={lines} fill="none" stroke="currentColor" stroke-width=".62" opacity=".72" />
      <path d="M6 6h34v42H6z" fill="none" stroke="currentColor" stroke-width=".8" />
      <circle cx="23" cy="27" r="12.2" fill="var(--panel)" stroke="currentColor" stroke-width=".9" />
      <text
        x="23"
        y="32.2"
        text-anchor="middle"
        style="font:700 14.5px var(--serif);letter-spacing:-.3px"
        fill="currentColor"
      >
        {letters}
      </text>
    </svg>
  );
}
