import type { Run } from '#shared/policies/decider.ts';
import { AppError } from '#shared/problem.ts';
import { isAway, type Transaction } from '../../platform/database.ts';
import { createFailing } from '../../platform/failing.ts';
import type { Log } from '../../platform/log.ts';
import type { CalledDecider, DeciderQuestion } from './model/call.ts';
import { runDecider } from './model/run.ts';
import { findDecider } from './config/store.ts';
import type { ProposalRow } from './proposals.ts';
import type { Deciding } from './deciding.ts';
import { inquiryById, type InquiryRow } from '../../inquiries/store.ts';
import { sayToAgent, type Aside, type Statement } from './agent.ts';
import { changeProposal, mayDecide, type Change, type Found } from './change.ts';
import { claim, LEASE_MS, nextWaiting, renew, settleDue } from './due.ts';
import { toQuestion } from './question.ts';
import { deciderSpan, keepRun } from './runs.ts';
import { failed, proposed } from './steps.ts';
import { inSpan } from '../../platform/trace.ts';

export type RunDecider = (
  decider: CalledDecider,
  question: DeciderQuestion,
  how: { signal: AbortSignal },
) => Promise<Run>;
type Parts = {
  inquiries: Deciding;
  log: Log;
  caughtUp: () => Promise<void>;
  behind?: () => boolean;
  run?: RunDecider;
};
export type Deciders = ReturnType<typeof createDeciders>;

/**
 * Asks deciders what is due, at most four runs of each at once, and does what falls due of their proposals. What is to
 * be done is a row, which any node takes up; one run at a time for an inquiry, on all nodes.
 */
export function createDeciders({ inquiries, log, caughtUp, behind = () => false, run = runDecider }: Parts) {
  const stopping = new AbortController();
  const places = createPlaces(() => stopping.signal.aborted || wake());
  const failing = createFailing();
  let looking: Promise<void> | undefined;
  let again = false;
  let renewedAt = 0;

  function look(): Promise<void> {
    again = true;
    return (looking ??= lookAll().finally(() => (looking = undefined)));
  }

  function wake(): void {
    look().catch((error: unknown) =>
      log.warn({ err: error }, 'due deciders could not be asked; the sweep tries again'),
    );
  }

  async function lookAll(): Promise<void> {
    while (again && !stopping.signal.aborted) {
      again = false;
      // Answers that lay in their sockets while the process stood still go first.
      await caughtUp();
      again = (await settleDue(inquiries, failing, behind)) || again;
      await startDue();
    }
  }

  async function startDue(): Promise<void> {
    for (;;) {
      const due = await nextWaiting(inquiries, places.full());
      if (!due || stopping.signal.aborted) return;
      const row = await claim(inquiries, due.id);
      if (!row) continue;
      const ran = runOne({ inquiries, run, signal: stopping.signal }, row);
      ran.catch((error: unknown) =>
        log.warn({ err: error, proposal: row.id }, 'a decider could not be asked, or what it said not be kept'),
      );
      places.take(row.id, row.decider_id, ran);
    }
  }

  /** As `sayToAgent`, in the places of its runs; 429 where all are taken, or it is being asked about this. */
  function say(inquiry: InquiryRow, aside: Aside): Promise<Statement | undefined> {
    return sayToAgent(inquiries, inquiry, aside, (called, question) => {
      if (places.has(inquiry.id) || places.full().includes(called.id))
        throw new AppError(429, 'decider.busy', `${called.name} is busy: ask it again in a minute.`);
      const ran = run(called, question, { signal: stopping.signal });
      places.take(inquiry.id, called.id, ran);
      return ran;
    });
  }

  async function keepRunning(): Promise<void> {
    const now = performance.now();
    const ids = places.ids();
    if (ids.length === 0 || now - renewedAt < LEASE_MS / 3) return;
    renewedAt = now;
    await renew(inquiries, ids);
  }

  return {
    wake,
    say,
    /** What the sweep does, on any number of nodes: keeps what it has taken up, and looks for what is due. */
    keepRunning,
    look,
    /** Resolves when everything that is due now was done: for tests. */
    async idle(): Promise<void> {
      while (looking || places.ids().length > 0) await Promise.all([looking, places.ended()]);
    },
    async stop(): Promise<void> {
      stopping.abort();
      await looking?.catch(() => undefined);
      await places.ended();
    },
  };
}

type Runner = { inquiries: Deciding; run: RunDecider; signal: AbortSignal };

/** Asks a decider what was taken up, keeps the run, and makes of it what is to become of it by now. */
async function runOne({ inquiries, run, signal }: Runner, row: ProposalRow): Promise<void> {
  const { database } = inquiries;
  const changeWaiting = (change: (found: Found) => Change | undefined, also?: (trx: Transaction) => Promise<void>) =>
    changeProposal(inquiries, row.id, (found) => (found.row.state === 'waiting' ? change(found) : undefined), also);
  const [[inquiry]] = await database.rows(inquiryById(row.inquiry_id));
  if (!inquiry) return;
  const { decider } = await mayDecide(database.read, row, inquiry, database.clock.now());
  const called = decider && (await findDecider(inquiries, decider.id));
  if (!called || inquiry.resolution !== null)
    return void (await changeWaiting((found) => failed(found, 'It may not decide this.')));
  const at = database.clock.now();
  try {
    const question = await toQuestion(database.read, inquiry);
    const ran = await inSpan(deciderSpan(called, inquiry), () => run(called, question, { signal }), inquiry);
    if (signal.aborted) return await renew(inquiries, [row.id], 0);
    const { answer, problem = 'It gave no answer.' } = ran;
    await changeWaiting(
      (found) => (answer ? proposed(found, answer) : failed(found, problem)),
      (trx) => keepRun(trx, { inquiryId: inquiry.id, decider: called, why: row.why, at }, ran),
    );
  } catch (error) {
    // What was returned may be what could not be kept: another turn would ask for it again.
    if (!signal.aborted && !isAway(error))
      await changeWaiting((found) => failed(found, 'What it returned could not be kept.'));
    throw error;
  }
}

/** How many runs of one decider a node has at once; further ones wait, and hold up nothing of another. */
const AT_ONCE = 4;

/** The runs that are under way on this node; `freed` is called when one has ended. */
export function createPlaces(freed: () => void) {
  const running = new Map<string, { deciderId: string; ended: Promise<void> }>();

  async function end(id: string, ran: Promise<unknown>): Promise<void> {
    // What it throws is for whoever runs it.
    await ran.catch(() => undefined);
    running.delete(id);
    freed();
  }

  return {
    ids: (): string[] => [...running.keys()],
    has: (id: string): boolean => running.has(id),
    /** The deciders that have no place left. */
    full: (): string[] =>
      [...Map.groupBy(running.values(), ({ deciderId }) => deciderId)].flatMap(([id, own]) =>
        own.length >= AT_ONCE ? [id] : [],
      ),
    take: (id: string, deciderId: string, ran: Promise<unknown>): void =>
      void running.set(id, { deciderId, ended: end(id, ran) }),
    ended: async (): Promise<void> => void (await Promise.all(Array.from(running.values(), ({ ended }) => ended))),
  };
}
