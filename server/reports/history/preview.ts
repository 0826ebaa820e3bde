import { titleText } from '#shared/call-name/name.ts';
import type { SchemaFaults } from '#shared/fit.ts';
import type { Ask, Inquiry } from '#shared/inquiry.ts';
import { canonical } from '#shared/json.ts';
import type { Preview, Previewed, PreviewPolicies } from '#shared/policies/preview.ts';
import { saidIn } from '#shared/text.ts';
import { chooseLanguage } from '#shared/texts/language.ts';
import { writeOutcome } from '#shared/texts/outcomes.ts';
import { iso } from '../../platform/clock.ts';
import { takingTurns, type Turn } from '../../platform/loop.ts';
import { readStoredExact, viewUndamaged } from '../../platform/stored.ts';
import { HUB_TIME_ZONE } from '../../platform/time-zone.ts';
import { withSchemaFaults } from '../../platform/json-schema/check.ts';
import type { Asking } from '../../automation/rules/may-fit.ts';
import { prepare, search, type List, type Prepared } from '../../automation/rules/rules.ts';
import { toAsking, ruledBy, type Ruled } from '../../automation/rules/by-rule.ts';
import { inquiryBytes, parseResolution, parseWording, type InquiryRow, type Reader } from '../../inquiries/store.ts';
import { readEach, askedIds, LOOKED_AT_ONCE } from '../../inquiries/asked.ts';
import { readPreferences } from '../../people/change.ts';

import { createNear } from './near.ts';

/** So long one preview works altogether. */
const WORK_MS = 2_000;
const WAITING_MAX = 200;

/**
 * What these rules would have made of the newest resolved inquiries of a person, and where that differs from what became
 * of them; of as many as can be looked at in two seconds. What a tool said of itself and which gate held a call is not
 * known any more; chance takes the first option.
 */
export async function previewRules(
  read: Reader,
  { id: personId, handle, locale }: { id: string; handle: string; locale?: string | undefined },
  { of, rules }: PreviewPolicies,
  turn: Turn = takingTurns(),
): Promise<Omit<Preview, 'faults'>> {
  const { timeZone = HUB_TIME_ZONE } = await readPreferences(read, personId);
  const list = prepare(rules, timeZone);
  const looking = { read, personId, alone: of === 'hub' ? undefined : JSON.stringify([handle]) };
  const alone = await sizesOf(looking, 0, LOOKED_AT_ONCE);
  const before = countBefore(alone);
  const language = chooseLanguage(locale, undefined);
  const near = createNear(rules.length === 1 ? rules[0] : undefined, timeZone);
  const items: Previewed[] = [];
  let looked = 0;
  let worked = 0;
  for await (const row of readEach(read, alone, turn)) {
    const since = performance.now();
    const inquiry = viewUndamaged(row, readAll);
    if (!inquiry) continue;
    const asked = () => before.get(row.id);
    const item = await withSchemaFaults(personId, (schemaFaults) => previewed(row, inquiry, list, asked, schemaFaults));
    if (item) items.push({ ...item, title: titleText(inquiry, language) });
    else near.add(inquiry, (tried) => decidedAs(previewed(row, inquiry, tried, asked)));
    looked++;
    worked += performance.now() - since;
    if (worked >= WORK_MS) break;
  }
  const waiting: Preview['waiting'] = [];
  for await (const row of readEach(read, await sizesOf(looking, 1, WAITING_MAX), turn)) {
    const inquiry = viewUndamaged(row, readAll);
    if (inquiry && ruledOf(row, inquiry, list, undefined)?.ruled?.does === 'settle')
      waiting.push({ id: row.id, title: titleText(inquiry, language) });
  }
  const found = near.found();
  return { looked, items, waiting, ...(found ? { near: found } : {}) };
}

/** How a person decided what this would have settled; undefined where none did, or it would have settled nothing. */
function decidedAs(item: Previewed | undefined): 'fits' | 'differs' | undefined {
  if (!item?.would || item.did.by.kind !== 'person') return undefined;
  return item.differs ? 'differs' : 'fits';
}

type Looking = { read: Reader; personId: string; alone: string | undefined };

