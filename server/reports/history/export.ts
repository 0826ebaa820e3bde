import type { By } from '#shared/answer.ts';
import { maskedArgs } from '#shared/call-name/masked.ts';
import { callName } from '#shared/call-name/name.ts';
import { plainName } from '#shared/call-name/parts.ts';
import type { HistoryFilter } from '#shared/history.ts';
import type { Inquiry } from '#shared/inquiry.ts';
import { saidIn } from '#shared/text.ts';
import { chooseLanguage } from '#shared/texts/language.ts';
import { iso } from '../../platform/clock.ts';
import { takingTurns, type Turn } from '../../platform/loop.ts';
import { endTurn } from '../../platform/turns.ts';
import type { Viewer } from '../../inquiries/answerer.ts';
import type { Reader } from '../../inquiries/store.ts';
import { readHistory } from './read.ts';

/** A device that showed or opened an inquiry, and whose it is. */
type Seen = { person: string; device: string; shownAt: string; openedAt?: string };
type Exported = Inquiry & { seenBy: Seen[] };
export type ExportFormat = 'json' | 'csv';

const AT_ONCE = 100;
/** At most so many characters of a call's name; its arguments, without secrets, stand in `asked`. */
const NAME_MAX = 300;

/**
 * The history that fits the filter, newest first, as the text of one file; read page by page while it is written. Whatever
 * else the hub does has its `turn` between the rows.
 */
export async function* exportHistory(
  read: Reader,
  viewer: Viewer,
  filter: HistoryFilter,
  format: ExportFormat,
  turn: Turn = takingTurns(),
): AsyncGenerator<string> {
  if (format === 'csv') {
    yield csvHead(Object.keys(COLUMNS));
    for await (const one of all(read, viewer, filter, turn))
      yield csvRow(Object.values(COLUMNS).map((cell) => cell(one)));
    return;
  }
  let before = '[\n';
  for await (const one of all(read, viewer, filter, turn)) {
    yield `${before}${JSON.stringify(one)}`;
    before = ',\n';
  }
  yield before === '[\n' ? '[]\n' : '\n]\n';
}

async function* all(read: Reader, viewer: Viewer, filter: HistoryFilter, turn: Turn): AsyncGenerator<Exported> {
  let cursor: string | undefined;
  do {
    const page = await readHistory(read, viewer, { ...filter, cursor, limit: AT_ONCE }, turn);
    const seen = await readSeen(
      read,
      page.items.map(({ id }) => id),
    );
    for (const inquiry of page.items) {
      yield { ...inquiry, seenBy: seen.get(inquiry.id) ?? [] };
      await turn();
    }
    endTurn();
    cursor = page.nextCursor;
  } while (cursor !== undefined);
}

async function readSeen(read: Reader, inquiryIds: string[]): Promise<Map<string, Seen[]>> {
  if (inquiryIds.length === 0) return new Map();
  const rows = await read
    .selectFrom('inquiry_devices')
    .innerJoin('devices', 'devices.id', 'inquiry_devices.device_id')
    .innerJoin('people', 'people.id', 'devices.person_id')
    .select(['inquiry_id', 'people.handle', 'devices.name', 'shown_at', 'opened_at'])
    .where('inquiry_id', 'in', inquiryIds)
    .orderBy('shown_at')
    .orderBy('device_id')
    .execute();
  const seen = new Map<string, Seen[]>();
  for (const { inquiry_id: id, handle, name, shown_at: shownAt, opened_at: openedAt } of rows) {
    if (shownAt === null) continue;
    const one = { person: handle, device: name, shownAt: iso(shownAt) };
    seen.set(id, [...(seen.get(id) ?? []), openedAt === null ? one : { ...one, openedAt: iso(openedAt) }]);
  }
  return seen;
}

const COLUMNS: Record<string, (one: Exported) => string | undefined> = {
  id: ({ id }) => id,
  asked_at: ({ openedAt }) => openedAt,
  settled_at: ({ resolution }) => resolution?.at,
  source: ({ source }) => source.name,
  title: ({ title }) => title,
  asked: askedWords,
  asked_of: ({ to }) => to.join(', '),
  outcome: ({ resolution }) => resolution?.outcome,
  answer: ({ resolution }) => (resolution?.answer ? saidIn(resolution) : undefined),
  message: ({ resolution }) => resolution?.message,
  by: ({ resolution }) => resolution && toWho(resolution.by),
  rule: ({ rule }) => rule && JSON.stringify(rule),
  device: ({ resolution: settled }) => (settled?.by.kind === 'person' ? settled.by.device.name : undefined),
  via: ({ resolution: settled }) => (settled?.by.kind === 'person' ? settled.by.via : undefined),
  agent: ({ context }) => context?.agent,
  subagent: ({ context }) => context?.subagent,
  run: ({ context }) => context?.runId,
  thread: ({ context }) => context?.threadId,
  folder: ({ context }) => context?.cwd,
  late: ({ late }) => (late ?? []).map(({ at, by, text }) => `${at} ${toWho(by)}: ${text}`).join('\n'),
  seen_by: ({ seenBy }) => seenBy.map(({ person, device, shownAt }) => `${person}, ${device}, ${shownAt}`).join('\n'),
  calls: callNames,
};

/** The first row of a file that spreadsheets read: told as UTF-8, so that Chinese stays Chinese. */
function csvHead(names: readonly string[]): string {
  return `\uFEFF${csvRow(names)}`;
}

/**
 * One row of a CSV file (RFC 4180). What a spreadsheet would run as a formula gets an apostrophe in front, because
 * agents and unknown people wrote these words (OWASP, "CSV injection"); the file keeps them otherwise whole.
 */
function csvRow(cells: readonly (string | undefined)[]): string {
  return `${cells.map((cell) => toCell(cell ?? '')).join(',')}\r\n`;
}

function toCell(text: string): string {
  // A spreadsheet looks past blanks, and reads the full-width signs of East Asian keyboards as the plain ones.
  const safe = /^[\s\p{Cc}\p{Cf}]*[=+\-@＝＋－＠|]|^[\t\r\n]/u.test(text) ? `'${text}` : text;
  return `"${safe.replaceAll('\0', '').replaceAll('"', '""')}"`;
}

function toWho(by: By): string {
  return by.kind === 'person' ? by.handle : `${by.kind}${by.label ? ` ${by.label}` : ''}`;
}

// As their answer says them, one a line.
function callNames({ actions = [], argsText, context }: Inquiry): string {
  const language = chooseLanguage(context?.language, undefined);
  return actions.map((action, at) => plainName(callName(action, language, argsText?.[at]).parts, NAME_MAX)).join('\n');
}

function askedWords({ prompt, questions, document, actions, argsText, link }: Inquiry): string {
  return [
    prompt,
    ...(questions ?? []).map((question) => question.prompt),
    document?.markdown,
    ...(actions ?? []).map(
      ({ name, args }, at) => `${name} ${maskedArgs(name, args, argsText?.[at] ?? JSON.stringify(args))}`,
    ),
    link?.url,
  ]
    .filter((part) => part !== undefined)
    .join('\n');
}
