import { signal } from '@preact/signals';
import { language } from '../ui/language.ts';
import { type Words, words as en } from './en.ts';

const zh = signal<Words | undefined>(undefined);

/** The dialog's words in the page's language; English until the Chinese ones have come. */
export function dialogWords(): Words {
  if (language.value !== 'zh') return en;
  if (!zh.value) void fetchWords();
  return zh.value ?? en;
}

/** Fetches the words that the page's language needs; resolves also when they cannot be had. */
export async function fetchWords(): Promise<void> {
  if (language.peek() !== 'zh' || zh.peek()) return;
  zh.value = await import('./zh.ts').then(
    ({ words }) => words,
    () => undefined,
  );
}
