import type { Selectable } from 'kysely';
import { AppError } from '#shared/problem.ts';
import { HOUR_MS } from '../platform/clock.ts';
import type { Schema } from '../platform/schema.ts';
import { batch, statement, type Statement, type Steps } from '../platform/steps.ts';

const MINUTE = 60_000;

/** What a call is compared by with those that came before. */
type Identity = {
  key: string | undefined;
  fingerprint: string | null;
  digest: string;
  /** What a framework asked, beside what the digest covers. */
  kept: string | null;
  /** Whether an approval follows from it, which must be fresh. */
  approves: boolean;
};

type Same = Pick<
  Selectable<Schema['inquiries']>,
  'id' | 'digest' | 'outcome' | 'resolved_at' | 'lease_until' | 'asker_gone_at' | 'ask_id' | 'kept'
>;
const same = 'select id, digest, outcome, resolved_at, lease_until, asker_gone_at, ask_id, kept from inquiries where';
const byKey = statement<Same>(`${same} source_id = ?1 and key = ?2`);
// An open one first: while a clock was wrong an older one may have got a later id.
const byFingerprint = statement<Same>(
  `${same} id = coalesce(
    (select id from inquiries where source_id = ?1 and fingerprint = ?2 and resolution is null),
    (select id from inquiries where source_id = ?1 and fingerprint = ?2 and collected_at is null order by id desc limit 1))`,
);
const byAsk = statement<Same>(`${same} ask_id = ?1`);

/** So much of `kept` is a digest of all that a framework asked; behind it stands what its reply is made of. */
export const DIGEST_CHARACTERS = 64;

function readDigest({ kept }: Pick<Identity, 'kept'>): string | undefined {
  return kept?.slice(0, DIGEST_CHARACTERS);
}

/** What reads the inquiry that this very call may have opened before. */
export function sameCall(sourceId: string, { key, fingerprint }: Identity): Statement<Same> | undefined {
  if (key !== undefined) return byKey(sourceId, key);
  return fingerprint === null ? undefined : byFingerprint(sourceId, fingerprint);
}

/**
 * The inquiry that this very call opened before (ASK2, ASK5), and whether it, or another one of its ask, is open. Throws
 * 409 for a key that belongs to something else.
 */
export function* matching(
  call: Identity,
  row: Same,
  { now, isCollected }: { now: number; isCollected: (inquiryId: string) => boolean },
): Steps<(Same & { open: boolean }) | undefined> {
  if (call.key !== undefined && (row.digest !== call.digest || readDigest(row) !== readDigest(call))) {
    throw new AppError(
      409,
      'inquiry.key_reused',
      'This key belongs to an inquiry that asks something else. Use a new key, or ask the same.',
      { extra: { inquiryId: row.id } },
    );
  }
  const parts = row.ask_id === null ? [row] : (yield* batch({ parts: byAsk(row.ask_id) })).parts;
  const open = parts.some(({ outcome }) => outcome === null);
  if (open || call.key !== undefined) return { ...row, open };
  const resolvedAt = Math.max(...parts.map(({ resolved_at }) => resolved_at ?? 0));
  const fresh = resolvedAt > now - (call.approves ? MINUTE : HOUR_MS);
  const takenBack = parts.some(({ outcome }) => outcome === 'withdrawn');
  return fresh && !isCollected(row.id) && !takenBack ? { ...row, open } : undefined;
}
