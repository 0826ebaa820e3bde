import { visible } from '../visible.ts';

/** A piece of a name: words, or what a machine reads. Spaces stand in the pieces. */
export type NamePart = { text: string; code?: true };

export const say = (text: string): NamePart => ({ text });
export const code = (text: string): NamePart => ({ text, code: true });

/** The name as one line of text of at most `max` characters, in which nothing hides. */
export function plainName(parts: NamePart[], max: number): string {
  const shown = parts.map(({ text, code: exact }) => ({ text: visible(text, exact === true).replace(/\s+/gu, ' ') }));
  return cutName(shown, max)
    .map(({ text }) => text)
    .join('');
}

/** The name inside a sentence: what a machine reads between backticks. */
export function quotedName(parts: NamePart[], max: number): string {
  const marked = cutName(
    parts.map(({ text, code: exact }) => ({ text: visible(text, exact === true), ...(exact ? { code: exact } : {}) })),
    max,
  );
  return marked.map(({ text, code: exact }) => (exact && !text.includes('`') ? `\`${text}\`` : text)).join('');
}

/** The name with at most `max` characters; the longest piece is cut in its middle, so that its end is always read. */
export function cutName(parts: NamePart[], max: number): NamePart[] {
  let cut = parts;
  for (let round = 0; round <= parts.length && lengthOf(cut) > max; round++) {
    const longest = cut.reduce((a, b) => (b.text.length > a.text.length ? b : a));
    const room = Math.max(8, max - (lengthOf(cut) - longest.text.length));
    cut = cut.map((part) => (part === longest ? { ...part, text: cutMiddle(part.text, room) } : part));
  }
  return lengthOf(cut) <= max ? cut : [say(cutMiddle(cut.map(({ text }) => text).join(''), max))];
}

/** At most `max` characters, cut between words or folders where they are short enough. */
export function cutMiddle(text: string, max: number): string {
  if (text.length <= max) return text;
  const words = text.match(/[^\s/]*\/|[^\s/]+|\s+/g) ?? [];
  const room = max - 3;
  const head = taken(words, Math.ceil(room * 0.6));
  const tail = taken(words.toReversed(), room - head.length, true);
  if (head.trim() === '' || tail.trim() === '') {
    const end = Math.max(0, Math.floor((max - 1) * 0.4));
    const start = Math.max(0, max - 1 - end);
    return `${whole(text.slice(0, start))}…${end === 0 ? '' : whole(text.slice(-end))}`;
  }
  return head.endsWith('/') && !/^\s/.test(tail) ? `${head}…/${tail.trim()}` : `${head.trimEnd()} … ${tail.trim()}`;
}

function taken(words: string[], room: number, reversed = false): string {
  let text = '';
  for (const word of words) {
    if (text.length + word.length > room) break;
    text = reversed ? word + text : text + word;
  }
  return text;
}

// Half a surrogate pair would not be a text.
function whole(text: string): string {
  return text.replace(/^[\uDC00-\uDFFF]|[\uD800-\uDBFF]$/g, '');
}

function lengthOf(parts: NamePart[]): number {
  return parts.reduce((sum, { text }) => sum + text.length, 0);
}
