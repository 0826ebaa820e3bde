import type { Language } from '#shared/text.ts';
import { isObject } from '../body.ts';

/** What a person reads of an interrupt's value: a text as it is, else its question with the whole value below. */
export function wordsOf(value: unknown, language: Language): string {
  if (typeof value === 'string' && value.trim() !== '') return value;
  const text = JSON.stringify(value, null, 2);
  // What a model wrote cannot end the block that shows it.
  const longest = Math.max(2, ...(text.match(/`+/g) ?? []).map(({ length }) => length));
  const fence = '`'.repeat(longest + 1);
  return `${leadOf(value, language)}\n\n${fence}json\n${text}\n${fence}`;
}

/** The question in an interrupt's value, or a line that says that there is one. */
export function leadOf(value: unknown, language: Language): string {
  const lead =
    typeof value === 'string' ? value : isObject(value) ? (value['question'] ?? value['message']) : undefined;
  return typeof lead === 'string' && lead.trim() !== '' ? lead : ASKS[language];
}

const ASKS = { en: 'The agent asks about this:', zh: '智能体就此提问：' };
