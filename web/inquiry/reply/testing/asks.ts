import fc from 'fast-check';
import type { Action, Asked, Question } from '#shared/inquiry.ts';

// Ids that a plain object finds something for, and those a pointer has to escape.
const ids = fc.constantFrom('day', 'constructor', 'toString', 'a/b~c', '日', ' ', 'valueOf');
const names = fc.oneof(ids, fc.constant('__proto__'));
const words = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 12 });
const prompt = words.map((text) => `Which? ${text}`);
const flag = fc.boolean();
const maybe = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined });

/** Leaves out members that are undefined, as JSON does. */
export function compact<T extends object>(value: T): T {
  return Object.fromEntries(Object.entries(value).filter(([, one]) => one !== undefined)) as T;
}

const options = fc
  .uniqueArray(words, { minLength: 1, maxLength: 6 })
  .map((values) => values.map((value) => ({ value, label: `The ${value}` })));

const choice = fc
  .record({ type: fc.constant('choice' as const), prompt, options, allowOther: maybe(flag), required: maybe(flag) })
  .map(compact);

const multi = fc
  .record({
    type: fc.constant('multi' as const),
    prompt,
    options,
    allowOther: maybe(flag),
    required: maybe(flag),
    min: maybe(fc.nat(2)),
    span: maybe(fc.nat(3)),
  })
  .map(({ min, span, ...question }) => {
    const most = question.options.length + (question.allowOther ? 1 : 0);
    const least = min === undefined ? undefined : Math.min(min, most);
    const max = span === undefined ? undefined : Math.max(1, least ?? 1, Math.min(most, (least ?? 0) + span));
    return compact({ ...question, min: least, max });
  });

const text = fc
  .record({
    type: fc.constant('text' as const),
    prompt,
    multiline: maybe(flag),
    secret: maybe(flag),
    required: maybe(flag),
  })
  .map(compact);

const numbers = fc
  .record({
    type: fc.constantFrom('number', 'integer'),
    minimum: maybe(fc.integer({ min: -50, max: 50 })),
    span: maybe(fc.integer({ min: 4, max: 500 })),
    exclusiveMinimum: maybe(fc.constantFrom(-60, 0.5)),
    multipleOf: maybe(fc.constantFrom(1, 2, 5)),
    default: maybe(fc.constantFrom(0, 10, 'ten')),
  })
  .map(({ span, ...field }) =>
    compact({ ...field, maximum: span === undefined ? undefined : (field.minimum ?? 0) + span }),
  );

const strings = fc
  .record({
    type: fc.constant('string'),
    format: maybe(fc.constantFrom('email', 'uri', 'date', 'date-time')),
    minLength: maybe(fc.nat(3)),
    maxLength: maybe(fc.integer({ min: 3, max: 40 })),
    pattern: maybe(fc.constantFrom('^[a-z]', '.', '\\d$')),
    default: maybe(fc.constantFrom('x', '2026-02-28', '2026-02-28T10:00:30+02:00')),
  })
  .map(compact);

const picks = fc
  .uniqueArray(fc.oneof(words, fc.integer(), flag), { minLength: 1, maxLength: 9 })
  .chain((values) =>
    fc.constantFrom<object>(
      { enum: values, default: values[0] },
      { oneOf: values.map((value) => ({ const: value, title: `The ${String(value)}` })) },
      { anyOf: values.map((value) => ({ const: value })) },
      { type: 'array', items: { enum: values }, minItems: 1, maxItems: Math.max(1, values.length - 1) },
      { type: 'array', uniqueItems: true, items: { anyOf: values.map((value) => ({ const: value })) } },
    ),
  );
const plainField = fc.oneof(numbers, strings, picks, fc.record({ type: fc.constant('boolean') }));
const field = fc.oneof(
  { weight: 6, arbitrary: plainField },
  { weight: 1, arbitrary: plainField.map((one) => ({ anyOf: [one, { type: 'null' }], title: 'Or nothing' })) },
);
const flat = fc
  .uniqueArray(names, { minLength: 1, maxLength: 5 })
  .chain((all) =>
    fc.tuple(fc.constant(all), fc.array(field, { minLength: all.length, maxLength: all.length }), fc.subarray(all)),
  )
  .map(([all, fields, required]) => ({
    type: 'object',
    properties: Object.fromEntries(all.map((name, at) => [name, fields[at]])),
    required,
  }));
const nested = fc.constant({
  type: 'object',
  properties: { stops: { type: 'array', items: { type: 'object' } } },
  required: ['stops'],
});
const form = fc
  .record({
    type: fc.constant('form' as const),
    prompt,
    schema: fc.oneof({ weight: 5, arbitrary: flat }, { weight: 1, arbitrary: nested }),
    required: maybe(flag),
  })
  .map(compact);

/** One to six questions of every type and with every limit that can be met. */
export const questions = fc
  .uniqueArray(ids, { minLength: 1, maxLength: 6 })
  .chain((all) =>
    fc.tuple(...all.map((id) => fc.oneof(choice, multi, text, form).map((one) => ({ id, ...one }) as Question))),
  );

const action = fc
  .record({
    name: fc.constant('refund'),
    args: fc.jsonValue(),
    allowed: fc.subarray(['approve', 'edit', 'reject', 'respond'] as const, { minLength: 1 }),
    own: flag,
  })
  .map(({ own, ...rest }): Action => {
    if (!own) return rest as Action;
    const types = (['approve', 'reject'] as const).filter((type) => rest.allowed.includes(type));
    const buttons = types.flatMap((type) => [1, 2].map((n) => ({ id: `${type}${n}`, label: `${type} ${n}`, type })));
    return (buttons.length > 0 ? { ...rest, options: buttons } : rest) as Action;
  });

/** Asks of every kind. */
export const asks: fc.Arbitrary<Asked> = fc.oneof(
  { weight: 8, arbitrary: questions.map((list): Asked => ({ questions: list })) },
  { weight: 1, arbitrary: prompt.map((one): Asked => ({ prompt: one })) },
  { weight: 1, arbitrary: fc.string().map((markdown): Asked => ({ document: { markdown } })) },
  { weight: 1, arbitrary: fc.constant<Asked>({ link: { url: 'https://example.com', completes: 'self' } }) },
  { weight: 2, arbitrary: fc.array(action, { minLength: 1, maxLength: 4 }).map((actions): Asked => ({ actions })) },
);
