import type { RefObject } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { Button } from '../../ui/Button.tsx';

type Props = { cancel: string; submit: string; waits?: boolean; onCancel: () => void };

/** The two buttons at a form's end: one leaves it as it was, one submits it. */
export function SubmitBar({ cancel, submit, waits = false, onCancel }: Props) {
  return (
    <div class="bar-do">
      <Button look="line" onPress={onCancel}>
        {cancel}
      </Button>
      <Button submit waits={waits} onPress={() => {}}>
        {submit}
      </Button>
    </div>
  );
}

/** One of a few words under its label; a native select, so every device shows its own list. */
export function Choice<V extends string>({
  label,
  value,
  words,
  onPick,
}: {
  label: string;
  value: V;
  words: Record<V, string>;
  onPick: (value: V) => void;
}) {
  return (
    <label class="field">
      <span>{label}</span>
      <select value={value} onChange={(event) => onPick(event.currentTarget.value as V)}>
        {Object.entries<string>(words).map(([key, word]) => (
          <option key={key} value={key} selected={key === value}>
            {word}
          </option>
        ))}
      </select>
    </label>
  );
}

/** For a form that opens on request: the focus goes to its first field, or the one named so, and back to where it was when the form goes. */
export function useFirstField(first = 'input'): RefObject<HTMLFormElement | null> {
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    const before = document.activeElement;
    form.current?.querySelector<HTMLElement>(first)?.focus();
    return () => {
      if (before instanceof HTMLElement && before.isConnected) before.focus();
    };
  }, []);
  return form;
}
