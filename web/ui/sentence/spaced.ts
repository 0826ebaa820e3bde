/** A text between Chinese characters: a space stands between them and Latin or figures, none between two words. */
export function spaced(text: string): string {
  const latin = /[\p{Script=Latin}\d]/u;
  return `${latin.test(text.at(0) ?? '') ? ' ' : ''}${text}${latin.test(text.at(-1) ?? '') ? ' ' : ''}`;
}
