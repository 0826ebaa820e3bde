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
