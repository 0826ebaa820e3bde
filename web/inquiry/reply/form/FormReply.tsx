import { visible } from '#shared/visible.ts';
import { Lines } from '../../../ui/Lines.tsx';
import type { Part, PartOf } from './values.ts';
import { FormFields } from './FormFields.tsx';
import { readForm } from './schema.ts';
import { formTexts } from './words.ts';

type FormProps = {
  schema: Record<string, unknown>;
  part: PartOf<'form'>;
  first: Part | undefined;
  tried: boolean;
  name: string;
  onChange: (part: Part) => void;
  describedBy: string | undefined;
  wrong: boolean;
};

/** The place to answer a form: its fields, or JSON where fields cannot say it. */
export function FormReply({ schema, part, first, tried, ...rest }: FormProps) {
  const fields = readForm(schema);
  if (!fields) return <JsonReply {...rest} schema={schema} part={part} />;
  return (
    <FormFields
      {...{ fields, tried }}
      raw={part.raw}
      first={first?.type === 'form' ? first.raw : {}}
      onChange={(raw) => rest.onChange({ ...part, own: true, raw })}
    />
  );
}

type JsonProps = {
  schema: Record<string, unknown>;
  part: PartOf<'form'>;
  name: string;
  onChange: (part: Part) => void;
  describedBy: string | undefined;
  wrong: boolean;
};

/** A form that no fields can say, answered as JSON beside its schema. */
function JsonReply({ schema, part, name, onChange, describedBy, wrong }: JsonProps) {
  const words = formTexts();
  return (
    <>
      <p class="label">{words.asJson}</p>
      <details class="preview">
        <summary>{words.schema}</summary>
        <pre class="schema">{visible(JSON.stringify(schema, undefined, 2))}</pre>
      </details>
      <Lines
        code
        label={name}
        value={part.json}
        rows={6}
        suggested={!part.own}
        wrong={wrong}
        describedBy={describedBy}
        onWrite={(json) => onChange({ ...part, own: true, json })}
      />
    </>
  );
}
