const HAN = /\p{Script=Han}/u;

/** True when the text is Chinese for the purpose of fonts and line breaks. */
export function isHan(text: string): boolean {
  return HAN.test(text);
}

/** The words of a Chinese text, punctuation kept with the word before it; other text stays whole. */
export function breakable(text: string): string[] {
  if (!HAN.test(text) || !('Segmenter' in Intl)) return [text];
  const words: string[] = [];
  for (const { segment } of new Intl.Segmenter('zh', { granularity: 'word' }).segment(text)) {
    if (/^[\p{P}\s]+$/u.test(segment) && words.length > 0) words.push(words.pop() + segment);
    else words.push(segment);
  }
  return words;
}
