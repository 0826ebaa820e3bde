import { hash } from 'node:crypto';
import type { Ask, Inquiry } from '#shared/inquiry.ts';
import { canonical, withoutUndefined } from '#shared/json.ts';
import { invalid } from '#shared/faults.ts';
import { AppError, type Fault } from '#shared/problem.ts';
import type { Escalate } from '#shared/schemas/escalate.ts';
import { isUniqueViolation } from '../platform/database.ts';
import { withSchemaFaults } from '../platform/json-schema/check.ts';
import { batch, commitWith, type Steps } from '../platform/steps.ts';
import { judgeEscalations } from '../sources/escalation.ts';
import {
  eachOnce,
  namedBy,
  peopleBehind,
  resolveRecipients,
  type Asker,
  type Recipients,
} from '../sources/recipients.ts';
import { matching, sameCall } from './same.ts';
import { handFaults, withHands } from './approved.ts';
import { assured, standsIn, wantsPeople } from './assured.ts';
import { askFaults, readTimes, makeTitle, type Times } from './check.ts';
import type { Inquiries, Resolving } from './inquiries.ts';
import { leaseEnd, takeLease, tellAsker } from './lease.ts';
import { newRow, write, type New, type Opened, type Part, type Through } from './open.ts';
import { announceResolved, resolve, type Resolved } from './resolve.ts';
import type { Plan, AskedTogether, Settlement } from './settling.ts';
import { readState } from './state.ts';
import { alreadyResolved, askedBySource, readIn } from './store.ts';
import { withdrawnBy } from './withdraw.ts';
import { currentTrace, inSpan, traceHeaders } from '../platform/trace.ts';

/**
 * An ask of a source. `waitMs` above 0: the caller blocks and holds a lease on the inquiry. `matchedBy` is what names
 * this very call, if anything does: the same call without a key finds its inquiry by it (ASK5). Without it, and without a
 * key, a call is like no other.
 * `leased`: a relayed stream asks; it is nobody's any more once the last one is gone for long, in spite of its key.
 */
export type AskCommand = {
  sourceId: string;
  ask: Ask;
  waitMs: number;
  matchedBy?: string;
  through?: Through;
  /** Where a gate holds a call. */
  gate?: AskedTogether['gate'];
  leased?: boolean;
  /** An approval of it starts YOLO. */
  yolo?: true;
};

/** The inquiries, as their source reads them, where the call opened them. */
type AskResult = { inquiryId: string; created: boolean; inquiry?: Inquiry; further?: Inquiry[] };

/**
 * Opens an inquiry, or finds the one that the same key (ASK2) or a re-issued blocking call (ASK5)
 * already opened. When it returns, the inquiry survives any crash (ASK1) and devices are being told.
 * Throws 422 with every fault (ASK3), 409 for a key with another question or a superseded inquiry
 * that is resolved, 429 above the source's limit of open inquiries.
 */
export function ask(inquiries: Inquiries, command: AskCommand): Promise<AskResult> {
  const about = { 'beckon.source': command.sourceId };
  const after = ({ inquiryId, created }: AskResult) => ({ 'beckon.inquiry': inquiryId, 'beckon.created': created });
  return inSpan({ name: 'ask', about, after }, () => openOrFind(inquiries, command));
}

async function openOrFind(inquiries: Inquiries, command: AskCommand): Promise<AskResult> {
  const asks = [command.ask, ...(command.through?.further ?? []).map((one) => one.ask)];
  refuseFaulty(await withSchemaFaults(command.sourceId, (faults) => asks.map((one) => askFaults(one, faults))));
  const prepared = asks.map((one) => prepare(command, one));
  const { inquiryId, written, superseded, cameBack } = await openOnce(inquiries, command, prepared);
  if (cameBack) await tellAsker(inquiries, inquiryId, undefined);
  if (superseded) announceResolved(inquiries, superseded);
  for (const { inquiry, view, versions, settledBy, delegated } of written) {
    inquiries.count('asked');
    inquiries.note('asked', { inquiry: view.id, source: command.sourceId, trace: traceHeaders()['traceparent'] });
    const { outcome, by } = inquiry.resolution ?? {};
    if (outcome) inquiries.note('resolved', { inquiry: view.id, outcome, by: by?.kind ?? '' });
    if (settledBy) inquiries.count(settledBy);
    else if (view.reach.told > 0) inquiries.count('told');
    if (!settledBy) inquiries.announce.inquiry({ inquiry: view, versions });
    delegated?.announce(versions);
  }
  if (written.some(({ webhooks }) => webhooks > 0)) inquiries.wakeDeliveries();
  if (written.some(({ pushes }) => pushes > 0)) inquiries.wakePushes();
  const [inquiry, ...further] = written.map((one) => one.inquiry);
  return inquiry ? { inquiryId, created: true, inquiry, further } : { inquiryId, created: false };
}

