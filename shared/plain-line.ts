// Code is left as it is: what looks like marks there is none.
const BOLD = /(`[^`]*`)|(\*{2,3}|__)(?=\S)(.*?\S)\2/g;

/** A line of markdown as it reads where nothing is set: without the marks of a heading and of bold words. */
export function plainLine(line: string): string {
  return line
    .replace(/^\s*#{1,6}\s+(.*?)(?:\s+#+)?\s*$/, '$1')
    .replace(BOLD, (whole, code?: string, _mark?: string, words = '') => (code === undefined ? String(words) : whole))
    .trim();
}
