import type { AnswerContent, Resolution } from '#shared/answer.ts';
import type { Ask } from '#shared/inquiry.ts';
import type { Snapshot } from '#shared/live.ts';
import type { Statement, Steps } from '../platform/steps.ts';
import type { PersonVersion } from './announce.ts';
import type { Answerer } from './answerer.ts';
import type { InquiryRow, Reader } from './store.ts';

/** One call's asks, as what may settle them looks at them. */
export type AskedTogether = {
  sourceId: string;
  dialect?: string | undefined;
  /** The gate of this hub that holds the call, and what its tool says of itself. */
  gate?:
    | {
        name: string;
        annotations?: { readOnlyHint?: boolean | undefined; destructiveHint?: boolean | undefined } | undefined;
      }
    | undefined;
  asks: Ask[];
};

/** What becomes of one ask. */
export type Plan =
  | {
      does: 'settle';
      outcome: Omit<Resolution, 'at' | 'text' | 'note'>;
      /** Where its words are not those of the answer alone. */
      how?: 'you-decide' | 'random' | undefined;
      /** What settled it, as it is kept with the inquiry. */
      rule: string;
      counts: 'ruled' | 'yolo';
    }
  /** `instead`: these handles, and not those that the source named. */
  | { does: 'ask'; quietly: boolean; instead?: string[] | undefined };

/** What is written with a new inquiry that goes to a decider; `announce` is called after the commit. */
export type Delegated = { statement: Statement; announce(versions: PersonVersion[]): void };
/** An ask that goes to a decider as well. `quiet`: nobody is woken while it thinks. */
export type Delegation = { quiet: boolean; write(row: InquiryRow): Delegated };

/** What becomes of the asks of one call. It was looked up before the transaction, in which its other functions run. */
export type Settlement = {
  /** For each ask, in order; undefined: its people are asked as always. */
  plans: (Plan | undefined)[];
  /** Locks what settles them until the commit; the transaction's first step. */
  lock(): Steps<void>;
  /** What the transaction reads of it with all else, for `stillTrue`. */
  current(now: number): Statement<object>;
  /** Whether all of it is still true, and stays so until the commit. */
  stillTrue(current: object[], now: number): Steps<boolean>;
  /** For each ask; `decider` as the source has it. Throws 422 where an ask wants a decider and may not have one. */
  delegations(decider: string | null): Steps<(Delegation | undefined)[]>;
};

/** What an answer starts beside its resolution: statements of the same transaction, and what is told after the commit. */
export type Started = {
  statements(now: number): Statement[];
  announce(versions: PersonVersion[]): Promise<void>;
};

/**
 * Whatever settles inquiries without their people, or proposes how: the life of an inquiry knows it by this alone.
 */
export type Settling = {
  /** What becomes of these asks, by what this node knows; `anew`: by what is stored now. Writes nothing. */
  lookUp(question: AskedTogether, anew: boolean): Promise<Settlement>;
  /** What this answer starts, if anything; throws 409 where it asks for what cannot be started. */
  startedBy(answerer: Answerer, row: InquiryRow, content: AnswerContent): Promise<Started | undefined>;
  /** What reads whether a decider is at an inquiry; `spares` is 1 while nobody is woken in its place. */
  decider(inquiryId: string): Statement<{ spares: number }>;
  /** Deletes what is proposed for an inquiry that was resolved in this transaction. */
  drop(inquiryId: string): Statement;
  /** What the pages of these people show of it beside their inquiries; no entry where there is nothing. */
  shown(read: Reader, personIds: string[]): Promise<Map<string, Pick<Snapshot, 'yolo' | 'proposals'>>>;
  /** Ends all that settles by itself until somebody starts it again: after a restore. */
  endAll(): Promise<void>;
};
