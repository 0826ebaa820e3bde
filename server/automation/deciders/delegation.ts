import { fault } from '#shared/faults.ts';
import type { Ask } from '#shared/inquiry.ts';
import { undecidable, type Decider, type SourceDecider, type Why } from '#shared/policies/decider.ts';
import type { Fault } from '#shared/problem.ts';
import { batch, keys, statement, type Steps } from '../../platform/steps.ts';
import { toDecider, type DeciderRow } from './config/store.ts';
import { isYolo } from '../yolo/store.ts';
import type { Ruled } from '../rules/by-rule.ts';
import { newProposal, type ByRule, type ProposalRow } from './proposals.ts';
import { givesUpAt } from './times.ts';

/** That a decider is to be asked about an inquiry which is about to be written. */
export type ToDelegate = {
  decider: Decider;
  why: Why;
  /** Nobody is woken while it is asked, and while what it proposes is held. */
  quiet: boolean;
  byRule?: ByRule | undefined;
};
type Part = { ask: Ask; ruled: Ruled | undefined };

/** What a decider may do for a source, as its row has it. */
export function readSourceDecider(stored: string | null): SourceDecider | undefined {
  return stored === null ? undefined : (JSON.parse(stored) as SourceDecider);
}

/** Every fault of `onExpire: "decider"`, ask by ask, once it is known who asks. */
export function deciderFaults({ ask }: Part, source: SourceDecider | undefined): Fault[] {
  if (ask.onExpire !== 'decider') return [];
  if (!source)
    return [
      fault(
        '/onExpire',
        'ask.no_decider',
        'cannot be "decider": no decider acts for this source; the owner of the hub chooses one',
      ),
    ];
  const never = undecidable(ask, source);
  return never === undefined ? [] : [fault('/onExpire', 'ask.undecidable', NEVER[never])];
}

const NEVER = {
  secret: 'cannot be "decider": no decider answers what is secret',
  passkey: 'cannot be "decider": no decider stands in where a passkey is wanted',
  hands: 'cannot be "decider": no decider is one of several people who have to approve',
  caution: 'cannot be "decider": no decider decides about what is marked with caution',
  link: 'cannot be "decider": no decider follows a link',
  choices: 'cannot be "decider": no decider edits a call, and there is nothing else to choose',
  actions: 'cannot be "decider": the owner of the hub has not let one decide about tool calls of this source',
};

const selectDeciders = statement<DeciderRow>('select * from deciders where id in (select key from json_each(?1))');

/** Which decider is asked about which of these inquiries; one that is turned off or not there any more is asked about nothing. */
export function* findDelegations(parts: Part[], source: SourceDecider | undefined): Steps<(ToDelegate | undefined)[]> {
  const wanted = parts.map((part) => toWanted(part, source));
  const ids = wanted.flatMap((one) => one?.id ?? []);
  if (ids.length === 0) return [];
  const { rows } = yield* batch({ rows: selectDeciders(keys(ids)) });
  const deciders = rows.map(toDecider).filter(({ off }) => !off);
  return wanted.map((one) => {
    const decider = deciders.find(({ id }) => id === one?.id);
    return one && decider && { ...one, decider };
  });
}

function toWanted({ ask, ruled }: Part, source: SourceDecider | undefined) {
  if (ruled?.does === 'settle' || undecidable(ask, { actions: source?.actions ?? false })) return undefined;
  if (ruled?.does === 'decide') {
    const { id, rule } = ruled.rule;
    return {
      id: ruled.deciderId,
      why: isYolo(id) ? ('yolo' as const) : ('rule' as const),
      quiet: true,
      byRule: { id, rule },
    };
  }
  if (!source) return undefined;
  if (source.suggests) return { id: source.id, why: 'suggested' as const, quiet: false };
  return ask.onExpire === 'decider' ? { id: source.id, why: 'deadline' as const, quiet: false } : undefined;
}

/** The duty to ask it, which is written with the inquiry. Before a deadline nothing begins in its first half. */
export function delegationRow(
  { decider, why, byRule }: ToDelegate,
  { id, opened_at: now, deadline_at: deadlineAt }: { id: string; opened_at: number; deadline_at: number },
): ProposalRow {
  const half = Math.ceil((now + deadlineAt) / 2);
  return {
    ...newProposal(id, { decider, why, now }),
    ...(why === 'deadline' ? { state: 'planned', due_at: half } : {}),
    ...(byRule
      ? {
          gives_up_at: Math.min(givesUpAt(deadlineAt, decider.timeoutSeconds, now), half),
          rule: JSON.stringify(byRule),
        }
      : {}),
  };
}
