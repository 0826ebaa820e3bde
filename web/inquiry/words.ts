import { say } from '../ui/language.ts';
import { words as en, type Words } from './words/en.ts';
import { words as zh } from './words/zh.ts';

/** The dialog's words in the page's language. */
export function dialogWords(): Words {
  return say({ en, zh });
}
