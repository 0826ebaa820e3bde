import type { Resolution } from '#shared/answer.ts';
import { saidIn } from '#shared/text.ts';
import type { VerdictWords } from './words.ts';

/** How a settled inquiry is told to this person: the sentence, the words of the answer, and its badge. */
export type Verdict = {
  say: string;
  /** The words of whoever decided; absent where nobody did or nothing was said. */
  quote?: string;
  /** Who, on what and when, where seconds matter. */
  who?: string;
  badge: { above: string; below: string; at: number; ink: boolean };
  /** Decided by nobody: an answer sent now is late, not a remark. */
  undecided: boolean;
};

const BRAND = 'Beckon';

export type Told = {
  resolution: Resolution;
  words: VerdictWords;
  source: string;
  now: number;
  deadlineAt: string;
  /** This person's handle, to say "you". */
  handle: string | undefined;
  /** When this device sent its own answer (ms), if it lost. */
  lostAt?: number | undefined;
  won: boolean;
  /** A rule handed the decision back to the agent. */
  handedBack?: boolean;
};

/** The verdict on a resolution. Expiry is never told as a choice, losing never as an error (RES2, RES4). */
export function verdictOf({
  resolution,
  words: verdict,
  source,
  now,
  deadlineAt,
  handle,
  lostAt,
  won,
  handedBack,
}: Told): Verdict {
  const { by, outcome } = resolution;
  const ruled = saidOfRule(resolution, verdict.rule, handedBack);
  const at = Date.parse(resolution.at);
  if (outcome === 'expired') {
    const proposal = resolution.answer ? { quote: resolution.text } : {};
    return {
      say: ruled ?? verdict.expired(Date.parse(deadlineAt), now),
      ...proposal,
      badge: { above: verdict.expiredMark, below: BRAND, at, ink: true },
      undecided: true,
    };
  }
  if (outcome === 'withdrawn') {
    const reason = resolution.message ? { quote: `“${resolution.message}”` } : {};
    return {
      say: verdict.withdrawn(source),
      ...reason,
      badge: { above: verdict.withdrawnMark, below: source, at, ink: true },
      undecided: true,
    };
  }
  const said = outcome === 'declined' ? resolution.message : saidIn(resolution);
  const quote = said ? { quote: `“${said.trimEnd()}”` } : {};
  if (by.kind !== 'person') {
    return {
      say: ruled ?? (by.kind === 'decider' ? verdict.byDecider : verdict.byRule)(by.label),
      ...quote,
      badge: { above: by.label, below: BRAND, at, ink: true },
      undecided: false,
    };
  }
  const device = by.device.name;
  const badge = { above: device, below: by.handle, at, ink: false };
  if (won)
    return {
      say: outcome === 'declined' ? verdict.sentDeclined(source) : verdict.sent(source),
      ...quote,
      badge,
      undecided: false,
    };
  const own = by.handle === handle;
  const who = own ? verdict.you : by.handle;
  if (lostAt !== undefined && lostAt - at < 3_600_000) {
    return {
      say: own ? verdict.already(device) : verdict.faster(who, Math.max(0, lostAt - at)),
      ...quote,
      who: verdict.who(who, device, at),
      badge,
      undecided: false,
    };
  }
  return {
    say: outcome === 'declined' ? verdict.declined(who, device) : verdict.answered(who, device),
    ...quote,
    badge,
    undecided: false,
  };
}

function saidOfRule({ by, outcome }: Resolution, words: VerdictWords['rule'], handedBack = false) {
  if (by.kind !== 'policy' || outcome === 'withdrawn') return undefined;
  const who = by.ruleId.startsWith('yol_') ? by.label : words.named(by.label);
  return words[handedBack ? 'handedBack' : outcome](who);
}
