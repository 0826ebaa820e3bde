import { type RawBuilder, sql, type SqlBool } from 'kysely';
import type { By } from '#shared/answer.ts';
import type { Inquiry } from '#shared/inquiry.ts';

/** The words of a search, as they are compared. */
export function splitWords(q: string | undefined): string[] {
  return (q ?? '').toLowerCase().split(/\s+/u).filter(Boolean);
}

/**
 * That a column of JSON or plain text may hold the word, on either engine: it lets too much through (the names of JSON
 * members, cased letters beyond ASCII, which SQLite does not fold) and never too little; `saysAll` decides.
 */
export function mayHold(column: string, word: string): RawBuilder<SqlBool> {
  return sql<SqlBool>`lower(${sql.ref(column)}) like ${`%${toPattern(word)}%`} escape '!'`;
}

/** That a column of JSON holds exactly this, as `JSON.stringify` writes it, letters in either case. */
export function holdsJson(column: string, json: string): RawBuilder<SqlBool> {
  const pattern = json.replace(/[%_!]/g, '!$&').replace(/[A-Z]+/g, (capitals) => capitals.toLowerCase());
  return sql<SqlBool>`lower(${sql.ref(column)}) like ${`%${withoutCase(pattern)}%`} escape '!'`;
}

/** Whether every word stands in what a person can read of the inquiry. */
export function saysAll(inquiry: Inquiry, words: string[]): boolean {
  if (words.length === 0) return true;
  const text = toText(inquiry).toLowerCase();
  return words.every((word) => text.includes(word));
}

function toPattern(word: string): string {
  // JSON writes quotes and backslashes in another way; the words around them have to do.
  return withoutCase(word.replace(/[%_!]/g, '!$&')).replace(/["\\]+/g, '%');
}

function withoutCase(text: string): string {
  return text.replace(/[^\p{ASCII}]/gu, (letter) => (letter.toLowerCase() === letter.toUpperCase() ? letter : '_'));
}

function toText(inquiry: Inquiry): string {
  const { title, prompt, questions, document, actions, argsText, link, context, source, to, resolution } = inquiry;
  return [
    title,
    prompt,
    ...(questions ?? []).flatMap((question) => [
      question.header,
      question.prompt,
      ...('options' in question ? question.options.flatMap(({ label, description }) => [label, description]) : []),
    ]),
    document?.markdown,
    ...(actions ?? []).flatMap((action, at) => [
      action.name,
      action.description,
      ...asWritten(argsText?.[at] ?? JSON.stringify(action.args)),
      ...(action.diff ?? []).flatMap(({ path, oldText, newText }) => [path, oldText, newText]),
    ]),
    link?.url,
    source.name,
    ...to,
    context?.agent,
    context?.subagent,
    context?.cwd,
    context?.runId,
    context?.threadId,
    resolution?.text,
    resolution?.message,
    toWho(resolution?.by),
    ...[...(inquiry.late ?? []), ...(inquiry.lost ?? [])].flatMap(({ text, by }) => [text, toWho(by)]),
  ]
    .filter((part) => part !== undefined)
    .join('\n');
}

// As JSON and as it is read: with and without what escapes a quote.
function asWritten(json: string): string[] {
  return [json, json.replace(/\\(["\\])/g, '$1')];
}

function toWho(by: By | undefined): string | undefined {
  return by?.kind === 'person' ? `${by.handle}\n${by.device.name}` : by?.label;
}
