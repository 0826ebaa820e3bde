import type { AnswerReply } from '#shared/answer.ts';
import type { HandReply } from '#shared/hands.ts';
import { call, isPassing, isRevoked } from '../api.ts';
import { tell } from '../line.ts';
import { endSession } from '../session.ts';
import { outlivesPage, pageLeaves } from './leaving.ts';
import type { Outcome, Queued } from './outbox.ts';

/** Gives the hub an answer, over the live line or HTTP; `unsent` when it should be tried again later. */
export async function deliver({ inquiryId, body }: Queued): Promise<Outcome | 'unsent'> {
  // A page that goes has no time to wait for the line.
  const keepalive = pageLeaves && outlivesPage(body);
  const acknowledged = keepalive ? undefined : await tell('answer', { inquiryId, ...body });
  if (acknowledged) return orUnsent('problem' in acknowledged ? acknowledged : toOutcome(acknowledged));
  const reply = await call<AnswerReply | HandReply>('POST', `/v1/inquiries/${inquiryId}/answer`, body, { keepalive });
  if (!reply.problem) return toOutcome(reply.ok);
  // 409 is not an error here: it is the reply of an answer that came second.
  return isReply(reply.problem) ? { reply: reply.problem } : orUnsent({ problem: reply.problem });
}

// A passing problem is no outcome: the answer waits and is sent again.
function orUnsent(outcome: Outcome): Outcome | 'unsent' {
  if (!('problem' in outcome) || !isPassing(outcome.problem)) {
    if ('problem' in outcome && isRevoked(outcome.problem)) void endSession(true);
    return outcome;
  }
  return 'unsent';
}

function toOutcome(reply: AnswerReply | HandReply): Outcome {
  return 'inquiry' in reply ? { hand: reply.inquiry } : { reply };
}

function isReply(value: object): value is AnswerReply {
  return 'won' in value && 'resolution' in value;
}
