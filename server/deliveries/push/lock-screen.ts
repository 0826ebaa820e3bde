export type Privacy = 'full' | 'title' | 'source' | 'nothing';

const STRICTNESS: Privacy[] = ['full', 'title', 'source', 'nothing'];

/** The stricter of what a sender and a person allow on a lock screen (PRV1). */
export function stricter(sender: Privacy, person: Privacy): Privacy {
  return STRICTNESS.indexOf(sender) > STRICTNESS.indexOf(person) ? sender : person;
}

/** Characters that are not seen and turn text around: bidirectional marks, tags and other control characters. */
const HIDDEN = /[\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069\u{E0000}-\u{E007F}\p{Cc}]/gu;

/** The text with the name of every hidden character in its place; line ends and tabs stay. */
export function visible(text: string): string {
  return text.replace(HIDDEN, (character) =>
    /[\n\t]/.test(character)
      ? character
      : `[U+${character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}]`,
  );
}

/** At most so many characters, with an ellipsis where something is missing. */
export function cut(text: string, longest: number): string {
  const characters = [...text];
  return characters.length <= longest
    ? text
    : `${characters
        .slice(0, longest - 1)
        .join('')
        .trimEnd()}…`;
}
