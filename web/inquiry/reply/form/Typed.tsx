import type { FieldProps } from './field.ts';
import type { TargetedInputEvent } from 'preact';
import { Icon } from '../../../ui/Icon.tsx';
import { Lines } from '../../../ui/Lines.tsx';
import { visible } from '#shared/visible.ts';
import { isCounted, sliderOf } from './limits.ts';
import { localOf } from './moment.ts';
import type { FormField } from './schema.ts';
import { numberOf } from './values.ts';
import { formTexts } from './words.ts';

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
    return <input {...shared} value={localOf(value)} type="datetime-local" max="9999-12-31T23:59" step="any" />;
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
  const typed = <input {...input} inputMode={keyboardOf(field)} autocomplete="off" />;
  if (isCounted(field)) return <Count {...{ field, input, onWrite }}>{typed}</Count>;
  const stops = sliderOf(field);
  if (!stops) return typed;
  return (
    <div class="slide">
      {typed}
      <input
        type="range"
        {...stops}
        value={String(numberOf(input.value) ?? stops.min)}
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
    const number = numberOf(input.value);
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
function keyboardOf({ kind, minimum, exclusiveMinimum }: NumberProps['field']) {
  if ((minimum ?? exclusiveMinimum ?? -1) < 0) return 'text';
  return kind === 'integer' ? 'numeric' : 'decimal';
}
