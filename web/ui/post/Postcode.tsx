import { useRef } from 'preact/hooks';

/** Six ink digits, shown to be typed elsewhere. */
export function ShownPostcode({ digits, label }: { digits: string; label: string }) {
  return (
    <p class="postcode" role="img" aria-label={`${label} ${[...digits].join(' ')}`}>
      {[...digits].map((digit, at) => (
        <i key={at}>{digit}</i>
      ))}
    </p>
  );
}

/** Six boxes to type digits into; pasting fills them all, `onFull` hears the six once. */
export function TypedPostcode({
  value,
  onType,
  onFull,
  label,
}: {
  value: string;
  onType: (digits: string) => void;
  onFull?: (digits: string) => void;
  label: string;
}) {
  const row = useRef<HTMLDivElement>(null);
  const box = (at: number) => row.current?.querySelectorAll('input')[at];
  const type = (at: number, typed: string) => {
    const fresh = typed.replace(/\D/g, '');
    const digits = (value.slice(0, at) + (fresh.length > 2 ? fresh : fresh.slice(-1)) + value.slice(at + 1)).slice(
      0,
      6,
    );
    onType(digits);
    box(Math.min(5, fresh === '' ? at : fresh.length > 2 ? digits.length : at + 1))?.focus();
    if (digits.length === 6 && fresh !== '') onFull?.(digits);
  };
  return (
    <div class="postcode own" role="group" aria-label={label} ref={row}>
      {[0, 1, 2, 3, 4, 5].map((at) => (
        <input
          key={at}
          value={value[at] ?? ''}
          inputMode="numeric"
          autocomplete={at === 0 ? 'one-time-code' : 'off'}
          aria-label={`${label} ${at + 1}/6`}
          onInput={(event) => type(at, event.currentTarget.value)}
          onKeyDown={(event) => {
            if (event.key !== 'Backspace' || (value[at] ?? '') !== '') return;
            onType(value.slice(0, Math.max(0, at - 1)) + value.slice(at));
            box(at - 1)?.focus();
          }}
        />
      ))}
    </div>
  );
}
