import { setImmediate } from 'node:timers/promises';
import { kindOf } from '#shared/fit.ts';
import type { Ask, Inquiry } from '#shared/inquiry.ts';
import { canonical, parseExact } from '#shared/json.ts';
import type { Preview, Previewed, PreviewPolicies } from '#shared/policies/preview.ts';
import type { Preferences } from '#shared/preferences.ts';
import { saidIn } from '#shared/text.ts';
import { textOf } from '#shared/texts/outcomes.ts';
import { iso } from '../../platform/clock.ts';
import { prepare, search, type Asking, type List } from '../../policies/rules.ts';
import { ruledBy, type Ruled } from '../asks/by-rule.ts';
import { resolutionOf, selectInquiries, wordingOf, type InquiryRow, type Reader } from '../store.ts';
import { askedIds, LOOKED_AT_ONCE } from './read.ts';

const TURN = 20;

/**
 * What these rules would have made of the newest resolved inquiries of a person, and where that differs from what became
 * of them. What a tool said of itself and which gate held a call is not known any more; chance takes the first option.
 */
export async function previewRules(
  read: Reader,
  { id: personId, handle }: { id: string; handle: string },
  { of, rules }: PreviewPolicies,
): Promise<Preview> {
  const person = await read.selectFrom('people').select('preferences').where('id', '=', personId).executeTakeFirst();
  const { timeZone = 'UTC' } = JSON.parse(person?.preferences ?? '{}') as Preferences;
  const list = prepare(rules, timeZone);
  const ids = await askedIds(read, personId, { open: 0, from: undefined, limit: LOOKED_AT_ONCE });
  const rows = await selectInquiries(read)
    .where('inquiries.id', 'in', ['', ...ids])
    .orderBy('inquiries.id')
    .execute();
  const alone = rows.filter(({ asked_of }) => of === 'hub' || asked_of === JSON.stringify([handle]));
  const asked = new Map<string, number>();
  const items: Previewed[] = [];
  for (const [at, row] of alone.entries()) {
    if (at % TURN === TURN - 1) await setImmediate();
    const inquiry = readAsked(row);
    const { runId, threadId } = inquiry.context ?? {};
    const run = runId ?? threadId;
    const before = run === undefined ? undefined : (asked.get(`${row.source_id} ${run}`) ?? 0);
    if (before !== undefined) asked.set(`${row.source_id} ${run}`, before + 1);
    const item = previewed(row, inquiry, list, before);
    if (item) items.push(item);
  }
  return { looked: alone.length, items: items.toReversed() };
}

/** What was asked, every number as it was written. */
export type AskedOf = Ask & Inquiry;

export function readAsked(row: Pick<InquiryRow, 'asked' | 'transport' | 'source_id' | 'source_name'>): AskedOf {
  const source = { id: row.source_id, name: row.source_name };
  return { ...(parseExact(row.asked) as Ask), ...(parseExact(row.transport) as Inquiry), source };
}

/** What rules looked at of it when it was asked, as far as that is known; `asked`: how many its run had asked before. */
export function askingOf(row: InquiryRow, inquiry: AskedOf, asked: Asking['asked']): Asking {
  const { actions = [], context, dialect, group } = inquiry;
  return {
    sourceId: row.source_id,
    kind: kindOf(inquiry),
    calls: actions.map(({ name, args }) => ({ name, args })),
    agent: context?.agent,
    now: row.opened_at,
    dialect: dialect?.name,
    group,
    run: context?.runId ?? context?.threadId,
    asked,
  };
}

/** What the list would have made of one resolved inquiry; undefined: no rule of it fits. */
export function previewed(
  row: InquiryRow,
  inquiry: AskedOf,
  list: List,
  asked: Asking['asked'],
): Previewed | undefined {
  const found = search([list], askingOf(row, inquiry, asked));
  const did = resolutionOf(row);
  if (!found || !did) return undefined;
  const rule = found === 'differ' ? undefined : found;
  const ruled: Ruled | undefined = rule && inquiry.rules !== 'none' ? ruledBy(rule, inquiry, () => 0) : undefined;
  const made = ruled?.does === 'settle' ? ruled : undefined;
  const wording = { ...wordingOf(row), deadlineAt: iso(row.deadline_at) };
  return {
    inquiryId: row.id,
    title: inquiry.title,
    openedAt: iso(row.opened_at),
    ...(rule ? { rule: rule.rule.name } : {}),
    ...(made
      ? {
          would: {
            outcome: made.outcome.outcome,
            text: saidIn(textOf({ asked: inquiry, resolution: made.outcome, how: made.how, ...wording })),
          },
        }
      : {}),
    did: { outcome: did.outcome, text: saidIn(did), by: did.by },
    differs: made !== undefined && contentOf(made.outcome) !== contentOf(did),
  };
}

function contentOf({ outcome, answer = {} }: { outcome: string; answer?: object | undefined }): string {
  return canonical({ outcome, answer });
}
