import type { Proposal } from '#shared/policies/decider.ts';
import type { YoloState } from '#shared/policies/yolo.ts';
import { sql } from 'kysely';
import { toProposal, insertProposal, dropProposal, readProposals, readSparing } from './deciders/proposals.ts';
import { countRun, lockRun, ruleOn, type Ruled, type Ruling } from './rules/by-rule.ts';
import {
  deciderFaults,
  delegationRow,
  findDelegations,
  readSourceDecider,
  type ToDelegate,
} from './deciders/delegation.ts';
import { refuseFaulty } from '../inquiries/ask.ts';
import type { Delegated, Delegation, Plan, AskedTogether, Settlement, Settling } from '../inquiries/settling.ts';
import type { InquiryRow, Reader } from '../inquiries/store.ts';
import type { Database } from '../platform/database.ts';
import { batch, keys, type Steps } from '../platform/steps.ts';
import { holdLists, toStamp, versionsFor, createLists, type Version } from './rules/lists.ts';
import { endRunning, isYolo, readYoloStates, settleByYolo } from './yolo/store.ts';
import type { Automation } from './automation.ts';
import { startedByApproval } from './yolo/asked.ts';

type Woken = { announce: Pick<Automation['announce'], 'proposal' | 'yolo'> } & Pick<
  Automation,
  'wakeDeciders' | 'wakePushes'
>;

/** Rules, YOLO and deciders, as the life of an inquiry knows them; rules as this node read them last. */
export function createSettling(database: Database, woken: () => Woken): Settling {
  const lists = createLists(database);
  const delegated = (toDelegate: ToDelegate, inquiry: InquiryRow): Delegated => {
    const row = delegationRow(toDelegate, inquiry);
    const proposal = toProposal(row);
    return {
      statement: insertProposal(row),
      announce(versions) {
        const { announce, wakeDeciders } = woken();
        if (proposal) announce.proposal({ inquiryId: inquiry.id, proposal, versions });
        wakeDeciders();
      },
    };
  };
  return {
    async lookUp(question, anew) {
      const to = question.asks[0]?.to;
      const ruling = await ruleOn(database, anew ? await lists.read(to) : lists.known(to), question);
      return toSettlement(database, question, ruling, delegated);
    },
    async startedBy(answerer, row, content) {
      const { announce, wakePushes } = woken();
      return startedByApproval({ database, announce: announce.yolo, wakePushes }, answerer, row, content);
    },
    decider: readSparing,
    drop: dropProposal,
    shown: readShown,
    endAll: () => endRunning(database),
  };
}

function toSettlement(
  { clock }: Database,
  { sourceId, asks }: AskedTogether,
  ruling: Ruling,
  delegated: (toDelegate: ToDelegate, inquiry: InquiryRow) => Delegated,
): Settlement {
  let before: number | undefined;
  const settles = ruling.of.some((ruled) => ruled !== undefined && ruled.does !== 'ask');
  return {
    plans: ruling.of.map(toPlan),
    *lock() {
      if (settles) before = yield* holdRuling(sourceId, ruling);
    },
    current: (now) => versionsFor(asks[0]?.to, now),
    *stillTrue(current, now) {
      if (toStamp(current as Version[]) !== ruling.stamp) return false;
      if (settles && !ruling.holds(now, before)) return false;
      return yield* stillRuns(ruling, clock.inStatement ? null : now);
    },
    *delegations(stored): Steps<(Delegation | undefined)[]> {
      const decider = readSourceDecider(stored);
      const parts = asks.map((ask, at) => ({ ask, ruled: ruling.of[at] }));
      refuseFaulty(parts.map((part) => deciderFaults(part, decider)));
      const toDelegates = yield* findDelegations(parts, decider);
      return toDelegates.map(
        (toDelegate) => toDelegate && { quiet: toDelegate.quiet, write: (inquiry) => delegated(toDelegate, inquiry) },
      );
    },
  };
}

function toPlan(ruled: Ruled | undefined): Plan | undefined {
  if (ruled?.does === 'ask') return ruled;
  if (ruled?.does !== 'settle') return undefined;
  const { outcome, how, rule } = ruled;
  return {
    does: 'settle',
    outcome,
    how,
    rule: JSON.stringify({ ...rule.rule, timeZone: rule.timeZone }),
    counts: isYolo(rule.id) ? 'yolo' : 'ruled',
  };
}

/** Holds the lists until the commit, and counts the run anew where rules counted it. */
function* holdRuling(sourceId: string, { counted }: Ruling): Steps<number | undefined> {
  yield* batch({ held: holdLists() });
  if (counted === undefined) return undefined;
  yield* batch({ locked: lockRun(sourceId, counted) });
  const {
    counts: [row],
  } = yield* batch({ counts: countRun(sourceId, counted) });
  return row?.count ?? 0;
}

/** Whether the YOLO that settles some of it runs still; with this it cannot be stopped before all of it is written. */
function* stillRuns({ of }: Ruling, now: number | null): Steps<boolean> {
  const settled = of.flatMap((ruled) => (ruled?.does === 'settle' && isYolo(ruled.rule.id) ? [ruled.rule.id] : []));
  const [id] = settled;
  if (id === undefined) return true;
  const { runs } = yield* batch({ runs: settleByYolo(id, settled.length, now) });
  return runs.length > 0;
}

/** Looks first for whom there is anything, which is mostly nobody. */
async function readShown(
  read: Reader,
  personIds: string[],
): Promise<Map<string, { yolo?: YoloState; proposals?: Proposal[] }>> {
  const { rows } = await sql<{ id: string; yolos: number; proposals: number }>`select id,
    (select count(*) from yolos where person_id = people.id and seen_at is null) as yolos,
    (select count(*) from recipients join proposals on proposals.inquiry_id = recipients.inquiry_id
      where person_id = people.id and open = 1) as proposals
    from people where id in (select key from json_each(${keys(personIds)}))`.execute(read);
  const having = (what: 'yolos' | 'proposals') => rows.filter((row) => Number(row[what]) > 0).map(({ id }) => id);
  const yolos = await readYoloStates(read, having('yolos'));
  const proposals = await readProposals(read, having('proposals'));
  return new Map(
    personIds.map((id) => {
      const [yolo, own] = [yolos.get(id), proposals.get(id)];
      return [id, { ...(own ? { proposals: own } : {}), ...(yolo ? { yolo } : {}) }];
    }),
  );
}
