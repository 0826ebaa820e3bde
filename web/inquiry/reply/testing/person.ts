import fc from 'fast-check';
import type { Inquiry, Question } from '#shared/inquiry.ts';
import { decide } from '../../calls/deciding.ts';
import type { Part, Raw } from '../form/values.ts';
import { type FormField, readForm } from '../form/schema.ts';
import { pickOption, pickOther, pickPlace, writeOther } from '../picking.ts';
import { findPart, type Reply } from '../state.ts';

/** Where a person's whims come from. */
export type Whim = fc.GeneratorValue;

const WRITTEN = [
  '',
  ' ',
  'Wren',
  '是的',
  'mara@example.com',
  'https://例え.jp/路 径|x',
  'https://example.com',
  '2026-02-28',
  '2026-02-31',
];
const MOMENTS = ['2026-02-28T14:17', '2026-02-28T14:17:05', '2026-02-28T10:00:30+02:00', '12345-01-01T00:00', ''];
const NUMBERS = ['', '3', '-7', '12', '2,5', '2.5', '1,000', '0x1f', 'ten', '1e3', '9007199254740993'];
const TEXTS = fc.oneof(fc.constantFrom(...WRITTEN), fc.string({ unit: 'grapheme', maxLength: 20 }));

/** A reply after somebody pressed and wrote this and that on the page, by the page's own steps. */
export function whimsical(inquiry: Inquiry, before: Reply, whim: Whim): Reply {
  let reply: Reply = { ...before, own: true };
  if (!inquiry.questions && !inquiry.actions) {
    const text = whim(() => TEXTS);
    return { ...reply, text, markdown: whim(fc.boolean) ? text : reply.markdown };
  }
  for (const question of inquiry.questions ?? []) {
    for (let presses = whim(fc.nat, { max: 5 }); presses > 0; presses--) {
      const part = findPart(reply, question.id);
      if (part) reply = { ...reply, parts: withOwn(reply.parts, question.id, touched(question, part, whim)) };
    }
  }
  (inquiry.actions ?? []).forEach((action, at) => {
    const type = whim(() => fc.constantFrom(...action.allowed));
    const fitting = (action.options ?? []).filter((option) => option.type === type);
    const option = fitting.length > 0 ? whim(() => fc.constantFrom(...fitting)) : undefined;
    const message = whim(() => TEXTS);
    const argsText = whim(() => fc.constantFrom('{"n":1}', '[9007199254740993]', '{"n":'));
    reply = decide(reply, at, { type, ...(option ? { optionId: option.id } : {}) }, { message, argsText });
  });
  return reply;
}

function withOwn(parts: Reply['parts'], id: string, part: Part): Reply['parts'] {
  return Object.fromEntries([...Object.entries(parts).filter(([other]) => other !== id), [id, part]]);
}

function touched(question: Question, part: Part, whim: Whim): Part {
  if (part.type === 'text') return { ...part, own: true, text: whim(() => TEXTS) };
  if (part.type === 'form' && question.type === 'form') return touchedForm(question.schema, part, whim);
  if (part.type !== 'choice' && part.type !== 'multi') return part;
  const press = whim(fc.nat, { max: 9 });
  if (part.otherOn && press % 2 === 0)
    return writeOther(
      part,
      whim(() => TEXTS),
    );
  if (question.type !== 'choice' && question.type !== 'multi') return part;
  if (press === 9 && question.allowOther) return pickOther(part);
  const option = question.options[press % question.options.length];
  return press > 5 || !option ? (pickPlace(question, part, press) ?? part) : pickOption(part, option.value);
}

function touchedForm(schema: Record<string, unknown>, part: Extract<Part, { type: 'form' }>, whim: Whim): Part {
  const fields = readForm(schema);
  if (!fields)
    return { ...part, own: true, json: whim(() => fc.constantFrom('', '{', '[]', '{"stops":[]}', '{"stops":[{}]}')) };
  let { raw } = part;
  for (const field of fields) {
    if (whim(fc.nat, { max: 3 }) === 0) continue;
    const rest = Object.entries(raw).filter(([name]) => name !== field.name);
    const state = stateOf(field, whim);
    raw = Object.fromEntries(state === undefined ? rest : [...rest, [field.name, state]]);
  }
  return { ...part, own: true, raw };
}

function stateOf(field: FormField, whim: Whim): Raw[string] | undefined {
  switch (field.kind) {
    case 'boolean':
      return whim(() => fc.constantFrom(true, false, undefined));
    case 'choice':
      return whim(() => fc.constantFrom([0], [field.options.length - 1], undefined));
    case 'multi':
      return whim(() => fc.subarray(field.options.map((_, at) => at)));
    case 'number':
    case 'integer':
      return whim(() => fc.oneof(fc.constantFrom(...NUMBERS), fc.integer({ min: -60, max: 600 }).map(String)));
    case 'string':
      return whim(() => (field.format === 'date-time' ? fc.constantFrom(...MOMENTS) : TEXTS));
  }
}
