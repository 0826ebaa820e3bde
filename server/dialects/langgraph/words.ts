import type { Language } from '#shared/texts/language.ts';
import { blockOf, isObject } from '../body.ts';

/** What a person reads of an interrupt's value: a text as it is, else its question with the whole value below. */
export function wordsOf(value: unknown, language: Language): string {
  if (typeof value === 'string' && value.trim() !== '') return value;
  return `${leadOf(value, language)}\n\n${blockOf(value)}`;
}

/** The question in an interrupt's value, or a line that says that there is one. */
export function leadOf(value: unknown, language: Language): string {
  const lead =
    typeof value === 'string' ? value : isObject(value) ? (value['question'] ?? value['message']) : undefined;
  return typeof lead === 'string' && lead.trim() !== '' ? lead : ASKS[language];
}

const ASKS = { en: 'The agent asks about this:', zh: '代理就此提问：' };

const GENERATED = ['Tool execution requires approval', 'Tool execution pending approval'];

/** The description without what LangChain generates of the call itself, which the person sees anyway. */
export function describe(description: string | null | undefined, name: string): string | undefined {
  const [text = ''] = (description ?? '').split(`\n\nTool: ${name}\nArgs: `);
  return text.trim() === '' || GENERATED.includes(text) ? undefined : text;
}
