const LINES = 40;
const CHARACTERS = 4000;

/** The part of a long text that is shown at first, and how many lines and characters that leaves; a little over is shown whole. */
export function fold(text: string): { head: string; lines: number; characters: number } {
  const byLines = text.split('\n', LINES).join('\n').length;
  const end = evenEnd(text, Math.min(byLines, CHARACTERS));
  const rest = text.slice(end);
  const lines = rest.split('\n').length - 1;
  if (lines < 10 && rest.length < 1000) return { head: text, lines: 0, characters: 0 };
  return { head: text.slice(0, end), lines, characters: rest.length };
}

// Not between the halves of a character.
function evenEnd(text: string, end: number): number {
  return /[\uD800-\uDBFF]/.test(text.charAt(end - 1)) ? end - 1 : end;
}
