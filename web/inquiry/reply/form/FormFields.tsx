import { useId } from 'preact/hooks';
import { visible } from '#shared/visible.ts';
import { Quiet } from '../../../ui/Button.tsx';
import { UntrustedText } from '../../../ui/UntrustedText.tsx';
import { FaultHint } from '../../view/Bar.tsx';
import { dialogWords } from '../../words.ts';
import { type FieldProps, isPicked, Picks, Typed } from './Inputs.tsx';
import { fieldFaults } from './faults.ts';
import { formTexts, sayLimits } from './words.ts';
import type { FormField } from './schema.ts';
import { at, formWords, isBlank, type Raw, isSame } from './values.ts';

type FieldsProps = {
  fields: FormField[];
  raw: Raw;
  /** What the asker suggested; a field is drawn black while that stands in it. */
  first: Raw;
  tried: boolean;
  onChange: (raw: Raw) => void;
};

/** A flat form as fields; limits are said before sending, faults once somebody tried. */
export function FormFields({ fields, raw, first, tried, onChange }: FieldsProps) {
  return (
    <div class="blanks">
      {fields.map((field) => (
        <OneField
          key={field.name}
          field={field}
          value={at(raw, field.name)}
          first={at(first, field.name)}
          tried={tried}
          onWrite={(value) => onChange(withField(raw, field.name, value))}
        />
      ))}
    </div>
  );
}

type OneProps = Pick<FieldProps, 'field' | 'value' | 'onWrite'> & { first: Raw[string] | undefined; tried: boolean };

function OneField({ field, value, first, tried, onWrite }: OneProps) {
  const words = dialogWords();
  const id = useId();
  const fault = tried ? fieldFaults(field, value)[0] : undefined;
  const hint = [field.description, sayLimits(field, words)].filter(Boolean).join(' ');
  const suggested = isSame(value, first);
  const describedBy = [hint && `${id}h`, fault && `${id}w`].filter(Boolean).join(' ') || undefined;
  const shared = { value, suggested, id, describedBy, wrong: fault !== undefined, onWrite };
  const about = (
    <>
      <FaultHint fault={fault} id={`${id}w`} />
      {hint && (
        <p class="hint" id={`${id}h`} dir="auto">
          <UntrustedText text={hint} />
        </p>
      )}
      {!suggested && first !== undefined && !isBlank(first) && (
        <Quiet onPress={() => onWrite(first)}>{formTexts().bringBack(visible(suggestedWords(field, first)))}</Quiet>
      )}
    </>
  );
  if (isPicked(field)) {
    return (
      <fieldset aria-describedby={describedBy}>
        <legend class="label">
          <Name field={field} />
        </legend>
        <Picks {...shared} field={field} />
        {about}
      </fieldset>
    );
  }
  return (
    <div>
      <label class="label" for={id}>
        <Name field={field} />
      </label>
      <Typed {...shared} field={field} />
      {about}
    </div>
  );
}

function Name({ field }: { field: FormField }) {
  const words = dialogWords();
  return (
    <span>
      <bdi>
        <UntrustedText text={field.label} />
      </bdi>
      {!field.required && <small>{words.optionalField}</small>}
    </span>
  );
}

function suggestedWords(field: FormField, first: Raw[string]): string {
  if (field.kind === 'boolean') return first === true ? formTexts().yes : formTexts().no;
  return formWords([field], { [field.name]: first });
}

function withField(raw: Raw, name: string, value: Raw[string] | undefined): Raw {
  const rest = Object.entries(raw).filter(([other]) => other !== name);
  return Object.fromEntries(value === undefined ? rest : [...rest, [name, value]]);
}
