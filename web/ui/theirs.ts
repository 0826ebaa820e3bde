/** Plain text, or the name of a character that would be invisible and turn text around. */
export type Piece = string | { hidden: string };

const TURNS = /((?![\n\t\r])[\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069\u{E0000}-\u{E007F}\p{Cc}])/u;

/** Splits text so that bidirectional, tag and other control characters can be shown by name. */
export function pieces(text: string): Piece[] {
  return text
    .split(TURNS)
    .map((part, index) => (index % 2 === 1 ? { hidden: nameOf(part) } : part))
    .filter((part) => part !== '');
}

/** The same as one string, for places that take only text. */
export function visible(text: string): string {
  return pieces(text)
    .map((piece) => (typeof piece === 'string' ? piece : `[${piece.hidden}]`))
    .join('');
}

function nameOf(character: string): string {
  return `U+${character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}`;
}

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