/** The newest that were asked of a person and are open (1) or resolved (0); with `alone`, only of those whom that names. */
async function sizesOf({ read, personId, alone }: Looking, open: 0 | 1, limit: number) {
  const ids = await askedIds(read, personId, { open, from: undefined, limit });
  return read
    .selectFrom('inquiries')
    .select(['inquiries.id', 'inquiries.source_id', 'inquiries.run', inquiryBytes.as('bytes')])
    .where('inquiries.id', 'in', ['', ...ids])
    .$if(alone !== undefined, (query) => query.where('inquiries.asked_of', '=', alone!))
    .orderBy('inquiries.id', 'desc')
    .execute();
}

/** How many of these, newest first, the run of each had asked before it; none for what no run asked. */
function countBefore(rows: Pick<InquiryRow, 'id' | 'source_id' | 'run'>[]): Map<string, number> {
  const counts = new Map<string, number>();
  const before = new Map<string, number>();
  for (const { id, source_id, run } of rows.toReversed()) {
    if (run === null) continue;
    const count = counts.get(`${source_id} ${run}`) ?? 0;
    before.set(id, count);
    counts.set(`${source_id} ${run}`, count + 1);
  }
  return before;
}

/** What was asked, every number as it was written. */
export type AskedOf = Ask & Inquiry;

function readAsked(row: Pick<InquiryRow, 'asked' | 'transport' | 'source_id' | 'source_name'>): AskedOf {
  const source = { id: row.source_id, name: row.source_name };
  return { ...readStoredExact<Ask>(row.asked), ...readStoredExact<Inquiry>(row.transport), source };
}

/** The same; throws where anything else that is told of it is damaged too. */
export function readAll(row: InquiryRow): AskedOf {
  parseResolution(row);
  parseWording(row);
  return readAsked(row);
}

/** What rules looked at of it when it was asked, as far as that is known; `asked`: how many its run had asked before. */
export function toAskingBefore(row: InquiryRow, inquiry: AskedOf, asked: Asking['asked']): Asking {
  const about = { sourceId: row.source_id, dialect: inquiry.dialect?.name, now: row.opened_at, asked };
  return { ...about, ...toAsking(inquiry) };
}

/** What the list would have made of one resolved inquiry; undefined: no rule of it fits. */
export function previewed(
  row: InquiryRow,
  inquiry: AskedOf,
  list: List,
  asked: Asking['asked'],
  schemaFaults?: SchemaFaults,
): Previewed | undefined {
  const found = ruledOf(row, inquiry, list, asked, schemaFaults);
  const did = parseResolution(row);
  if (!found || !did) return undefined;
  const { rule, ruled } = found;
  const made = ruled?.does === 'settle' ? ruled : undefined;
  const wording = { ...parseWording(row), deadlineAt: iso(row.deadline_at) };
  return {
    inquiryId: row.id,
    title: inquiry.title,
    openedAt: iso(row.opened_at),
    ...(rule ? { rule: rule.rule.name } : {}),
    ...(made
      ? {
          would: {
            outcome: made.outcome.outcome,
            text: saidIn(writeOutcome({ asked: inquiry, resolution: made.outcome, how: made.how, ...wording })),
          },
        }
      : {}),
    did: { outcome: did.outcome, text: saidIn(did), by: did.by },
    differs: made !== undefined && toContent(made.outcome) !== toContent(did),
  };
}

/** The rule of the list that fits, and what it would make of it; undefined: none does. */
function ruledOf(
  row: InquiryRow,
  inquiry: AskedOf,
  list: List,
  asked: Asking['asked'],
  schemaFaults?: SchemaFaults,
): { rule: Prepared | undefined; ruled: Ruled | undefined } | undefined {
  const found = search([list], toAskingBefore(row, inquiry, asked));
  if (!found) return undefined;
  const rule = found === 'people' ? undefined : found;
  const ruled =
    rule && inquiry.rules !== 'none' ? ruledBy(rule, inquiry, { chance: () => 0, schemaFaults }) : undefined;
  return { rule, ruled };
}

function toContent({ outcome, answer = {} }: { outcome: string; answer?: object | undefined }): string {
  return canonical({ outcome, answer });
}
