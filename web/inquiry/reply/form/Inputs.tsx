import type { TargetedInputEvent } from 'preact';
import { visible } from '#shared/visible.ts';
import { Quiet } from '../../../ui/Button.tsx';
import { UntrustedText } from '../../../ui/UntrustedText.tsx';
import { Icon } from '../../../ui/Icon.tsx';
import { Lines } from '../../../ui/Lines.tsx';
import { dialogWords } from '../../words.ts';
import type { FormField } from './schema.ts';
import { isBlank, toLocal, parseNumber, type Raw } from './values.ts';
import { Ring } from '../Options.tsx';
import { formTexts, isCounted, readSlider } from './words.ts';

/** The state of one field and how to change it. */
export type FieldProps<Field extends FormField = FormField> = {
  field: Field;
  value: Raw[string] | undefined;
  suggested: boolean;
  id: string;
  wrong: boolean;
  describedBy: string | undefined;
  onWrite: (value: Raw[string] | undefined) => void;
};

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
          <Ring multi={field.kind === 'multi'} />
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

type TextField = Exclude<FormField, { kind: 'boolean' } | { options: unknown }>;
type TypedProps = FieldProps<TextField>;

const KEYBOARDS = {
  email: { inputMode: 'email', autocomplete: 'email', autocapitalize: 'off', spellcheck: false },
  uri: { inputMode: 'url', autocomplete: 'url', autocapitalize: 'off', spellcheck: false },
} as const;

/** The place to write a number, a day, an address or words, with the keyboard that fits. */
export function Typed(props: TypedProps) {
  const { field, id, wrong, describedBy, suggested, onWrite } = props;
  const value = typeof props.value === 'string' ? props.value : '';
  const shared = {
    id,
    value,
    'aria-invalid': wrong ? ('true' as const) : undefined,
    'aria-describedby': describedBy,
    'aria-required': field.required ? ('true' as const) : undefined,
    class: suggested ? 'lines is-suggested' : 'lines',
    onInput: (event: TargetedInputEvent<HTMLInputElement>) => onWrite(event.currentTarget.value),
  };
  if (field.kind !== 'string') return <NumberField field={field} input={shared} onWrite={onWrite} />;
  if (field.format === 'date') return <input {...shared} type="date" max="9999-12-31" />;
  if (field.format === 'date-time')
    return <input {...shared} value={toLocal(value)} type="datetime-local" max="9999-12-31T23:59" step="any" />;
  if (field.format) return <input {...shared} {...KEYBOARDS[field.format]} />;
  return (
    <Lines
      id={id}
      value={value}
      rows={1}
      suggested={suggested}
      wrong={wrong}
      describedBy={describedBy}
      required={field.required}
      onWrite={onWrite}
    />
  );
}

type NumberProps = {
  field: Extract<TextField, { kind: 'number' | 'integer' }>;
  input: { value: string } & Record<string, unknown>;
  onWrite: (value: string) => void;
};

function NumberField({ field, input, onWrite }: NumberProps) {
  const typed = <input {...input} inputMode={pickKeyboard(field)} autocomplete="off" />;
  if (isCounted(field)) return <Count {...{ field, input, onWrite }}>{typed}</Count>;
  const stops = readSlider(field);
  if (!stops) return typed;
  return (
    <div class="slide">
      {typed}
      <input
        type="range"
        {...stops}
        value={String(parseNumber(input.value) ?? stops.min)}
        aria-label={visible(field.label)}
        class={input['class'] === 'lines' && input.value !== '' ? undefined : 'is-suggested'}
        onInput={({ currentTarget }) => onWrite(currentTarget.value)}
      />
    </div>
  );
}

function Count({ field, input, onWrite, children }: NumberProps & { children: preact.ComponentChildren }) {
  const form = formTexts();
  const { minimum = 0, maximum = 0, multipleOf = 1 } = field;
  const first = Math.ceil(minimum / multipleOf) * multipleOf;
  const step = (by: number) => {
    const number = parseNumber(input.value);
    onWrite(String(number === undefined ? first : Math.min(maximum, Math.max(first, number + by * multipleOf))));
  };
  return (
    <div class="count">
      <button type="button" aria-label={form.fewer} onClick={() => step(-1)}>
        <Icon name="minus" />
      </button>
      {children}
      <button type="button" aria-label={form.moreOf} onClick={() => step(1)}>
        <Icon name="plus" />
      </button>
    </div>
  );
}

// The keyboards for digits have no minus on some phones.
function pickKeyboard({ kind, minimum, exclusiveMinimum }: NumberProps['field']) {
  if ((minimum ?? exclusiveMinimum ?? -1) < 0) return 'text';
  return kind === 'integer' ? 'numeric' : 'decimal';
}