/** Throws 422 with every fault of every inquiry; those of further ones below `/further/…`. */
export function refuseFaulty([first = [], ...further]: Fault[][]): void {
  const others = further.flatMap((faults, at) => faults.map((one) => ({ ...one, path: `/further/${at}${one.path}` })));
  if (first.length + others.length > 0) throw invalid([...first, ...others]);
}

function prepare(command: AskCommand, ask: Ask): Part {
  const { to, deadline: _deadline, latest: _latest, ...rest } = ask;
  const { title, prompt, questions, document, actions, link, ...own } = rest;
  const { through, yolo, leased } = command;
  const transport = {
    ...own,
    ...(through ? { dialect: through.dialect } : {}),
    ...(yolo ? { yolo } : {}),
    ...(leased ? { relayed: true } : {}),
  };
  const asked = {
    title: title ?? makeTitle(rest),
    ...withoutUndefined({ prompt, questions, document, actions, link }),
  };
  const digest = hash('sha256', canonical(asked));
  const { matchedBy: call, waitMs } = command;
  const known = call !== undefined && waitMs > 0 && own.key === undefined && ask === command.ask;
  const fingerprint = known ? hash('sha256', canonical({ to: to?.toSorted() ?? [], call })) : null;
  // Steps of several calls are taken together, and then it is not known any more whose they are.
  return { ask, asked, digest, fingerprint, transport, trace: currentTrace() };
}

async function openOnce(inquiries: Inquiries, command: AskCommand, prepared: Part[]): Promise<Opened> {
  const { sourceId, through, gate } = command;
  const question = { sourceId, dialect: through?.dialect.name, gate, asks: prepared.map((part) => part.ask) };
  const { supersedes } = command.ask;
  // A small ask may supersede a large inquiry; whoever may not is refused below.
  if (supersedes !== undefined) await readState(inquiries.database, supersedes, { sourceId }).catch(() => undefined);
  for (let tried = 0; tried < MOST_LOOKUPS; tried++) {
    const settlement = await inquiries.settling.lookUp(question, tried > 0);
    const work = () => open(inquiries, command, prepared, settlement);
    const opened = await inquiries.database.steps(work).catch((error: unknown) => {
      // Two calls with one key, or identical ones without, at the same moment: the other one opened it first.
      if (!isUniqueViolation(error)) throw error;
      return inquiries.database.steps(work);
    });
    if (opened !== 'outdated') return opened;
  }
  throw new AppError(
    503,
    'database.busy',
    'The rules changed again and again while this was asked; send it once more.',
  );
}

const MOST_LOOKUPS = 10;

/** "outdated": what settles it changed since it was looked up, and nothing was written. */
function* open(
  inquiries: Inquiries,
  command: AskCommand,
  prepared: Part[],
  settlement: Settlement,
): Steps<Opened | 'outdated'> {
  const { sourceId, ask, waitMs, through } = command;
  yield* settlement.lock();
  const now = inquiries.database.clock.now();
  const [{ fingerprint, digest }] = prepared as [Part];
  const approves = prepared.some(({ asked }) => asked.actions);
  const call = { key: ask.key, fingerprint, digest, kept: through?.kept ?? null, approves };
  const {
    named,
    asker: [asker],
    current,
    same: [same],
  } = yield* batch({
    ...namedBy(sourceId, ask.to, command.gate?.name),
    current: settlement.current(now),
    same: sameCall(sourceId, call),
  });
  const known = same && (yield* matching(call, same, { now, isCollected: inquiries.collected.has }));
  if (known) {
    // Whoever comes back by its key is not gone, whether it waits here or only reads from now on.
    const leased = waitMs > 0 || known.lease_until !== null;
    if (leased && known.open) yield* commitWith({ taken: takeLease(known.id, leaseEnd(command, now), known.ask_id) });
    return { inquiryId: known.id, written: [], cameBack: leased && known.asker_gone_at !== null };
  }
  if (!(yield* settlement.stillTrue(current, now))) return 'outdated';
  const times = readTimes(ask, now, waitMs > 0);
  if (Array.isArray(times)) throw invalid(times);
  const recipients = yield* resolveRecipients(ask.to, named, asker);
  const several = readApprovals(command, prepared, asker, recipients.personIds.length);
  const wanted = yield* assured(several, asker ?? NO_SCOPES, recipients.personIds, inquiries.publicUrl());
  const plans = settlement.plans.map((plan, at) =>
    plan?.does === 'settle' && standsIn(wanted[at] as Part, plan) ? undefined : plan,
  );
  const escalations = yield* readEscalations(command, prepared, { asker, recipients, times, now });
  const delegations = yield* settlement.delegations(asker?.decider ?? null);
  const ending = ask.supersedes === undefined ? undefined : yield* supersede(inquiries, sourceId, ask.supersedes, now);
  const asking = wanted.filter((_, at) => plans[at]?.does !== 'settle');
  if (asking.length > 0) yield* refuseAboveLimit(inquiries, sourceId, { now, ...measureLoad(asking, through) });
  const news: New[] = [];
  for (const [at, own] of wanted.entries()) {
    const plan = plans[at];
    const quietly = plan?.does === 'ask' && plan.quietly;
    const escalate = escalations[at] ?? [];
    const more = { ...(quietly ? { quiet: true } : {}), ...(escalate.length > 0 ? { escalate } : {}) };
    const part = { ...own, transport: { ...own.transport, ...more } };
    const delegation = wantsPeople(own.transport as Inquiry) ? undefined : delegations[at];
    const quiet = quietly || delegation?.quiet === true;
    const instead = yield* findInstead(recipients, plan);
    const { approvals } = own.transport as Inquiry;
    // A rule asks nobody instead who are too few to approve.
    const asked = instead.personIds.length < (approvals?.count ?? 0) ? recipients : instead;
    const row = newRow(command, { part, at, plan, quiet }, asked, times, now);
    news.push({
      row,
      part,
      personIds: asked.personIds,
      quiet,
      settledBy: plan?.does === 'settle' ? plan.counts : undefined,
      delegated: delegation?.write(row),
    });
  }
  return yield* write(inquiries, news, ending);
}

