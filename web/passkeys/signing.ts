import type { PublicKeyCredentialRequestOptionsJSON } from '@simplewebauthn/browser';
import { signal } from '@preact/signals';
import type { AnswerBody } from '#shared/answer.ts';
import type { Inquiry } from '#shared/inquiry.ts';
import type { Problem } from '#shared/problem.ts';
import type { Proof } from '#shared/schemas/passkeys.ts';
import { call } from '../live/api.ts';
import { signWith } from './ceremony.ts';

type Body = Omit<AnswerBody, 'answerId' | 'digest'>;

/** A printed code, typed beside an inquiry in place of a passkey. */
export const printed = signal<{ inquiryId: string; code: string } | undefined>(undefined);

// Options live for a minute; what a press needs is fetched before it, since Safari wants the call close to the tap.
const FRESH_MS = 45_000;
let ready: { key: string; at: number; options: PublicKeyCredentialRequestOptionsJSON } | undefined;

/** Fetches what signing this answer needs, so that a press can begin at once. */
export async function prepare({ id, digest }: Inquiry, body: Body): Promise<Problem | undefined> {
  const key = JSON.stringify([id, body]);
  const reply = await call<PublicKeyCredentialRequestOptionsJSON>('POST', `/v1/inquiries/${id}/passkey-challenge`, {
    ...body,
    digest,
  });
  if (reply.ok) ready = { key, at: performance.now(), options: reply.ok };
  return reply.problem;
}

/** What shows that this person means exactly this answer, to be sent with it; or why there is nothing. */
export async function sign(
  inquiry: Inquiry,
  body: Body,
): Promise<{ proof: Proof | undefined; problem: Problem | undefined }> {
  const { code, inquiryId } = printed.value ?? {};
  if (code?.trim() && inquiryId === inquiry.id) return { proof: { code }, problem: undefined };
  const key = JSON.stringify([inquiry.id, body]);
  const isReady = () => ready?.key === key && performance.now() - ready.at < FRESH_MS;
  const problem = isReady() ? undefined : await prepare(inquiry, body);
  if (problem || !ready) return { proof: undefined, problem };
  const { options } = ready;
  // It counts once, whatever comes of it.
  ready = undefined;
  const made = await signWith(options);
  return { proof: made.ok, problem: made.problem };
}
