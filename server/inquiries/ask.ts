import { createHash } from 'node:crypto';
import { sql, type Selectable } from 'kysely';
import type { Ask, Asked, Inquiry } from '#shared/inquiry.ts';
import { newId } from '#shared/ids.ts';
import { canonical, definedOf } from '#shared/json.ts';
import { invalid } from '#shared/faults.ts';
import { AppError } from '#shared/problem.ts';
import { wantShown } from '../deliveries/push/want.ts';
import { tell } from '../deliveries/inquiry-devices.ts';
import { HOUR_MS, type Clock } from '../platform/clock.ts';
import { isUniqueViolation, type Transaction } from '../platform/database.ts';
import type { Schema } from '../platform/schema.ts';
import { recipientsFor, type Recipients } from '../sources/recipients.ts';
import { askFaults, timesOf, titleOf, type Times } from './check.ts';
import type { Inquiries, PersonVersion } from './inquiries.ts';
import { announceResolved, warnUnreachable, type Resolved } from './resolve.ts';
import {
  alreadyResolved,
  deviceView,
  raiseVersions,
  readAsSource,
  selectInquiries,
  sourceView,
  type InquiryRow,
} from './store.ts';
import { withdrawNow } from './withdraw.ts';
import { leaseEnd, takeLease } from './lease.ts';

/** Written out: SQLite plans a statement anew at each run when its limit is a parameter. */
const ONE = sql.lit(1);
const MINUTE = 60_000;
/** How long after opening somebody must have been reached before the source is warned (DLV2). */
export const REACH_MS = MINUTE;

/**
 * An ask of a source. `waitMs` above 0: the caller blocks and holds a lease on the inquiry. `matchedBy`
 * is what a re-issued call without key is matched by (ASK5), where the caller knows it better than what is asked says.
 */
export type AskCommand = { sourceId: string; ask: Ask; waitMs: number; matchedBy?: string };
/** `inquiry`, as its source reads it, where the call opened it. */
type AskResult = { inquiryId: string; created: boolean; inquiry?: Inquiry };

type Prepared = { asked: Asked & { title: string }; digest: string; fingerprint: string | null; transport: object };
type Opened = AskResult & {
  view?: Inquiry;
  versions: PersonVersion[];
  superseded: Resolved | undefined;
  pushes: number;
  webhooks: number;
};

/**
 * Opens an inquiry, or finds the one that the same key (ASK2) or a re-issued blocking call (ASK5)
 * already opened. When it returns, the inquiry survives any crash (ASK1) and devices are being told.
 * Throws 422 with every fault (ASK3), 409 for a key with another question or a superseded inquiry
 * that is resolved, 429 above the source's limit of open inquiries.
 */
export async function ask(inquiries: Inquiries, command: AskCommand): Promise<AskResult> {
  const faults = await askFaults(command.sourceId, command.ask);
  if (faults.length > 0) throw invalid(faults);
  const prepared = prepare(command);
  const opened = await openOnce(inquiries, command, prepared);
  if (opened.superseded) announceResolved(inquiries, opened.superseded);
  if (opened.view) {
    inquiries.announce.inquiry({ inquiry: opened.view, versions: opened.versions });
    inquiries.count('asked');
  }
  if (opened.webhooks > 0) inquiries.wakeDeliveries();
  if (opened.pushes > 0) inquiries.wakePushes();
  const { inquiryId, created, inquiry } = opened;
  return inquiry ? { inquiryId, created, inquiry } : { inquiryId, created };
}

function prepare(command: AskCommand): Prepared {
  const { to, deadline: _deadline, latest: _latest, ...rest } = command.ask;
  const { title, prompt, questions, document, actions, link, ...transport } = rest;
  const asked = { title: title ?? titleOf(rest), ...definedOf({ prompt, questions, document, actions, link }) };
  const digest = sha256(canonical(asked));
  const blocking = command.waitMs > 0 && transport.key === undefined;
  const { context, group } = transport;
  const call = command.matchedBy ?? { digest, context: context ?? {}, group: group ?? '' };
  const fingerprint = blocking ? sha256(canonical({ to: to?.toSorted() ?? [], call })) : null;
  return { asked, digest, fingerprint, transport };
}

async function openOnce(inquiries: Inquiries, command: AskCommand, prepared: Prepared): Promise<Opened> {
  try {
    return await inquiries.database.transaction((trx) => open(inquiries, trx, command, prepared));
  } catch (error) {
    // Two calls with one key, or identical ones without, at the same moment: the other one opened it first.
    if (!isUniqueViolation(error)) throw error;
    return inquiries.database.transaction((trx) => open(inquiries, trx, command, prepared));
  }
}

async function open(inquiries: Inquiries, trx: Transaction, command: AskCommand, prepared: Prepared): Promise<Opened> {
  const now = inquiries.database.clock.now();
  const known = await findKnown(trx, inquiries, command, prepared, now);
  if (known) {
    // Whoever comes back by its key is not gone, whether it waits here or only reads from now on.
    const leased = command.waitMs > 0 || known.lease_until !== null;
    if (leased && known.resolution === null) await takeLease(trx, known.id, leaseEnd(command, now));
    return { inquiryId: known.id, created: false, versions: [], superseded: undefined, pushes: 0, webhooks: 0 };
  }
  const times = timesOf(command.ask, now, command.waitMs > 0);
  if (Array.isArray(times)) throw invalid(times);
  const recipients = await recipientsFor(trx, command.sourceId, command.ask.to);
  const { personIds } = recipients;
  const superseded =
    command.ask.supersedes === undefined
      ? undefined
      : await supersede(trx, command.sourceId, command.ask.supersedes, { clock: inquiries.database.clock, now });
  await refuseAboveLimit(inquiries, trx, command.sourceId, now);

  const { source, inquiry } = newRow(command, prepared, recipients, times, now);
  const inquiryId = inquiry.id;
  await trx.insertInto('inquiries').values(inquiry).execute();
  await trx
    .insertInto('recipients')
    .values(personIds.map((personId) => ({ person_id: personId, inquiry_id: inquiryId })))
    .execute();
  const { told } = await tell(trx, inquiryId, personIds, now);
  const pushes = await wantShown(trx, { subjectId: inquiryId, personIds, giveUpAt: inquiry.deadline_at, now });
  const row = { ...inquiry, ...source };
  const webhooks = told === 0 ? await warnUnreachable(trx, row, now) : 0;
  const versions = await raiseVersions(trx, personIds);
  const reach = { told, accepted: 0, shown: 0, opened: 0 };
  return {
    inquiryId,
    created: true,
    inquiry: sourceView(row, { reach }),
    view: deviceView(row, { reach }),
    versions,
    superseded,
    pushes,
    webhooks,
  };
}

