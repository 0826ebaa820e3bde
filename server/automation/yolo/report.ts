import type { Resolution } from '#shared/answer.ts';
import { callName, isUntitled, titleText } from '#shared/call-name/name.ts';
import { plainName } from '#shared/call-name/parts.ts';
import { firstIdAt } from '#shared/ids.ts';
import type { YoloReport } from '#shared/policies/yolo.ts';
import { chooseLanguage } from '#shared/texts/language.ts';
import { takingTurns, type Turn } from '../../platform/loop.ts';
import { readStored, viewUndamaged } from '../../platform/stored.ts';
import { askedIds, readSizes, readEach } from '../../inquiries/asked.ts';
import { parseExactAsked, type InquiryRow, type Reader } from '../../inquiries/store.ts';
import { readYolo } from './yolo.ts';

const AT_ONCE = 400;
const ASKED_MAX = 50;
const TITLES_MAX = 3;
const NAME_MAX = 80;

/** What one time of YOLO did, and what this person was asked meanwhile all the same. */
export async function reportYolo(
  read: Reader,
  id: string,
  { id: personId, locale }: { id: string; locale?: string | undefined },
  turn: Turn = takingTurns(),
): Promise<YoloReport> {
  const yolo = await readYolo(read, id, personId);
  const [from, to] = [Date.parse(yolo.startedAt), yolo.endedAt === undefined ? Infinity : Date.parse(yolo.endedAt)];
  const language = chooseLanguage(locale, undefined);
  const approved = new Map<string, YoloReport['approved'][number]>();
  const report: YoloReport = { yolo, approved: [], handedBack: 0, unanswered: 0, random: 0, decided: 0, asked: [] };
  const count = (row: InquiryRow): void => {
    const resolution = row.resolution === null ? undefined : readStored<Resolution>(row.resolution);
    const by = resolution?.by;
    if (!resolution || !by || !('ruleId' in by)) {
      if (report.asked.length < ASKED_MAX && (yolo.sources ?? [row.source_id]).includes(row.source_id))
        report.asked.push({ id: row.id, title: titleText(parseExactAsked(row), language) });
      return;
    }
    if (by.ruleId !== id) return;
    if (resolution.outcome === 'declined') report.handedBack++;
    else if (resolution.outcome === 'expired') report.unanswered++;
    else if (by.kind === 'decider') report.decided++;
    else if (!resolution.answer?.decisions) report.random++;
    if (resolution.outcome !== 'answered') return;
    const told = parseExactAsked(row);
    const source = { id: row.source_id, name: row.source_name };
    for (const [at, action] of (told.actions ?? []).entries()) {
      if (resolution.answer?.decisions?.[at]?.type !== 'approve') continue;
      const { name } = action;
      const key = JSON.stringify([source.id, name]);
      const title = isUntitled(told)
        ? plainName(callName(action, language, told.argsText?.[at]).parts, NAME_MAX)
        : titleText({ ...told, actions: [action], argsText: told.argsText?.slice(at, at + 1) }, language, NAME_MAX);
      const known = approved.get(key) ?? { count: 0, titles: [] };
      approved.set(key, {
        source,
        name,
        count: known.count + 1,
        titles: [...new Set([...known.titles, title])].slice(0, TITLES_MAX),
      });
    }
  };
  for await (const row of askedBetween(read, personId, [from, to], turn)) viewUndamaged(row, count);
  report.approved = [...approved.values()].toSorted((a, b) => b.count - a.count);
  report.asked.sort((a, b) => (a.id < b.id ? 1 : -1));
  return report;
}

// An inquiry of an ask bears an id made a moment before it opened.
const EARLIER_MS = 60_000;

/** What this person was asked between two instants, what is open first; a portion at a time. */
async function* askedBetween(
  read: Reader,
  personId: string,
  [since, to]: [number, number],
  turn: Turn,
): AsyncGenerator<InquiryRow> {
  for (const open of [1, 0] as const)
    for (let from = to === Infinity ? undefined : firstIdAt('inq', to + 1), earlier = false; !earlier;) {
      await turn();
      const ids = await askedIds(read, personId, { open, from, limit: AT_ONCE });
      for await (const row of readEach(read, await readSizes(read, ids), turn)) {
        if (row.opened_at >= since && row.opened_at <= to) yield row;
        earlier = row.opened_at < since - EARLIER_MS;
        if (earlier) break;
      }
      if (ids.length < AT_ONCE) break;
      from = ids.at(-1);
    }
}
