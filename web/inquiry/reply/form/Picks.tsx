import { Mark } from '../../../ui/Mark.tsx';
import { Quiet } from '../../../ui/Button.tsx';
import { UntrustedText } from '../../../ui/UntrustedText.tsx';
import { visible } from '#shared/visible.ts';
import { dialogWords } from '../../words.ts';
import type { FieldProps } from './field.ts';
import type { FormField } from './schema.ts';
import { isBlank } from './values.ts';
import { formTexts } from './words.ts';

type Picked = Extract<FormField, { kind: 'boolean' } | { options: unknown }>;
type PicksProps = FieldProps<Picked>;

// More than these fill a phone's screen.
const RINGS_MAX = 7;

/** True for a field that is answered by picking. */
export function isPicked(field: FormField): field is Picked {
  return field.kind === 'boolean' || 'options' in field;
}

/** Yes and no, one of several or some of them; a long list of which one is picked folds up. */
export function Picks(props: PicksProps) {
  const words = dialogWords();
  const { field, value, onWrite } = props;
  if (field.kind === 'choice' && field.options.length > RINGS_MAX) return <Folded {...props} options={field.options} />;
  return (
    <>
      <Rings {...props} />
      {!field.required && field.kind !== 'multi' && !isBlank(value) && (
        <Quiet onPress={() => onWrite(undefined)}>{words.clearChoice}</Quiet>
      )}
    </>
  );
}

function Rings({ field, value, suggested, id, wrong, onWrite }: PicksProps) {
  const form = formTexts();
  const options = field.kind === 'boolean' ? [form.yes, form.no] : field.options.map(({ label }) => label);
  const chosen =
    field.kind === 'boolean' ? (value === true ? [0] : value === false ? [1] : []) : Array.isArray(value) ? value : [];
  const pick = (place: number) => {
    if (field.kind === 'boolean') return onWrite(place === 0);
    if (field.kind === 'choice') return onWrite([place]);
    return onWrite(chosen.includes(place) ? chosen.filter((one) => one !== place) : [...chosen, place]);
  };
  return (
    <div class={suggested ? 'options is-suggested' : 'options'}>
      {options.map((label, place) => (
        <label class="option" key={place}>
          <input
            type={field.kind === 'multi' ? 'checkbox' : 'radio'}
            name={id}
            checked={chosen.includes(place)}
            aria-invalid={wrong ? 'true' : undefined}
            onChange={() => pick(place)}
          />
          <span class={field.kind === 'multi' ? 'ring ring--box' : 'ring'}>
            <Mark name="tick" />
          </span>
          <span>
            <b dir="auto">
              <UntrustedText text={label} />
            </b>
          </span>
        </label>
      ))}
    </div>
  );
}

function Folded({ field, options, value, suggested, wrong, onWrite }: PicksProps & { options: { label: string }[] }) {
  const form = formTexts();
  const chosen = Array.isArray(value) ? value[0] : undefined;
  return (
    <select
      class={suggested ? 'lines is-suggested' : 'lines'}
      aria-label={visible(field.label)}
      aria-invalid={wrong ? 'true' : undefined}
      value={chosen === undefined ? '' : String(chosen)}
      onChange={({ currentTarget }) => onWrite(currentTarget.value === '' ? undefined : [Number(currentTarget.value)])}
    >
      <option value="">{form.chooseOne}</option>
      {options.map(({ label }, place) => (
        <option key={place} value={String(place)}>
          {visible(label)}
        </option>
      ))}
    </select>
  );
}
