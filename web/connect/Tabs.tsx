type TabsProps = {
  label: string;
  name: string;
  look?: 'tabs' | 'seg';
  value: string;
  options: readonly (readonly [string, string])[];
  onPick: (value: string) => void;
};

/** A few words of which one is chosen; native radios, so the arrow keys and a screen reader know them. */
export function Tabs({ label, name, look = 'tabs', value, options, onPick }: TabsProps) {
  return (
    <div class={look} role="radiogroup" aria-label={label}>
      {options.map(([key, words]) => (
        <label key={key}>
          <input type="radio" name={name} value={key} checked={key === value} onChange={() => onPick(key)} />
          {words}
        </label>
      ))}
    </div>
  );
}
