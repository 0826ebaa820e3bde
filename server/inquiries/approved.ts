import { hash } from 'node:crypto';
import type { Decision, Resolution } from '#shared/answer.ts';
import { fault } from '#shared/faults.ts';
import type { Ask, Asked, Inquiry } from '#shared/inquiry.ts';
import { canonical, withoutUndefined } from '#shared/json.ts';
import { AppError, type Fault } from '#shared/problem.ts';
import { saysYes } from '#shared/says-yes.ts';
import type { Hand } from '#shared/schemas/approvals.ts';
import type { Schema } from '../platform/schema.ts';
import { readStored, readStoredExact } from '../platform/stored.ts';

type Stored = Pick<Schema['inquiries'], 'approved'>;

/** What several people have approved so far, as it is stored: one digest, the decisions that it covers, and who. */
export type Approved = { digest: string; decisions: Decision[]; hands: Hand[] };

/** How many different people have to approve it; 0: one is enough. */
export function handsWanted({ transport }: { transport: string }): number {
  return transport.includes('"approvals"') ? (readStored<Inquiry>(transport).approvals?.count ?? 0) : 0;
}

export function parseApproved({ approved }: { approved: string | null }): Approved | undefined {
  return approved === null ? undefined : readStoredExact<Approved>(approved);
}

/** What hands count together for: what was shown, and for each call what was decided and what would run of it. */
export function digestApproval(shown: string, decisions: Decision[]): string {
  return hash('sha256', canonical({ shown, decisions: decisions.map(whatRuns) }));
}

function whatRuns(decision: Decision): object {
  if (decision.type === 'edit') return { type: 'edit', args: decision.args };
  // The reason for a call that is rejected lets nothing run.
  return withoutUndefined(decision.type === 'reject' ? { ...decision, message: undefined } : decision);
}

/** How many are wanted, and the handles of those who have approved it, for texts. */
export function readHands(row: Stored & { transport: string }): { wanted: number; people: string[] } | undefined {
  const { hands } = parseApproved(row) ?? {};
  return hands && { wanted: handsWanted(row), people: hands.map(({ by }) => by.handle) };
}

/** Who has approved it, as every side reads it. */
export function viewApproved(row: Stored): Pick<Inquiry, 'approved'> {
  const { hands = [] } = parseApproved(row) ?? {};
  return hands.length === 0 ? {} : { approved: hands };
}

/** What they have approved, for whoever is to approve the same: edited arguments as their exact text. */
export function viewStanding(row: Stored & { resolution: string | null }): Pick<Inquiry, 'standing'> {
  const standing = row.resolution === null ? parseApproved(row) : undefined;
  const exact = (one: Decision): Decision =>
    one.type === 'edit' ? { type: 'edit', argsText: JSON.stringify(one.args) } : one;
  return standing ? { standing: standing.decisions.map(exact) } : {};
}

/** Nothing lets a call run while fewer different people than are wanted have approved exactly this, whichever way it came there (APR4). */
export function refuseTooFew(
  { transport, digest }: Pick<Schema['inquiries'], 'transport' | 'digest'>,
  { outcome, answer, by }: Pick<Resolution, 'outcome' | 'answer' | 'by'>,
  approved: string | null,
): void {
  const wanted = handsWanted({ transport });
  if (wanted === 0 || !saysYes({ outcome, content: answer })) return;
  const { digest: approves, hands = [] } = parseApproved({ approved }) ?? {};
  const people = new Set(hands.map((one) => one.by.personId));
  const isThis = approves === digestApproval(digest, answer?.decisions ?? []);
  if (by.kind === 'person' && isThis && people.size >= wanted) return;
  throw new AppError(403, 'answer.needs_hands', `${wanted} people have to approve this themselves; nothing stands in.`);
}

type Part = { ask: Ask; asked: Asked; transport: object };

/** How many people a part of an ask wants, and who says so: itself, or the default of its source. */
function wantedOf({ ask, asked }: Part, usual: number): { count: number; own: boolean } {
  const own = ask.approvals?.count ?? 0;
  return asked.actions && usual > own ? { count: usual, own: false } : { count: own, own: true };
}

/** The same with how many people have to approve each: as it says, or more where the default of its source is more. */
export function withHands<One extends Part>(parts: One[], usual: number): One[] {
  return parts.map((part) => {
    const { count, own } = wantedOf(part, usual);
    return own ? part : { ...part, transport: { ...part.transport, approvals: { count } } };
  });
}

/** For each part what is wrong where it wants more people than it asks. */
export function handFaults(
  parts: Part[],
  { usual, people, gate }: { usual: number; people: number; gate: string | undefined },
): Fault[][] {
  return parts.map((part) => {
    const { count, own } = wantedOf(part, usual);
    if (count <= people) return [];
    const who = !own ? 'the default of this source ' : gate === undefined ? '' : `the setting of the gate "${gate}" `;
    const message = `${who}asks ${count} people to approve and reaches only ${people}: name more in to`;
    return [fault('/approvals/count', 'ask.too_few_people', message)];
  });
}
