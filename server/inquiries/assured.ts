import type { AnswerBody, AnswerContent, Resolution } from '#shared/answer.ts';
import { fault, invalid } from '#shared/faults.ts';
import type { Ask, Asked, Inquiry } from '#shared/inquiry.ts';
import { withoutUndefined } from '#shared/json.ts';
import { AppError } from '#shared/problem.ts';
import { saysYes } from '#shared/says-yes.ts';
import { requirePasskeys, type Subject } from '../people/passkeys/challenge.ts';
import { requestOptions } from '../people/passkeys/options.ts';
import { relyingOn } from '../people/passkeys/relying.ts';
import { verifyProof, type Verified } from '../people/passkeys/verify.ts';
import { batch, statement, type Steps } from '../platform/steps.ts';
import { readStored } from '../platform/stored.ts';
import type { Asker } from '../sources/recipients.ts';
import type { Answerer } from './answerer.ts';
import { checkedAnswer, type Given } from './given.ts';
import type { Inquiries } from './inquiries.ts';
import { alreadyResolved, parseAsked, readAsRecipient, type InquiryRow } from './store.ts';

type Assured = Pick<InquiryRow, 'transport'>;
/** An inquiry that is about to be written. */
type Part = { ask: Ask; asked: Asked; transport: object };

/** Whether a yes to it has to be signed with a passkey (APR3). */
function wantsPasskey({ transport }: Assured): boolean {
  return transport.includes('"passkey"') && readStored<Inquiry>(transport).assurance === 'passkey';
}

/** What is signed with a passkey: this answer to this inquiry, as it is stored. */
function subjectOf({ id, digest }: InquiryRow, { outcome, content, message }: Given): Subject {
  return { inquiryId: id, digest, answer: withoutUndefined({ outcome, content, message }) };
}

/**
 * What shows that a person meant exactly this answer, where that is wanted, to be spent in its transaction; a no needs
 * nothing. Throws 403 `answer.needs_passkey`, also for whoever answers in a person's name, and `passkey.refused`.
 */
export async function proveAnswer(
  { database, publicUrl }: Inquiries,
  answerer: Answerer,
  { row, given, body }: { row: InquiryRow; given: Given; body: AnswerBody },
): Promise<Verified | undefined> {
  if (!wantsPasskey(row) || !saysYes(given)) return undefined;
  // It has lost already and is told who won; only what is offered to the source as late has to be shown.
  if ((row.outcome === 'answered' || row.outcome === 'declined') && !body.late) return undefined;
  const { assertion, code } = body;
  if (answerer.via === 'mcp' || (assertion === undefined && code === undefined)) throw needsPasskey(row);
  return verifyProof(database, relyingOn(publicUrl()), answerer, subjectOf(row, given), { assertion, code });
}

/** What a browser needs to have this answer signed; throws 422 where it does not fit, 409 where it is over. */
export async function challengeAnswer(
  { database, publicUrl }: Inquiries,
  answerer: Answerer,
  inquiryId: string,
  body: AnswerBody,
) {
  const row = await readAsRecipient(database, inquiryId, answerer.personId);
  if (row.resolution !== null && !body.late) throw alreadyResolved(row, 'It is resolved already.');
  const given = await checkedAnswer(row, parseAsked(row), body);
  const here = requirePasskeys(relyingOn(publicUrl()));
  const signer = { personId: answerer.personId, deviceId: answerer.deviceId };
  return requestOptions(database, here, signer, subjectOf(row, given));
}

function needsPasskey({ transport }: Assured): AppError {
  const { assuredBy } = readStored<Inquiry>(transport);
  const who = assuredBy === undefined ? 'Whoever asks' : 'The owner';
  return new AppError(
    403,
    'answer.needs_passkey',
    `${who} wants this approved with a passkey: open it on a page where you are signed in, or send a printed code. To decline or reject it needs none.`,
  );
}

/** No rule, decider or deadline says yes where a passkey is wanted, whichever way it came there. */
export function refuseUnproved(row: Assured, { outcome, answer, by }: Pick<Resolution, 'outcome' | 'answer' | 'by'>) {
  if (by.kind === 'person' && by.amr) return;
  if (saysYes({ outcome, content: answer }) && wantsPasskey(row)) throw needsPasskey(row);
}

/** Whether only people can say yes to it: with a passkey, or several of them. */
export function wantsPeople({ assurance, approvals }: Pick<Inquiry, 'assurance' | 'approvals'>): boolean {
  return assurance === 'passkey' || approvals !== undefined;
}

/** Whether this would settle such a one with a yes. */
export function standsIn(
  { transport }: Pick<Part, 'transport'>,
  plan: { outcome: { outcome: Resolution['outcome']; answer?: AnswerContent | undefined } },
): boolean {
  const { outcome, answer } = plan.outcome;
  return wantsPeople(transport as Inquiry) && saysYes({ outcome, content: answer });
}

const able = statement<{ count: number }>(
  `select (select count(*) from passkeys where person_id in {keys ?1} and rp_id = ?2)
    + (select count(*) from passkey_codes where person_id in {keys ?1}) as count`,
);

/**
 * The same inquiries, with what the owner wants of them; throws 422 where an ask itself wants a passkey and nobody who is
 * asked has one. What the owner wants is asked all the same: its people can add one, and say no without.
 */
export function* assured<One extends Part>(
  parts: One[],
  { passkey_calls: calls, passkey_cautions: cautions }: Pick<Asker, 'passkey_calls' | 'passkey_cautions'>,
  personIds: string[],
  publicUrl: string,
): Steps<One[]> {
  if (parts.some(({ ask }) => ask.assurance === 'passkey')) {
    const { rpId = '' } = relyingOn(publicUrl);
    const {
      found: [found],
    } = yield* batch({ found: able(personIds, rpId) });
    const message =
      'wants a passkey, and nobody who is asked has one for this hub, nor a printed code: they add one under Settings, Passkeys';
    if ((found?.count ?? 0) === 0) throw invalid([fault('/assurance', 'ask.no_passkey', message)]);
  }
  return parts.map((part) => {
    const { actions } = part.asked;
    const owner = actions && (calls > 0 || (cautions > 0 && actions.some(({ caution }) => caution)));
    return owner ? { ...part, transport: { ...part.transport, assurance: 'passkey', assuredBy: 'owner' } } : part;
  });
}
