import type { Ref } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';

type LinesProps = {
  value: string;
  onWrite: (text: string) => void;
  /** Read aloud, where no visible label names the field. */
  label?: string;
  id?: string;
  rows?: number;
  /** Still the agent's words: black. */
  suggested?: boolean;
  code?: boolean;
  placeholder?: string;
  wrong?: boolean;
  describedBy?: string | undefined;
  required?: boolean;
  lang?: string | undefined;
  linesRef?: Ref<HTMLTextAreaElement>;
};

/** Ruled lines that grow with what is written on them. */
export function Lines({
  value,
  onWrite,
  label,
  id,
  rows = 3,
  suggested,
  code,
  placeholder,
  wrong,
  describedBy,
  required,
  lang,
  linesRef,
}: LinesProps) {
  const own = useRef<HTMLTextAreaElement>(null);
  useLayoutEffect(() => {
    const area = own.current;
    // Firefox has no field-sizing yet.
    if (!area || CSS.supports('field-sizing', 'content')) return;
    area.style.height = 'auto';
    area.style.height = `${area.scrollHeight}px`;
  }, [value]);
  return (
    <textarea
      class={['lines', suggested && 'is-suggested', code && 'lines--code'].filter(Boolean).join(' ')}
      style={{ '--rows': rows }}
      rows={rows}
      id={id}
      value={value}
      lang={lang}
      dir={code ? 'ltr' : 'auto'}
      placeholder={placeholder}
      required={required}
      spellcheck={!code}
      autocapitalize={code ? 'off' : undefined}
      aria-label={label}
      aria-invalid={wrong ? 'true' : undefined}
      aria-describedby={describedBy}
      onInput={(event) => onWrite(event.currentTarget.value)}
      ref={(area) => {
        own.current = area;
        if (typeof linesRef === 'function') linesRef(area);
        else if (linesRef) linesRef.current = area;
      }}
    />
  );
}
