import { argsRaw, withPlace } from '../../calls/args/fields.ts';
import { fieldsIn, type Node, parsePlace, type Picked, readNodes } from '../../calls/args/nodes.ts';
import { makeBlank } from '../../calls/args/schemas.ts';
import { readExact, writeExact } from '../../calls/exact.ts';
import { fieldFaults } from './faults.ts';
import { at, isBlank } from './values.ts';

type Schema = Record<string, unknown>;

/** The JSON that a form's fields stand for: what was written, or what it begins as. */
export function nestedText(schema: Schema, json: string): string {
  return json.trim() === '' ? writeExact(makeBlank(schema, schema)) : json;
}

/** The places of a form whose members hold further ones; undefined where only JSON can say it all, `strict` also for a value that its field could not show. */
export function nestedNodes(schema: Schema, json: string, strict = false, picked?: Picked): Node[] | undefined {
  const value = readExact(nestedText(schema, json));
  const nodes = value && readNodes(schema, value, strict, picked);
  return nodes && nodes.length > 0 ? nodes : undefined;
}

/** All that its fields refuse of a nested form. */
export function nestedFaults(schema: Schema, json: string) {
  const fields = fieldsIn(nestedNodes(schema, json) ?? []);
  const raw = argsRaw(fields, nestedText(schema, json));
  return fields.flatMap((field) =>
    fieldFaults(field, at(raw, field.name)).map((fault) => ({ field: field.name, ...fault })),
  );
}

/** The JSON that fields wrote, without what stands blank in them and may be left out. */
export function withoutBlanks(schema: Schema, text: string): string {
  const fields = fieldsIn(nestedNodes(schema, text) ?? []).filter(({ required }) => !required);
  const raw = argsRaw(fields, text);
  const blank = fields.filter(({ name, kind }) => kind === 'string' && isBlank(at(raw, name) ?? ''));
  return blank.reduce((whole, { name }) => withPlace(whole, parsePlace(name), undefined), text);
}
