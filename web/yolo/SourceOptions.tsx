import type { AskingSource } from '#shared/history.ts';
import { visible } from '#shared/visible.ts';
import { Mark } from '../ui/Mark.tsx';

type SourceOptionsProps = {
  label: string;
  sources: Pick<AskingSource, 'id' | 'name'>[];
  chosen: string[];
  onChoose: (chosen: string[]) => void;
};

/** Any number of these sources. */
export function SourceOptions({ label, sources, chosen, onChoose }: SourceOptionsProps) {
  return (
    <fieldset class="options">
      <legend class="label">{label}</legend>
      {sources.map(({ id, name }) => (
        <label class="option" key={id}>
          <input
            type="checkbox"
            checked={chosen.includes(id)}
            onChange={({ currentTarget: { checked } }) =>
              onChoose([...chosen.filter((one) => one !== id), ...(checked ? [id] : [])])
            }
          />
          <span class="ring ring--box">
            <Mark name="tick" />
          </span>
          <span>
            <b>{visible(name)}</b>
          </span>
        </label>
      ))}
    </fieldset>
  );
}
