// The editor's parser compares the marks of a paragraph with each other; 5,000 take it 30 ms, 60,000 ten seconds.
const MARKS_MAX = 5000;
const MARK = /[[\]()*_~`!<^&]/g;
const PARAGRAPH = /\n(?=[ \t]*(?:\n|[-+*]\s|1[.)]\s|#{1,6}\s))/;
const DEEP = /^(?:[ \t]*(?:>|[-+*]|\d{1,9}[.)])){51}|^[ \t]{200}[ \t]*\S/m;

/** True for a markdown text that the rich editor would stop the page for: it is written in as plain lines. */
export function isCostly(markdown: string): boolean {
  const text = markdown.replace(/\r\n?/g, '\n');
  return DEEP.test(text) || text.split(PARAGRAPH).some((one) => (one.match(MARK)?.length ?? 0) > MARKS_MAX);
}
