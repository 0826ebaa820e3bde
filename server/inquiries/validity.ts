import type { Resolution } from '#shared/answer.ts';
import type { Inquiry } from '#shared/inquiry.ts';
import { chooseLanguage } from '#shared/texts/language.ts';
import { approvalEnded } from '#shared/texts/outcomes.ts';
import { endedUnused, hasEnded } from '#shared/validity.ts';
import { DAY_MS, iso } from '../platform/clock.ts';
import { readStored } from '../platform/stored.ts';

const DEFAULT_MS = { callWaits: DAY_MS, nobodyWaits: 7 * DAY_MS };

/** Of an inquiry: what it and its source say of how long an approval holds, and whether a call waits for the answer. */
type Holding = { transport: string; source_valid_for: number | null; awaited: number };

/**
 * Until when the calls that an answer approved or edited may run (APR1): as its ask says, else its source, else a day, or a
 * week where no call waits for the answer. Empty where the answer lets nothing run.
 */
export function holdsUntil(
  { transport, source_valid_for, awaited }: Holding,
  { outcome, answer }: Pick<Resolution, 'outcome' | 'answer'>,
  now: number,
): Pick<Resolution, 'validUntil'> {
  const lets = answer?.decisions?.some(({ type }) => type === 'approve' || type === 'edit');
  if (outcome !== 'answered' || !lets) return {};
  const { validFor = source_valid_for } = readStored<Inquiry>(transport);
  const usual = awaited === 1 ? DEFAULT_MS.callWaits : DEFAULT_MS.nobodyWaits;
  return { validUntil: iso(now + (validFor === null ? usual : validFor * 1000)) };
}

/**
 * An inquiry as whoever acts on it takes it: an approval that ended before its source had it is none, and reads as
 * expired (APR1). One that was collected in time reads the same for ever.
 */
export function usable(inquiry: Inquiry, now: number): Inquiry {
  return endedUnused(inquiry, now) ? asEnded(inquiry) : inquiry;
}

/** The same for whoever runs it by that at once: what was collected in time has ended for them too. */
export function runnable(inquiry: Inquiry, now: number): Inquiry {
  return hasEnded(inquiry, now) ? asEnded(inquiry) : inquiry;
}

function asEnded(inquiry: Inquiry): Inquiry {
  const { validUntil = '' } = inquiry.resolution ?? {};
  const { context } = inquiry;
  const text = approvalEnded(validUntil, chooseLanguage(context?.language, undefined));
  const by = { kind: 'deadline' as const, label: 'deadline' };
  return { ...inquiry, state: 'expired', resolution: { outcome: 'expired', at: validUntil, text, by } };
}

/** The header that names when the first of these approvals ends, for whoever reads them again. */
export function validityHeader(inquiries: Inquiry[]): Record<string, string> {
  const [first] = inquiries.flatMap(({ resolution }) => resolution?.validUntil ?? []).toSorted();
  return first === undefined ? {} : { 'beckon-valid-until': first };
}
