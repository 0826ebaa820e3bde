import { useEffect, useId, useRef } from 'preact/hooks';

type FieldProps = {
  label: string;
  value: string;
  onWrite: (text: string) => void;
  type?: 'text' | 'password' | 'email' | 'url';
  autocomplete?: string;
  inputMode?: 'text' | 'numeric' | 'email' | 'url';
  maxLength?: number;
  required?: boolean;
  /** Has the focus once it is shown; the attribute alone counts only where nothing had it before. */
  autoFocus?: boolean;
  spellcheck?: boolean;
  placeholder?: string;
  name?: string;
  /** What is wrong with it, as a sentence. */
  wrong?: string | undefined;
};

/** One line to write on under its label. */
export function Field({ label, value, onWrite, wrong, autoFocus, ...rest }: FieldProps) {
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (autoFocus) input.current?.focus();
  }, []);
  return (
    <>
      <label class="field">
        <span>{label}</span>
        <input
          {...(rest as object)}
          ref={input}
          value={value}
          dir={['password', 'email', 'url'].includes(rest.type ?? '') ? 'ltr' : 'auto'}
          aria-invalid={wrong ? 'true' : undefined}
          aria-describedby={wrong ? id : undefined}
          onInput={(event) => onWrite(event.currentTarget.value)}
        />
      </label>
      {wrong && (
        <p class="hint is-wrong" id={id} role="alert">
          {wrong}
        </p>
      )}
    </>
  );
}

type WordProps<V extends string> = {
  label: string;
  value: V;
  options: readonly (readonly [V, string])[];
  onPick: (value: V) => void;
};

/** A choice set inside a sentence; a native select, so every device shows its own list. */
export function Word<V extends string>({ label, value, options, onPick }: WordProps<V>) {
  return (
    <select class="word" aria-label={label} value={value} onChange={(event) => onPick(event.currentTarget.value as V)}>
      {options.map(([key, words]) => (
        <option key={key} value={key} selected={key === value}>
          {words}
        </option>
      ))}
    </select>
  );
}
