import { say } from '../../../ui/language.ts';
import { spaced } from '../../../ui/sentence/spaced.ts';
import type { Words } from '../../en.ts';
import type { FormField, Limits } from './schema.ts';

const characters = (count: number) => (count === 1 ? 'character' : 'characters');

const en = {
  yes: 'Yes',
  no: 'No',
  chooseOne: 'Choose one',
  fewer: 'One fewer',
  moreOf: 'One more',
  asJson: 'This form is answered as JSON.',
  answerAsJson: 'Answer as JSON',
  schema: 'What it has to fit',
  range: (min: number | undefined, max: number | undefined) =>
    min !== undefined && max !== undefined
      ? `Any number from ${min} to ${max}.`
      : min !== undefined
        ? `${min} or more.`
        : `${max} or less.`,
  above: (than: number) => `More than ${than}.`,
  below: (than: number) => `Less than ${than}.`,
  step: (step: number) => `In steps of ${step}.`,
  whole: 'A whole number.',
  zone: (zone: string) => `In the time of ${zone.replace('_', ' ')}.`,
  written: (format: string) => `Written as ${format}.`,
  bringBack: (suggested: string) => `Bring back ${suggested}`,
  length: (min: number | undefined, max: number | undefined) =>
    min && max !== undefined
      ? `${min} to ${max} characters.`
      : min
        ? `At least ${min} ${characters(min)}.`
        : `At most ${max} ${characters(max ?? 0)}.`,
  email: 'An e-mail address.',
  uri: 'A whole web address, with https://.',
  pattern: (pattern: string) => `Has to fit the pattern ${pattern}.`,
  add: (what: string) => `Add ${what}`,
  addTo: (list: string) => `Add a line: ${list}`,
  remove: (what: string) => `Remove ${what}`,
  removeIt: 'Remove',
  addIt: 'Add a line',
  removeLine: (place: number) => `Remove line ${place}`,
};

const zh: typeof en = {
  yes: '是',
  no: '否',
  chooseOne: '选一个',
  fewer: '少一个',
  moreOf: '多一个',
  asJson: '这张表单用 JSON 作答。',
  answerAsJson: '用 JSON 作答',
  schema: '要符合的格式',
  range: (min, max) =>
    min !== undefined && max !== undefined
      ? `${min} 到 ${max} 之间的数。`
      : min !== undefined
        ? `不小于 ${min}。`
        : `不大于 ${max}。`,
  above: (than) => `大于 ${than}。`,
  below: (than) => `小于 ${than}。`,
  step: (step) => `每次加减 ${step}。`,
  whole: '一个整数。',
  zone: (zone) => `按 ${zone.replace('_', ' ')} 的时间。`,
  written: (format) => `写成 ${format} 的格式。`,
  bringBack: (suggested) => `恢复${spaced(suggested)}`,
  length: (min, max) =>
    min && max !== undefined ? `${min} 到 ${max} 个字。` : min ? `至少 ${min} 个字。` : `至多 ${max} 个字。`,
  email: '一个电子邮箱地址。',
  uri: '完整的网址，以 https:// 开头。',
  pattern: (pattern) => `要符合格式 ${pattern}。`,
  add: (what) => `添加 ${what}`,
  addTo: (list) => `添加一行：${list}`,
  remove: (what) => `移除 ${what}`,
  removeIt: '移除',
  addIt: '添加一行',
  removeLine: (place) => `删除第 ${place} 行`,
};

/** The words of a form's fields in the page's language. */
export function formTexts() {
  return say({ en, zh });
}

/** All limits of a field in whole sentences, said before anything is sent. */
export function sayLimits(field: FormField, words: Words): string {
  switch (field.kind) {
    case 'number':
    case 'integer':
      return numberLimits(field).join(' ');
    case 'multi':
      return words.pickBetween(field.minItems ?? 0, field.maxItems);
    case 'string':
      return stringLimits(field).join(' ');
    default:
      return '';
  }
}

function numberLimits(field: Limits & { kind: 'number' | 'integer' }): string[] {
  const form = formTexts();
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf } = field;
  const range = minimum !== undefined || maximum !== undefined;
  return [
    ...(range ? [form.range(minimum, maximum)] : []),
    ...(exclusiveMinimum === undefined ? [] : [form.above(exclusiveMinimum)]),
    ...(exclusiveMaximum === undefined ? [] : [form.below(exclusiveMaximum)]),
    ...(field.kind === 'integer' && !(range && multipleOf) && !isCounted(field) ? [form.whole] : []),
    ...(multipleOf === undefined || multipleOf === 1 ? [] : [form.step(multipleOf)]),
  ];
}

function stringLimits(field: Extract<FormField, { kind: 'string' }>): string[] {
  const form = formTexts();
  return [
    ...(field.format === 'email' ? [form.email] : []),
    ...(field.format === 'uri' ? [form.uri] : []),
    ...(field.format === 'date-time' ? [form.zone(Intl.DateTimeFormat().resolvedOptions().timeZone)] : []),
    ...(field.written ? [form.written(field.written)] : []),
    ...(field.minLength || field.maxLength !== undefined ? [form.length(field.minLength, field.maxLength)] : []),
    ...(field.pattern ? [form.pattern(field.pattern)] : []),
  ];
}

/** True for a whole number that is counted up and down in few steps. */
export function isCounted(field: Limits & { kind: 'number' | 'integer' }): boolean {
  const { minimum, maximum, multipleOf = 1 } = field;
  return (
    field.kind === 'integer' && minimum !== undefined && maximum !== undefined && maximum - minimum <= 20 * multipleOf
  );
}

/** The stops of a slider: whole ones, those of the schema, or about a hundred round ones; undefined where no slider fits. */
export function readSlider(field: Limits & { kind: 'number' | 'integer' }) {
  const { minimum, maximum, multipleOf, kind } = field;
  if (minimum === undefined || maximum === undefined || !(maximum > minimum)) return undefined;
  if (field.exclusiveMaximum !== undefined || field.exclusiveMinimum !== undefined) return undefined;
  const hundredth = 10 ** Math.floor(Math.log10((maximum - minimum) / 50));
  const step = multipleOf ?? (kind === 'integer' ? Math.max(1, hundredth) : hundredth);
  const min = multipleOf ? Math.ceil(minimum / multipleOf) * multipleOf : minimum;
  return { min, max: maximum, step };
}
