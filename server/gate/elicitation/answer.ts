import type { Resolution } from '#shared/answer.ts';
import type { Ask } from '#shared/inquiry.ts';
import { canonical } from '#shared/json.ts';
import { ask } from '../../inquiries/ask.ts';
import { readForSource } from '../../inquiries/read.ts';
import { waitForResolution } from '../../inquiries/wait.ts';
import type { GateConfig, Gates } from '../gates.ts';
import { wordsOf } from '../hold.ts';
import { askOfElicitation, FORM } from './read.ts';

/** What `elicitation/create` is answered with. */
export type ElicitResult = { action: 'accept' | 'decline' | 'cancel'; content?: unknown };

export type ElicitationOfGate = {
  gate: GateConfig;
  source: { id: string };
  params: unknown;
  /** The legacy session in which it came; such a one may come back within the gate's grace. */
  sessionId?: string | undefined;
  agent?: string | undefined;
  language?: string | undefined;
  /** Aborts when nobody waits for the answer any more; with a `CallCancelled`, when the call behind it was taken back. */
  signal: AbortSignal;
};

/**
 * Asks the people of a gate what its upstream asks its client. The same elicitation, issued again, finds
 * its inquiry (ASK5). "gone": nobody is there to be told, or the hub stops; the inquiry is released, not
 * resolved, unless the call behind it was taken back: then it is withdrawn. Throws `AppError`: 422 where it
 * cannot be shown, 429 above the source's limit.
 */
export async function answerElicitation(gates: Gates, elicitation: ElicitationOfGate): Promise<ElicitResult | 'gone'> {
  const { inquiries } = gates;
  const { gate, source, signal } = elicitation;
  if (signal.aborted) return 'gone';
  const asked = await askOfElicitation(elicitation);
  const held = gates.held.begin(placeOf(elicitation, asked));
  try {
    const waitMs = gate.deadline * 1000;
    const matchedBy = canonical({ elicitation: gate.name, ordinal: held.ordinal });
    const { inquiryId } = await ask(inquiries, { sourceId: source.id, ask: asked, waitMs, matchedBy });
    const { inquiry, ended } = await waitForResolution(inquiries, {
      inquiryId,
      read: () => readForSource(inquiries, inquiryId, source.id),
      callerId: source.id,
      by: 'asker',
      ms: Infinity,
      signal,
      cancelled: () => wordsOf(signal),
      graceMs: elicitation.sessionId === undefined ? undefined : gates.pace.graceMs,
    });
    if (ended !== 'resolved' || !inquiry.resolution || !(await gates.find(gate.name))) return 'gone';
    inquiries.collected.add(inquiryId);
    return elicitResultOf(asked, inquiry.resolution);
  } finally {
    held.end();
  }
}

/** What people decided, in MCP's words: nobody's answer is a "cancel", never a "decline" (RES4). */
export function elicitResultOf(asked: Ask, { outcome, answer }: Resolution): ElicitResult {
  switch (outcome) {
    case 'answered':
      return asked.link ? { action: 'accept' } : { action: 'accept', content: answer?.values?.[FORM] ?? {} };
    case 'declined':
      return { action: 'decline' };
    case 'expired':
    case 'withdrawn':
      return { action: 'cancel' };
  }
}

function placeOf({ gate, source, sessionId }: ElicitationOfGate, { questions, link, prompt }: Ask) {
  const like = canonical(['elicitation', gate.name, source.id, questions ?? null, link ?? null, prompt ?? null]);
  return { like, turn: canonical(['elicitation', gate.name, source.id, sessionId ?? null]) };
}
