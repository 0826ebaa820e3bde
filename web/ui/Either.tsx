import './either.css';
import { useId } from 'preact/hooks';
import { Mark } from './Mark.tsx';

/** One of a few words beside each other; the chosen one has a tick. */
export function Either<V extends string>({
  label,
  value,
  options,
  onPick,
}: {
  label: string;
  value: V | undefined;
  options: readonly (readonly [V, string])[];
  onPick: (value: V) => void;
}) {
  const name = useId();
  return (
    <div class="either" role="radiogroup" aria-label={label}>
      {options.map(([key, words]) => (
        <label key={key}>
          <input type="radio" name={name} checked={key === value} onChange={() => onPick(key)} />
          <Mark name="tick" />
          {words}
        </label>
      ))}
    </div>
  );
}
