import type { FormField } from './schema.ts';
import type { Raw } from './values.ts';

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
