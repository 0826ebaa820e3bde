import type { Inquiry, Question } from '#shared/inquiry.ts';
import { plainLine, wordLines } from '#shared/plain-line.ts';

/** What stands as the question in large letters, and the markdown below it. */
export type Headline = { ask: string; prose: string };

const LONG = 90;
const HEADING_MAX = 300;

/** The question of an inquiry and what is told about it; nothing is said twice and nothing is left out. */
export function readHeadline(inquiry: Inquiry): Headline {
  const { title, prompt = '', questions, actions } = inquiry;
  const only = questions?.length === 1 ? questions[0] : undefined;
  const parts = [prompt, only?.prompt ?? '', actions?.length === 1 ? (actions[0]?.description ?? '') : ''];
  // The hub takes the first line for a title where the sender gave none.
  const said = plainLine(title);
  const isSaid = parts.map((part) => said !== '' && saidFirst(part) === said);
  if (isSaid.includes(true))
    return { ask: said, prose: joined(parts.map((part, at) => (isSaid[at] ? withoutFirstLine(part) : part))) };
  const cut = title.endsWith('…') ? title.slice(0, -1) : undefined;
  const whole = cut === undefined ? -1 : parts.findIndex((part) => firstLine(part).startsWith(cut));
  if (cut === undefined || whole < 0) return { ask: title, prose: joined(parts) };
  // The hub had to cut it: it stands whole, or goes on below.
  const line = firstLine(parts[whole] ?? '');
  const fits = line.length <= HEADING_MAX;
  parts[whole] = [...(fits ? [] : [`…${line.slice(cut.length)}`]), withoutFirstLine(parts[whole] ?? '')].join('\n\n');
  return { ask: fits ? line : title, prose: joined(parts) };
}

/** The same for one of several questions. */
export function questionHeadline(question: Question): Headline {
  const first = firstLine(question.prompt);
  if (first === '' || first.length > 300)
    return { ask: question.header ?? first.slice(0, LONG), prose: question.prompt };
  return { ask: first, prose: withoutFirstLine(question.prompt) };
}

/** True when the question is set a size smaller. */
export function isLong(ask: string): boolean {
  return [...ask].length > (/\p{Script=Han}/u.test(ask) ? 40 : LONG);
}

/** The first line of a markdown text without its marks, as the hub reads a title from it: none of code or a table where there is another. */
export function firstLine(markdown: string): string {
  return plainLine(wordLines(markdown.trim()).find((line) => line.trim() !== '') ?? lines(markdown)[0] ?? '');
}

/** Everything below the first line; all of it where that is part of code or a table. */
export function withoutFirstLine(markdown: string): string {
  if (wordLines(markdown.trim())[0] !== lines(markdown)[0]) return markdown.trim();
  const rest = lines(markdown).slice(1).join('\n');
  // The rule under a heading of two lines belongs to it.
  return rest.replace(/^[ \t]{0,3}(?:=+|-{2,})[ \t]*(?:\n|$)/, '').trim();
}

// An entry of a list or a line of a quotation stays among its others; alone it is what was asked.
function saidFirst(markdown: string): string {
  const first = firstLine(markdown);
  return lines(markdown).length > 1 ? first : first.replace(/^[>*+-]\s+/, '');
}

function lines(markdown: string): string[] {
  return markdown.trim().split(/\r?\n/);
}

function joined(parts: string[]): string {
  return parts
    .map((part) => part.trim())
    .filter((part) => part !== '')
    .join('\n\n');
}
