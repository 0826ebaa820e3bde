// Code is left as it is: what looks like marks there is none.
const BOLD = /(`[^`]*`)|(\*{2,3}|__)(?=\S)(.*?\S)\2/g;
// Each mark without a partner is sought to the end of the line, so that 64 KiB would take ten seconds.
const READ_MAX = 1000;

/** A line of markdown as it reads where nothing is set: without the marks of a heading and of bold words in its first 1,000 letters. */
export function plainLine(line: string): string {
  const read = line
    .slice(0, READ_MAX)
    .replace(/^\s*#{1,6}\s+(.*?)(?:\s+#+)?\s*$/, '$1')
    .replace(BOLD, (whole, code?: string, _mark?: string, words = '') => (code === undefined ? String(words) : whole));
  return (read + line.slice(READ_MAX)).trim();
}

const FENCE = /^\s*(`{3,}|~{3,})/;
const BELOW_HEAD = /^[\s|:-]*-[\s|:-]*$/;

/** The lines of a markdown text that stand in no block of code and no table. */
export function wordLines(markdown: string): string[] {
  const lines = markdown.split(/\r?\n/);
  let fence = '';
  let inTable = false;
  return lines.filter((line, at) => {
    const [, mark = ''] = FENCE.exec(line) ?? [];
    if (fence !== '') {
      if (mark.startsWith(fence)) fence = '';
      return false;
    }
    fence = mark;
    inTable = line.includes('|') && (inTable || BELOW_HEAD.test(lines[at + 1] ?? ''));
    return mark === '' && !inTable;
  });
}