/** Every column of a new inquiry, and those of its source that are read with it: what is stored need not be read back. */
function newRow(
  command: AskCommand,
  prepared: Prepared,
  { handles, source }: Recipients,
  times: Times,
  now: number,
): { inquiry: Selectable<Schema['inquiries']>; source: Omit<InquiryRow, keyof Schema['inquiries']> } {
  return {
    inquiry: {
      id: newId('inq', now),
      source_id: command.sourceId,
      key: command.ask.key ?? null,
      fingerprint: prepared.fingerprint,
      digest: prepared.digest,
      asked: JSON.stringify(prepared.asked),
      transport: JSON.stringify(prepared.transport),
      asked_of: JSON.stringify(handles),
      group_name: command.ask.group ?? null,
      revision: 1,
      opened_at: now,
      deadline_at: Math.round(times.deadlineAt),
      latest_at: Math.round(times.latestAt),
      lease_until: leaseEnd(command, now),
      reach_due_at: now + REACH_MS,
      outcome: null,
      resolution: null,
      resolved_at: null,
      collected_at: null,
      late_count: 0,
      sealed: null,
    },
    source: {
      source_name: source.name,
      source_locale: source.locale,
      source_texts: source.texts,
      source_webhook_url: source.webhook_url,
      source_revoked_at: null,
    },
  };
}

async function findKnown(
  trx: Transaction,
  { collected }: Inquiries,
  { sourceId, ask: { key } }: AskCommand,
  { digest, fingerprint, asked }: Prepared,
  now: number,
): Promise<InquiryRow | undefined> {
  const own = selectInquiries(trx).where('inquiries.source_id', '=', sourceId);
  if (key !== undefined) {
    const row = await own.where('inquiries.key', '=', key).executeTakeFirst();
    if (row && row.digest !== digest) {
      throw new AppError(
        409,
        'inquiry.key_reused',
        'This key belongs to an inquiry that asks something else. Use a new key, or ask the same.',
        { extra: { inquiryId: row.id } },
      );
    }
    return row;
  }
  if (fingerprint === null) return undefined;
  const row = await own
    .where('inquiries.fingerprint', '=', fingerprint)
    .where('inquiries.collected_at', 'is', null)
    .orderBy('inquiries.id', 'desc')
    .limit(ONE)
    .executeTakeFirst();
  if (!row || row.resolution === null) return row;
  const fresh = (row.resolved_at ?? 0) > now - (asked.actions ? MINUTE : HOUR_MS);
  return fresh && !collected.has(row.id) && row.outcome !== 'withdrawn' ? row : undefined;
}

async function refuseAboveLimit(
  { openLimit, openCounts }: Inquiries,
  trx: Transaction,
  sourceId: string,
  now: number,
): Promise<void> {
  if ((await openCounts.raise(trx, sourceId, openLimit, now)) > openLimit) {
    throw new AppError(
      429,
      'source.too_many_open',
      `This source has ${openLimit} open inquiries, which is its limit. Withdraw some or wait for answers.`,
    );
  }
}

async function supersede(
  trx: Transaction,
  sourceId: string,
  inquiryId: string,
  at: { clock: Clock; now: number },
): Promise<Resolved> {
  const row = await readAsSource(trx, inquiryId, sourceId);
  const resolved = await withdrawNow(trx, row, 'superseded', at);
  if (resolved) return resolved;
  const current = await readAsSource(trx, inquiryId, sourceId);
  throw alreadyResolved(current, 'The inquiry to supersede is resolved already, or its deadline has passed.');
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

const RECOUNT_MS = 10_000;

export type OpenCounts = ReturnType<typeof createOpenCounts>;

/**
 * Counts open inquiries without counting rows at each ask: what was counted, plus what was asked on
 * this node since, is never too low for one node; it is counted anew above the limit, or after 10 s
 * because other nodes ask too.
 */
export function createOpenCounts() {
  const known = new Map<string, { count: number; countedAt: number }>();
  return {
    /** How many open inquiries a source has at most, one more included. */
    async raise(trx: Transaction, sourceId: string, limit: number, now: number): Promise<number> {
      let entry = known.get(sourceId);
      if (!entry || entry.countedAt < now - RECOUNT_MS || entry.count >= limit) {
        entry = { count: await countOpen(trx, sourceId), countedAt: now };
        known.set(sourceId, entry);
      }
      return ++entry.count;
    },
  };
}

async function countOpen(trx: Transaction, sourceId: string): Promise<number> {
  const { open } = await trx
    .selectFrom('inquiries')
    .select(({ fn }) => fn.countAll<number>().as('open'))
    .where('source_id', '=', sourceId)
    .where('resolution', 'is', null)
    .executeTakeFirstOrThrow();
  return Number(open);
}
