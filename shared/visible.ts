/** Plain text, or the name of a character that would be invisible, or turn text around. */
export type Piece = string | { hidden: string };

// What Unicode lets a font leave out (default ignorable), the blank Braille cell and controls; not what picks a glyph's form.
const HIDDEN = /((?![\n\t\r\p{VS}])[\p{DI}\u2800\p{Cc}])/u;

/**
 * Splits text so that characters that cannot be seen can be shown by name. In prose the joiners stay that
 * emoji are made of and that scripts such as Persian are written with; `exact` text, such as names, code
 * and arguments, shows them too.
 */
export function pieces(text: string, exact = false): Piece[] {
  const parts = text.split(HIDDEN);
  const found: Piece[] = [];
  for (const [index, part] of parts.entries()) {
    const hides = index % 2 === 1 && (exact || !joins(part, parts[index - 1] ?? '', parts[index + 1] ?? ''));
    const before = found.at(-1);
    if (hides) found.push({ hidden: `U+${part.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}` });
    else if (typeof before === 'string') found[found.length - 1] = before + part;
    else if (part !== '') found.push(part);
  }
  return found;
}

/** The same as one string, for places that take only text. */
export function visible(text: string, exact = false): string {
  return pieces(text, exact)
    .map((piece) => (typeof piece === 'string' ? piece : `[${piece.hidden}]`))
    .join('');
}

/** The text without what cannot be seen, for drawings too small to name it. */
export function seen(text: string): string {
  return pieces(text)
    .filter((piece) => typeof piece === 'string')
    .join('');
}

/** Whether nothing of a text can be seen. */
export function isBlank(text: string): boolean {
  return !/[^\s\p{DI}\u2800\p{Cc}]/u.test(text);
}

const EMOJI_END = /[\p{Extended_Pictographic}\p{Emoji_Modifier}\uFE0F]$/u;
const EMOJI_START = /^\p{Extended_Pictographic}/u;
const LETTER = '(?![\\p{Script=Latin}\\p{Script=Greek}\\p{Script=Cyrillic}\\p{Script=Han}])[\\p{L}\\p{M}]';
const LETTER_END = new RegExp(`${LETTER}$`, 'u');
const LETTER_START = new RegExp(`^${LETTER}`, 'u');

function joins(joiner: string, before: string, after: string): boolean {
  if (joiner === '\u200D' && EMOJI_END.test(before) && EMOJI_START.test(after)) return true;
  return /[\u200C\u200D]/.test(joiner) && LETTER_END.test(before) && LETTER_START.test(after);
}
