import type { Part, PartOf } from '../part.ts';
import { JsonReply } from './JsonReply.tsx';
import { FormFields } from './FormFields.tsx';
import { formOf } from './schema.ts';

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
  const fields = formOf(schema);
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
