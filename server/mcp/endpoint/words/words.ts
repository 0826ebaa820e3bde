import type { Language } from '#shared/texts/language.ts';
import { en } from './en.ts';
import type { Words } from './vocabulary.ts';
import { zh } from './zh.ts';
const WORDS: Record<Language, Words> = { en, zh };

export function wordsIn(language: Language): Words {
  return WORDS[language];
}
