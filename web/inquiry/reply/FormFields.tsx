import { useId } from 'preact/hooks';
import { Icon } from '../../ui/Icon.tsx';
import { Lines } from '../../ui/Lines.tsx';
import { Mark } from '../../ui/Mark.tsx';
import { Theirs } from '../../ui/Theirs.tsx';
import type { Words } from '../words/en.ts';
import { dialogWords } from '../words.ts';
import { fieldFaults } from './faults.ts';
import { faultWords } from './faultWords.ts';
import type { FormField, Raw } from './form.ts';

type FieldsProps = { fields: FormField[]; raw: Raw; own: boolean; tried: boolean; onChange: (raw: Raw) => void };

/** A flat form as fields; limits are said before sending, faults once somebody tried. */
export function FormFields({ fields, raw, own, tried, onChange }: FieldsProps) {
  return (
    <div class="blanks">
      {fields.map((field) => (
        <OneField
          key={field.name}
          field={field}
          value={raw[field.name]}
          own={own}
          tried={tried}
          onWrite={(value) => onChange(withField(raw, field.name, value))}
        />
      ))}
    </div>
  );
}

type OneProps = {
  field: FormField;
  value: Raw[string] | undefined;
  own: boolean;
  tried: boolean;
  onWrite: (value: Raw[string] | undefined) => void;
};

function OneField({ field, value, own, tried, onWrite }: OneProps) {
  const words = dialogWords();
  const id = useId();
  const fault = tried ? fieldFaults(field, value)[0] : undefined;
  const hint = [field.description, limitOf(field, words)].filter(Boolean).join(' ');
  const describedBy = [hint && `${id}h`, fault && `${id}w`].filter(Boolean).join(' ') || undefined;
  const about = (
    <>
      {hint && (
        <p class="hint" id={`${id}h`}>
          <Theirs text={hint} />
        </p>
      )}
      {fault && (
        <p class="hint is-wrong" id={`${id}w`} role="alert">
          {faultWords(words, fault)}
        </p>
      )}
    </>
  );
  if (isPicked(field)) {
    return (
      <fieldset aria-describedby={describedBy}>
        <legend class="label">
          <Name field={field} />
        </legend>
        <Picks field={field} value={value} own={own} name={id} onWrite={onWrite} />
        {about}
      </fieldset>
    );
  }
  return (
    <div>
      <label class="label" for={id}>
        <Name field={field} />
      </label>
      <Typed
        field={field}
        value={typeof value === 'string' ? value : ''}
        own={own}
        id={id}
        wrong={fault !== undefined}
        describedBy={describedBy}
        onWrite={onWrite}
      />
      {about}
    </div>
  );
}

type Picked = Extract<FormField, { kind: 'boolean' } | { options: unknown }>;

function isPicked(field: FormField): field is Picked {
  return field.kind === 'boolean' || 'options' in field;
}

function Name({ field }: { field: FormField }) {
  const words = dialogWords();
  return (
    <span>
      <Theirs text={field.label} /> {!field.required && <small>({words.optional})</small>}
    </span>
  );
}

function Picks({
  field,
  value,
  own,
  name,
  onWrite,
}: Pick<OneProps, 'value' | 'own' | 'onWrite'> & { field: Picked; name: string }) {
  const words = dialogWords();
  const options = field.kind === 'boolean' ? [words.form.yes, words.form.no] : field.options.map(({ label }) => label);
  const chosen =
    field.kind === 'boolean' ? (value === true ? [0] : value === false ? [1] : []) : Array.isArray(value) ? value : [];
  const pick = (place: number) => {
    if (field.kind === 'boolean') return onWrite(place === 0);
    if (field.kind === 'choice') return onWrite([place]);
    return onWrite(chosen.includes(place) ? chosen.filter((one) => one !== place) : [...chosen, place]);
  };
  return (
    <div class={own ? 'options' : 'options is-theirs'}>
      {options.map((label, place) => (
        <label class="option" key={label}>
          <input
            type={field.kind === 'multi' ? 'checkbox' : 'radio'}
            name={name}
            checked={chosen.includes(place)}
            onChange={() => pick(place)}
          />
          <span class={field.kind === 'multi' ? 'ring ring--box' : 'ring'}>
            <Mark name="tick" />
          </span>
          <span>
            <b>
              <Theirs text={label} />
            </b>
          </span>
        </label>
      ))}
    </div>
  );
}

type TypedProps = {
  field: Exclude<FormField, Picked>;
  value: string;
  own: boolean;
  id: string;
  wrong: boolean;
  describedBy: string | undefined;
  onWrite: (value: string) => void;
};

function Typed({ field, value, own, id, wrong, describedBy, onWrite }: TypedProps) {
  const words = dialogWords();
  const shared = {
    id,
    value,
    'aria-invalid': wrong ? ('true' as const) : undefined,
    'aria-describedby': describedBy,
    'aria-required': field.required ? ('true' as const) : undefined,
    class: own ? 'lines' : 'lines is-theirs',
    onInput: (event: { currentTarget: HTMLInputElement }) => onWrite(event.currentTarget.value),
  };
  if (
    field.kind === 'integer' &&
    field.minimum !== undefined &&
    field.maximum !== undefined &&
    field.maximum - field.minimum <= 100
  ) {
    const { minimum, maximum } = field;
    const step = (by: number) =>
      onWrite(String(value === '' ? minimum : Math.min(maximum, Math.max(minimum, (Number(value) || 0) + by))));
    return (
      <div class="count">
        <button type="button" aria-label={words.form.fewer} onClick={() => step(-1)}>
          <Icon name="minus" />
        </button>
        <input {...shared} inputMode="numeric" autocomplete="off" />
        <button type="button" aria-label={words.form.moreOf} onClick={() => step(1)}>
          <Icon name="plus" />
        </button>
      </div>
    );
  }
  if (field.kind !== 'string')
    return <input {...shared} inputMode={field.kind === 'integer' ? 'numeric' : 'decimal'} autocomplete="off" />;
  if (field.format === 'date' || field.format === 'date-time')
    return <input {...shared} type={field.format === 'date' ? 'date' : 'datetime-local'} />;
  if (field.format === 'email')
    return <input {...shared} inputMode="email" autocomplete="email" autocapitalize="off" spellcheck={false} />;
  if (field.format === 'uri')
    return <input {...shared} inputMode="url" autocomplete="url" autocapitalize="off" spellcheck={false} />;
  return (
    <Lines
      id={id}
      value={value}
      rows={1}
      theirs={!own}
      wrong={wrong}
      describedBy={describedBy}
      required={field.required}
      onWrite={onWrite}
    />
  );
}

/** The limits of a field as one sentence, said before anything is sent. */
function limitOf(field: FormField, words: Words): string {
  if (field.kind === 'number' || field.kind === 'integer') {
    if (field.minimum !== undefined || field.maximum !== undefined)
      return words.form.range(field.minimum, field.maximum);
    return field.kind === 'integer' ? words.form.whole : '';
  }
  if (field.kind === 'multi' && (field.minItems || field.maxItems))
    return words.pickBetween(field.minItems ?? 0, field.maxItems);
  if (field.kind !== 'string') return '';
  if (field.format === 'email') return words.form.email;
  if (field.format === 'uri') return words.form.uri;
  if (field.minLength || field.maxLength) return words.form.length(field.minLength, field.maxLength);
  return field.pattern ? words.form.pattern(field.pattern) : '';
}

function withField(raw: Raw, name: string, value: Raw[string] | undefined): Raw {
  const { [name]: _, ...rest } = raw;
  return value === undefined ? rest : { ...rest, [name]: value };
}
