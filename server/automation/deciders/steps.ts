import type { AnswerContent } from '#shared/answer.ts';
import type { Inquiry } from '#shared/inquiry.ts';
import type { Decider } from '#shared/policies/decider.ts';
import type { Transaction } from '../../platform/database.ts';
import { batch, within } from '../../platform/steps.ts';
import { isYolo, settleByYolo } from '../yolo/store.ts';
import { readAnswer, readByRule, newProposal, type AskedBy, type ProposalRow } from './proposals.ts';
import { countsAt, givesUpAt, startsAt } from './times.ts';
import type { Change, Found } from './change.ts';

const SLOW = 'It gave no answer in time.';
const LATE = 'Its answer came too late to be shown before it counts.';
const FORBIDDEN = 'It may not decide this any more.';

/** What an answer makes of what stands there: a suggestion, or a decision that is shown for the hold time first. */
export function proposed(found: Found, answer: AnswerContent): Change {
  const { row, decider } = found;
  if (!decider) return failed(found, FORBIDDEN);
  const set = { state: 'ready' as const, answer: JSON.stringify(answer), gives_up_at: null };
  if (row.why === 'suggested') return { set: { ...set, due_at: nextAt(found) } };
  return held(found, decider, set);
}

/** Nothing came of it: people are asked as always, and whoever handed their decline over has declined. */
export function failed(found: Found, problem: string): Change {
  const { row, maySpeak } = found;
  if (row.why === 'instead of declining' && row.asked_by !== null && maySpeak) {
    const { message, ...person } = JSON.parse(row.asked_by) as AskedBy;
    const by = { kind: 'person' as const, ...person };
    return { resolves: { outcome: 'declined', by, ...(message === undefined ? {} : { message }) } };
  }
  return { set: { ...ended(found), state: 'failed', problem } };
}

/** What is due now, whoever notices it. */
export async function dueNow(found: Found, trx: Transaction): Promise<Change | undefined> {
  const { row, own, inquiry, now } = found;
  if (row.state === 'waiting')
    return row.gives_up_at !== null && row.gives_up_at <= now ? failed(found, SLOW) : undefined;
  if (row.due_at === null || row.due_at > now) return undefined;
  if (row.decides_at !== null) return decided(found, trx);
  if (!own) return { set: { due_at: null }, silently: true };
  const start = startsAt(inquiry, own.holdSeconds);
  return start > now ? { set: { due_at: start }, silently: true } : begun(found, own, { why: 'deadline' });
}

/** Asks a decider to decide: what it proposed already is held at once, else it is asked. */
export function begun(found: Found, decider: Decider, more: { why: ProposalRow['why']; asked_by?: string }): Change {
  const { row, inquiry, now } = found;
  if (row.answer !== null && row.decider_id === decider.id)
    return held(found, decider, { asked_by: null, rule: null, at: now, ...more });
  return { set: begunRow(inquiry, decider, { ...more, now }) };
}

export function begunRow(
  { id, deadline_at }: { id: string; deadline_at: number },
  decider: Decider,
  { why, now, asked_by = null }: { why: ProposalRow['why']; now: number; asked_by?: string | null },
): ProposalRow {
  return {
    ...newProposal(id, { decider, why, now }),
    asked_by,
    gives_up_at: givesUpAt(deadline_at, decider.timeoutSeconds, now),
  };
}

/** What it proposed counts now, by a person's tap. */
export function sentNow(found: Found, decider: Decider, asked_by: string): Change {
  const begins = found.row.decides_at === null;
  return held(found, { ...decider, holdSeconds: 0 }, begins ? { why: 'asked', asked_by, at: found.now } : {});
}

/** A person keeps it from deciding, before the deadline too; what it proposed stays as a suggestion. */
export function stopped(found: Found): Change {
  return { set: { ...ended(found), state: 'stopped', due_at: null } };
}

/** A person wants to see nothing of it. */
export function dismissed(found: Found): Change {
  return { set: { ...ended(found), state: 'planned', answer: null } };
}

function held(found: Found, { holdSeconds }: Decider, set: Partial<ProposalRow>): Change {
  const at = countsAt(found.inquiry.deadline_at, holdSeconds, found.now);
  if (at === undefined) return failed(found, LATE);
  return { set: { problem: null, ...set, state: 'ready', decides_at: at, due_at: at } };
}

function ended(found: Found): Partial<ProposalRow> {
  return { decides_at: null, gives_up_at: null, rule: null, due_at: nextAt(found) };
}

/** When it is to be looked whether the decider of the source begins; null: it has had its turn, or is not to have one. */
function nextAt({ row, inquiry }: Found): number | null {
  const { onExpire } = JSON.parse(inquiry.transport) as Inquiry;
  if (onExpire !== 'decider' || row.why === 'deadline') return null;
  return Math.ceil((inquiry.opened_at + inquiry.deadline_at) / 2);
}

async function decided(found: Found, trx: Transaction): Promise<Change> {
  const { row, decider, judgedAt } = found;
  const byRule = readByRule(row);
  const answer = readAnswer(row);
  if (!decider || !answer) return failed(found, FORBIDDEN);
  if (byRule && isYolo(byRule.id)) {
    const { runs } = await within(trx, batch({ runs: settleByYolo(byRule.id, 0, judgedAt) }));
    if (runs.length === 0) return failed(found, FORBIDDEN);
  }
  const by = {
    kind: 'decider' as const,
    label: decider.name,
    deciderId: decider.id,
    ...(byRule ? { ruleId: byRule.id } : {}),
  };
  return { resolves: { outcome: 'answered', answer, by }, byRule };
}
