import {
  startAuthentication,
  startRegistration,
  type PublicKeyCredentialCreationOptionsJSON,
  type PublicKeyCredentialRequestOptionsJSON,
} from '@simplewebauthn/browser';
import type { Problem } from '#shared/problem.ts';
import type { Passkey, PasskeyDoes, Proof } from '#shared/schemas/passkeys.ts';
import { call } from '../live/api.ts';
import { say } from '../ui/language.ts';
import { words } from './words.ts';

/** What came of it, or why nothing did. */
export type Made<T> = { ok: T; problem?: never } | { ok?: never; problem: Problem };

/** Has the device sign these options, with finger, face or PIN. */
export async function signWith(optionsJSON: PublicKeyCredentialRequestOptionsJSON): Promise<Made<Proof>> {
  try {
    return { ok: { assertion: { ...(await startAuthentication({ optionsJSON })) } } };
  } catch {
    return { problem: notDone() };
  }
}

/** Shows with a passkey that something is wanted; with a printed code where one is typed. */
export async function prove(wanted: PasskeyDoes, code: string): Promise<Made<Proof>> {
  if (code.trim() !== '') return { ok: { code } };
  const options = await call<PublicKeyCredentialRequestOptionsJSON>('POST', '/v1/passkeys/challenge', wanted);
  return options.problem ? { problem: options.problem } : signWith(options.ok);
}

/** Makes a passkey in this device or another, and gives it to the hub. */
export async function addPasskey(name: string, proof: Proof): Promise<Made<Passkey>> {
  const options = await call<PublicKeyCredentialCreationOptionsJSON>('POST', '/v1/passkeys/options', proof);
  if (options.problem) return { problem: options.problem };
  try {
    const response = await startRegistration({ optionsJSON: options.ok });
    const reply = await call<Passkey>('POST', '/v1/passkeys', { name, response });
    return reply.problem ? { problem: reply.problem } : { ok: reply.ok };
  } catch {
    return { problem: notDone() };
  }
}

function notDone(): Problem {
  const { notDone: detail } = say(words);
  return { type: '', title: '', status: 0, code: 'passkey.not_done', detail };
}

/** Whether a passkey can be used on this page: over https or localhost, at the hub's own address. */
export function works({ rpId }: { rpId?: string | undefined }): boolean {
  const { hostname } = location;
  return isSecureContext && 'credentials' in navigator && rpId !== undefined && hostname === rpId;
}
