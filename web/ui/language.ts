import { effect, signal } from '@preact/signals';

export type Language = 'en' | 'zh';

const SAVED_AS = 'beckon.language';

/** The language of the page's own words; what agents wrote stays as it is. */
export const language = signal<Language>(firstLanguage());

/** Picks the words of the page's language; reading it inside a component follows later changes. */
export function say<T>(words: { en: T; zh: T }): T {
  return words[language.value];
}

/** Changes the language and remembers it on this device. */
export function speak(chosen: Language): void {
  language.value = chosen;
  try {
    localStorage.setItem(SAVED_AS, chosen);
  } catch {
    // Storage may be forbidden; the choice then lasts until the page closes.
  }
}

if (typeof document !== 'undefined') {
  effect(() => {
    document.documentElement.lang = language.value;
  });
}

function firstLanguage(): Language {
  if (typeof navigator === 'undefined') return 'en';
  try {
    const saved = globalThis.localStorage?.getItem(SAVED_AS);
    if (saved === 'en' || saved === 'zh') return saved;
  } catch {
    // As above.
  }
  const preferred = navigator.languages?.find((tag) => /^(en|zh)\b/i.test(tag)) ?? '';
  return /^zh\b/i.test(preferred) ? 'zh' : 'en';
}