const NO_SCOPES = { passkey_calls: 0, passkey_cautions: 0 };

/** The same with how many people have to approve each; throws 422 where that is more than are asked. */
function readApprovals({ yolo, gate }: AskCommand, prepared: Part[], asker: Asker | undefined, people: number): Part[] {
  // YOLO is of the one person who is asked for it.
  const usual = (!yolo && asker?.approvals) || 0;
  refuseFaulty(handFaults(prepared, { usual, people, gate: gate?.name }));
  return withHands(prepared, usual);
}

/** Whom each is asked of too, and when: as it says, else as far as the default of its source can be followed. */
function* readEscalations(
  { yolo }: AskCommand,
  prepared: Part[],
  {
    asker,
    recipients: { personIds },
    times,
    now,
  }: { asker: Asker | undefined; recipients: Recipients; times: Times; now: number },
): Steps<Escalate[]> {
  if (!asker) return [];
  // YOLO is of the one person who is asked for it.
  const usual = yolo || asker.escalate === null ? [] : (JSON.parse(asker.escalate) as Escalate);
  const lists = prepared.map(({ ask }) => ask.escalate ?? usual);
  const seconds = (times.deadlineAt - now) / 1000;
  const judged = yield* judgeEscalations(lists, asker, { personIds, seconds });
  refuseFaulty(judged.map(({ faults }, at) => (prepared[at]?.ask.escalate ? faults : [])));
  return judged.map(({ steps }) => steps);
}

/** Whom a plan asks instead; those whom the source asks where nobody of them is there any more. */
function* findInstead(recipients: Recipients, plan: Plan | undefined): Steps<Recipients> {
  if (plan?.does !== 'ask' || !plan.instead) return recipients;
  const { named } = yield* batch({ named: peopleBehind(plan.instead) });
  const handles = plan.instead.filter((handle) => named.some((one) => one.handle === handle));
  return handles.length > 0 ? { ...recipients, handles, ...eachOnce(named) } : recipients;
}

function measureLoad(asking: Part[], through: Through | undefined): { more: number; moreBytes: number } {
  const texts = asking.flatMap(({ asked, transport }) => [JSON.stringify(asked), JSON.stringify(transport)]);
  const moreBytes = [...texts, through?.kept ?? ''].reduce((sum, text) => sum + Buffer.byteLength(text), 0);
  return { more: asking.length, moreBytes };
}

function* refuseAboveLimit(
  { openLimit, openBytesLimit, openCounts }: Inquiries,
  sourceId: string,
  { now, more, moreBytes }: { now: number; more: number; moreBytes: number },
): Steps<void> {
  const limits = { limit: openLimit, bytesLimit: openBytesLimit };
  const { count, bytes } = yield* openCounts.raise(sourceId, { ...limits, now, more, moreBytes });
  if (count > openLimit) {
    throw new AppError(
      429,
      'source.too_many_open',
      `This source has ${openLimit} open inquiries, which is its limit. Withdraw some or wait for answers.`,
    );
  }
  if (bytes > openBytesLimit) {
    throw new AppError(
      429,
      'source.too_much_open',
      `With this the open inquiries of this source would hold ${bytes} bytes; its limit is ${openBytesLimit}. Withdraw some, wait for answers, or ask less at once.`,
    );
  }
}

function* supersede(hub: Resolving, sourceId: string, inquiryId: string, now: number): Steps<Resolved> {
  const row = yield* readIn(askedBySource(inquiryId, sourceId));
  const ending = yield* resolve(row, withdrawnBy(row, 'superseded'), { hub, now, goesOn: true });
  if (ending) return ending;
  const current = yield* readIn(askedBySource(inquiryId, sourceId));
  throw alreadyResolved(current, 'The inquiry to supersede is resolved already, or its deadline has passed.');
}
