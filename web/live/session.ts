import { signal } from '@preact/signals';
import type { ChangePreferences } from '#shared/preferences.ts';
import type { Problem } from '#shared/problem.ts';
import type { Me, Person } from '#shared/wire.ts';
import type { Enrolled } from '#shared/schemas/enrolments.ts';
import { language, speak } from '../ui/language.ts';
import { call, useCredential } from './api.ts';
import { clearStored, keepStored, recall } from './stored.ts';

export type Session = { state: 'reading' } | { state: 'out'; revoked?: true } | { state: 'in'; token: string };

/** Whether this device is signed in. */
export const session = signal<Session>({ state: 'reading' });
/** True from redeeming a link until its last card is closed, though the token is already kept. */
export const joining = signal(false);
const JOINING = 'joining';
/** Who answers on this device; undefined until the hub has said so once. */
export const me = signal<Me | undefined>(undefined);

/** Keeps, for a page that is loaded again, that the last card of a link is still to be closed. */
export function stayJoining(): Promise<void> {
  return keepStored(JOINING, true);
}

/** The last card is closed. */
export async function finishJoining(): Promise<void> {
  await keepStored(JOINING, undefined);
  joining.value = false;
}

/** Reads the token that an earlier visit kept. */
export async function resumeSession(): Promise<void> {
  const token = await recall<string>('token');
  me.value = await recall<Me>('me');
  joining.value = token !== undefined && me.value !== undefined && (await recall<boolean>(JOINING)) === true;
  if (token === undefined) session.value = { state: 'out' };
  else enter(token);
}

/** Keeps the token that the hub has just given, and goes in. */
export async function beginSession(enrolled: Enrolled): Promise<void> {
  await keepStored('token', enrolled.accessToken);
  enter(enrolled.accessToken);
  await readMe();
}

/** Forgets everything of this origin; `revoked` when it was not this person's own wish. */
export async function endSession(revoked: boolean): Promise<void> {
  if (session.value.state !== 'in') return;
  useCredential(undefined, () => {});
  session.value = revoked ? { state: 'out', revoked: true } : { state: 'out' };
  me.value = undefined;
  await clearStored();
}

let heard = 0;

/** What another device of this person changed is so here at once. */
export const meEvents = {
  me(said: Pick<Me, 'person' | 'preferences'>) {
    heard++;
    if (me.value) void keepMe({ ...me.value, ...said });
  },
};

/** Asks the hub who this is; true once it said so. */
export async function readMe(): Promise<boolean> {
  const before = heard;
  const { ok } = await call<Me>('GET', '/v1/people/me');
  // What was told while the reply was on its way may be newer than it.
  if (ok && heard !== before) return readMe();
  if (ok) await keepMe(ok);
  return ok !== undefined;
}

export type MeChange =
  | Partial<Pick<Person, 'locale' | 'privacy' | 'name' | 'handle'>>
  | { preferences: ChangePreferences };

/** Changes something of this person; what keeps the hub from it, if anything. */
export async function changeMe(change: MeChange): Promise<Problem | undefined> {
  const reply = await call<Me>('PATCH', '/v1/people/me', change);
  if (reply.ok) await keepMe(reply.ok);
  return reply.problem;
}

/** Takes over what the hub says about this person and device. */
export async function keepMe(said: Me): Promise<void> {
  me.value = said;
  const { locale } = said.person;
  if (locale && locale !== language.value) speak(locale);
  await keepStored('me', said);
}

function enter(token: string): void {
  useCredential(token, () => void endSession(true));
  session.value = { state: 'in', token };
}
