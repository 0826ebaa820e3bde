import { type Called, look } from './destructive.ts';

const INTERPRETERS = '(?:(?:ba|z|da|k|fi)?sh|python[\\d.]{0,9}|perl|ruby|node|php|pwsh|powershell)';
/** What runs a text that does not stand in the line: read from a pipe, decoded, or put together by the shell. */
const HIDES = [
  `\\|\\s{0,9}(?:sudo )?(?:[\\w./-]{0,200}/)?${INTERPRETERS}\\s*(?:$|[;&|)\\n]|-s\\b|-(?:\\s|$))`,
  `\\b${INTERPRETERS}\\s+<(?!<)|(?:^|[\\s;&|(])(?:source|\\.)\\s+<\\(|\\beval\\b|\\bexec\\(`,
  `\\bbase(?:64|32)\\s[^;&|\\n]{0,300}?(?<=\\s)(?:-\\w*d|--decode)|\\bxxd\\s+-\\w*r|\\bopenssl\\s[^;&|\\n]{0,300}?\\s-d\\b`,
  `\\s-enc(?:odedcommand)?\\s|\\bfrom(?:base64string|charcode)\\b|\\bb64decode\\b|\\batob\\(`,
  `(?:^|[;&|(\\n]) ?(?:sudo )?\\$`,
].map((pattern) => new RegExp(pattern, 'i'));

/**
 * Whether a call destroys something, or may where that cannot be told: a line that is encoded, put together or piped into
 * an interpreter, more than 16 KiB, or arguments more than 6 levels deep. Scripts are not read. It never throws.
 */
export function mayDestroy(call: Called): boolean {
  const { destroys, lines, isWhole } = look(call);
  return destroys || !isWhole || HIDES.some((pattern) => pattern.test(lines));
}
