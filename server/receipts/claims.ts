import { hash } from 'node:crypto';
import type { By, Decision, Resolution } from '#shared/answer.ts';
import type { Action, Inquiry } from '#shared/inquiry.ts';
import { canonical, parseExact } from '#shared/json.ts';
import { saysYes } from '#shared/says-yes.ts';
import { secretIds } from '../inquiries/seal.ts';

/** One call of a receipt: what was shown, what was decided, and what may run by it. */
export type ReceiptCall = {
  type: 'beckon_call';
  tool: string;
  shown: string;
  decision: Decision['type'];
  /** The asker's own button that was pressed, by its id. */
  option?: string;
  run?: string;
};
/** What was answered where no call was asked about; without a digest of the answer where a secret is part of it. */
type ReceiptAnswer = { type: 'beckon_answer'; answer?: string };

/** The claims of a receipt: those that are registered (RFC 7519, 8176, 8417, 8693, 9396), and what was shown as a whole. */
export type Claims = {
  iss: string;
  /** Who decided: `person:`, `rule:` or `decider:` and its name. */
  sub: string;
  /** Who asked: `source:` and its id. */
  act: { sub: string };
  aud?: string;
  iat: number;
  /** Absent: nothing may run by it. */
  exp?: number;
  jti: string;
  /** The inquiry. */
  txn: string;
  acr: 'person' | 'rule' | 'decider';
  amr?: string[];
  /** Where several people had to approve: all of them, with when and how each showed that it is them. */
  approved_by?: { sub: string; at: number; amr: string[] }[];
  outcome: Resolution['outcome'];
  /** SHA-256 over all that was shown, which the inquiry has as its digest too. */
  shown: string;
  authorization_details: (ReceiptCall | ReceiptAnswer)[];
};

/** What a call is known by: SHA-256, in lower-case hex, over `{"arguments":…,"tool":…}` with members sorted and numbers as written. */
export function digestCall(tool: string, args: unknown): string {
  return hash('sha256', canonical({ tool, arguments: args }));
}

/**
 * The claims about a resolution, always the same for the same inquiry, with every number as it was written. Undefined
 * where nobody decided: a deadline and a withdrawal have no receipt.
 */
export function toClaims(
  inquiry: Inquiry,
  { issuer, audience }: { issuer: string; audience?: string | undefined },
): Claims | undefined {
  const { id, source, digest, resolution } = inquiry;
  const decider = resolution && describeDecider(resolution.by);
  if (!resolution || !decider || (resolution.outcome !== 'answered' && resolution.outcome !== 'declined'))
    return undefined;
  const { at, validUntil, outcome } = resolution;
  return {
    iss: issuer,
    ...decider,
    ...describeHands(inquiry),
    act: { sub: `source:${source.id}` },
    ...(audience === undefined ? {} : { aud: audience }),
    iat: toSeconds(at),
    ...(validUntil === undefined ? {} : { exp: toSeconds(validUntil) }),
    jti: `rcp${id.slice(3)}`,
    txn: id,
    outcome,
    shown: digest,
    authorization_details: inquiry.actions
      ? inquiry.actions.map((action, at) => describeCall(action, resolution.answer?.decisions?.[at]))
      : [describeAnswer(inquiry, resolution)],
  };
}

function describeDecider(by: By): Pick<Claims, 'sub' | 'acr' | 'amr'> | undefined {
  if (by.kind === 'person') return { sub: `person:${by.handle}`, acr: 'person', amr: by.amr ?? ['user'] };
  if (by.kind === 'policy') return { sub: `rule:${by.ruleId}`, acr: 'rule' };
  return by.kind === 'decider' ? { sub: `decider:${by.deciderId}`, acr: 'decider' } : undefined;
}

function describeHands({ approvals, approved, resolution }: Inquiry): Pick<Claims, 'approved_by'> {
  if (!approvals || !approved || !saysYes({ outcome: resolution?.outcome ?? '', content: resolution?.answer }))
    return {};
  return {
    approved_by: approved.map(({ by, at }) => ({
      sub: `person:${by.handle}`,
      at: toSeconds(at),
      amr: by.amr ?? ['user'],
    })),
  };
}

function describeCall({ name, args }: Action, decision: Decision | undefined): ReceiptCall {
  const shown = digestCall(name, args);
  const option = decision && 'optionId' in decision ? decision.optionId : undefined;
  const call = { type: 'beckon_call' as const, tool: name, shown, ...(option === undefined ? {} : { option }) };
  switch (decision?.type) {
    case 'approve':
      return { ...call, decision: 'approve', run: shown };
    case 'edit':
      return {
        ...call,
        decision: 'edit',
        run: digestCall(name, decision.args ?? parseExact(decision.argsText ?? 'null')),
      };
    case 'respond':
      return { ...call, decision: 'respond' };
    // Whoever declined approved nothing.
    case 'reject':
    case undefined:
      return { ...call, decision: 'reject' };
  }
}

function describeAnswer(inquiry: Inquiry, { answer }: Resolution): ReceiptAnswer {
  if (answer === undefined || secretIds(inquiry).length > 0) return { type: 'beckon_answer' };
  return { type: 'beckon_answer', answer: hash('sha256', canonical(answer)) };
}

function toSeconds(instant: string): number {
  return Math.floor(Date.parse(instant) / 1000);
}
