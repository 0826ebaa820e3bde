export type Language = 'en' | 'zh';

/** The language an inquiry's texts are written in: the run's, else its source's, else English. */
export function chooseLanguage(tag: string | undefined, sourceLocale: string | null | undefined): Language {
  const chosen = tag ?? sourceLocale ?? 'en';
  return /^zh\b/i.test(chosen) ? 'zh' : 'en';
}
