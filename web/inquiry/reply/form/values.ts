import { type FormField, isObject, toText } from './schema.ts';

/** What stands in each field: the text as typed, yes or no, or the places of the chosen options. */
export type Raw = Record<string, string | boolean | number[]>;

/** The state of the fields for a value of the form; unless it is `whole`, fields without one begin with the schema's default. */
export function toRaw(fields: FormField[], value: unknown, whole = false): Raw {
  const given = isObject(value) ? value : {};
  const raw: [string, Raw[string]][] = [];
  for (const field of fields) {
    const initial = Object.hasOwn(given, field.name) ? given[field.name] : whole ? undefined : field.initial;
    const state = initial === undefined || initial === null ? undefined : toState(field, initial);
    if (state !== undefined) raw.push([field.name, state]);
  }
  return Object.fromEntries(raw);
}

function toState(field: FormField, initial: unknown): Raw[string] | undefined {
  if (field.kind === 'boolean') return typeof initial === 'boolean' ? initial : undefined;
  if (field.kind !== 'choice' && field.kind !== 'multi') return toText(initial);
  const chosen: unknown[] = field.kind === 'multi' && Array.isArray(initial) ? initial : [initial];
  return chosen.map((one) => field.options.findIndex((option) => option.value === one)).filter((at) => at >= 0);
}

/** The values of the fields; blank ones are absent. `unfinished` keeps a number that is none yet as its text. */
export function toValues(fields: FormField[], raw: Raw, unfinished: boolean): Record<string, unknown> {
  return Object.fromEntries(
    fields.flatMap((field) => {
      const value = toValue(field, at(raw, field.name), unfinished);
      return value === undefined ? [] : [[field.name, value]];
    }),
  );
}

/** What stands in one field. */
export function at(raw: Raw, name: string): Raw[string] | undefined {
  return Object.hasOwn(raw, name) ? raw[name] : undefined;
}

/** True where the same stands in two fields. */
export function isSame(one: Raw[string] | undefined, other: Raw[string] | undefined): boolean {
  return one === other || JSON.stringify(one) === JSON.stringify(other);
}

/** True where nothing was written or chosen. */
export function isBlank(state: Raw[string] | undefined): boolean {
  return state === undefined || state === '' || (Array.isArray(state) && state.length === 0);
}

function toValue(field: FormField, state: Raw[string] | undefined, unfinished: boolean): unknown {
  if (isBlank(state)) {
    if (unfinished || !field.required) return undefined;
    // None of several is an answer, too; so is nothing where null is asked for.
    return field.kind === 'multi' && !field.minItems ? [] : field.nullable ? null : undefined;
  }
  switch (field.kind) {
    case 'boolean':
      return typeof state === 'boolean' ? state : undefined;
    case 'choice':
      return Array.isArray(state) ? field.options[state[0] ?? -1]?.value : undefined;
    case 'multi':
      return Array.isArray(state)
        ? state.toSorted((a, b) => a - b).map((place) => field.options[place]?.value)
        : undefined;
    case 'number':
    case 'integer': {
      const number = parseNumber(String(state));
      // A draft keeps it as it was typed.
      return unfinished && String(number) !== state ? state : number;
    }
    case 'string':
      return field.format === 'date-time' && !unfinished
        ? toInstant(String(state))
        : field.format === 'uri' && !unfinished
          ? asciiUri(String(state))
          : state;
  }
}

/** The number somebody wrote, a decimal comma included; undefined for anything that could mean two. */
export function parseNumber(text: string): number | undefined {
  const plain = /^\s*[-+]?\d*,(?:\d{1,2}|\d{4,})\s*$/.test(text) ? text.replace(',', '.') : text;
  const number = plain.trim() === '' ? NaN : Number(plain);
  return Number.isFinite(number) ? number : undefined;
}

/** A web address as schemas want it (RFC 3986): in ASCII, left as it was written where it is that already. */
export function asciiUri(text: string): string {
  const trimmed = text.trim();
  if (isUri(trimmed) || !URL.canParse(trimmed)) return trimmed;
  const { href, host } = new URL(trimmed);
  const end = href.indexOf(host) + host.length;
  return (
    href.slice(0, end) + href.slice(end).replace(/[^\w\-.~:/?#@!$&'()*+,;=%]|%(?![\da-f]{2})/gi, encodeURIComponent)
  );
}

/** True for an absolute address in the characters of RFC 3986. */
export function isUri(text: string): boolean {
  return (
    /^[a-z][a-z\d+.-]*:(?:\/\/(?:[\w\-.~!$&'()*+,;=%:]*@)?(?:\[[\da-f:.]+\]|[\w\-.~!$&'()*+,;=%]*)(?::\d*)?(?=[/?#]|$))?(?:[\w\-.~:/@!$&'()*+,;=%]|[?])*(?:#[\w\-.~:/?@!$&'()*+,;=%]*)?$/i.test(
      text,
    ) &&
    !/%(?![\da-f]{2})/i.test(text) &&
    URL.canParse(text)
  );
}

/** What stands in the fields, as plain words in their order. */
export function formWords(fields: FormField[], raw: Raw): string {
  const words = fields.map((field) => {
    const state = at(raw, field.name);
    if (state === undefined || state === '') return '';
    if (field.kind === 'boolean') return state === true ? field.label : '';
    if (!Array.isArray(state)) return toText(state);
    return 'options' in field ? state.map((place) => field.options[place]?.label ?? '').join(', ') : '';
  });
  return words.filter((word) => word !== '').join(', ');
}

const ZONED = /(?:Z|[+-]\d\d:?\d\d)$/i;

/** RFC 3339 of what a field for date and time holds; an instant that was given with its zone stays as it was given. */
function toInstant(text: string): string {
  if (ZONED.test(text)) return text;
  const at = new Date(text);
  return Number.isNaN(at.getTime()) ? text : at.toISOString();
}

/** The same as the field shows it, in the device's own time ("2026-11-21T14:17"). */
export function toLocal(text: string): string {
  if (!ZONED.test(text)) return text;
  const at = new Date(text);
  if (Number.isNaN(at.getTime())) return '';
  const local = new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString().slice(0, -1);
  return local.replace(/:00\.000$|\.000$/, '');
}

/** True for a day of the calendar, "2026-02-28". */
export function isDay(text: string): boolean {
  if (!/^\d{4}-\d\d-\d\d$/.test(text)) return false;
  const at = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(at.getTime()) && at.toISOString().startsWith(text);
}

/** True for an instant, or for a day and time without a zone. */
export function isMoment(text: string): boolean {
  const [day = '', time = ''] = text.split(/[T ]/i);
  return (
    isDay(day) &&
    /^([01]\d|2[0-3]):[0-5]\d(:[0-5]\d(\.\d+)?)?(Z|[+-]\d\d:\d\d)?$/i.test(time) &&
    !Number.isNaN(Date.parse(text))
  );
}

/** What stands in the answer's place of one question; `own` once the person has touched it. */
export type Part = { own: boolean } & (
  | { type: 'text'; text: string }
  | { type: 'choice' | 'multi'; picks: string[]; otherOn: boolean; other: string }
  | { type: 'form'; raw: Raw; json: string }
);

export type PartOf<T extends Part['type']> = Extract<Part, { type: T }>;
