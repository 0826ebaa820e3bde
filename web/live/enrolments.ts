import { computed, signal } from '@preact/signals';
import type { HubToDevice } from '#shared/live.ts';
import type { AccessRequest } from '#shared/schemas/enrolments.ts';
import type { PasskeyNews } from '#shared/schemas/passkeys.ts';
import { call } from './api.ts';

export type Claim = Parameters<HubToDevice['claimed']>[0];
type Admitted = Parameters<HubToDevice['enrolled']>[0];

/** Devices that ask to sign in. */
export const accessRequests = signal<readonly AccessRequest[]>([]);
/** Access requests this device allowed, with the digits to be typed on the new device. */
export const allowed = signal<readonly (AccessRequest & { code: string })[]>([]);
/** New devices that opened a link of this device and show one of `numbers`. */
export const claims = signal<readonly Claim[]>([]);
/** Devices that signed in while this page was open. */
export const admitted = signal<readonly Admitted[]>([]);
/** What was changed of one's passkeys last, until somebody has read it here. */
export const passkeyNews = signal<PasskeyNews | undefined>(undefined);
export const enrolmentsOpen = computed(
  () => accessRequests.value.length + claims.value.length + allowed.value.length > 0,
);

// How often an access request came or went: a reading during which one did may be older than it.
let changes = 0;

export const enrolmentEvents = {
  access_request(request: AccessRequest) {
    changes++;
    accessRequests.value = [
      ...accessRequests.value.filter(({ enrolmentId }) => enrolmentId !== request.enrolmentId),
      request,
    ];
  },
  access_request_withdraw({ enrolmentId, allowedOn }: { enrolmentId: string; allowedOn?: string }) {
    dropAccessRequest(enrolmentId);
    // Ended rather than allowed: its digits open nothing any more.
    if (allowedOn === undefined) dropAllowed(enrolmentId);
  },
  claimed(claim: Claim) {
    claims.value = [...claims.value.filter(({ enrolmentId }) => enrolmentId !== claim.enrolmentId), claim];
  },
  enrolled(event: Admitted) {
    // Of the digits shown here, those whose device came in have done their work.
    allowed.value = allowed.value.filter(({ deviceName }) => deviceName !== event.device.name);
    admitted.value = [...admitted.value.filter(({ device }) => device.id !== event.device.id), event];
  },
  passkey: (news: PasskeyNews) => void (passkeyNews.value = news),
} satisfies Partial<HubToDevice>;

/** Reads who asked to sign in while there was no line. */
export async function readAccessRequests(): Promise<void> {
  const before = changes;
  const reply = await call<{ items: AccessRequest[] }>('GET', '/v1/enrolments');
  if (changes !== before) return readAccessRequests();
  if (reply.ok) accessRequests.value = reply.ok.items;
}

export function dropAccessRequest(enrolmentId: string): void {
  changes++;
  accessRequests.value = accessRequests.value.filter((request) => request.enrolmentId !== enrolmentId);
}

/** The digits were typed, or are not wanted any more. */
export function dropAllowed(enrolmentId: string): void {
  allowed.value = allowed.value.filter((request) => request.enrolmentId !== enrolmentId);
}

export function dropClaim(enrolmentId: string): void {
  claims.value = claims.value.filter((claim) => claim.enrolmentId !== enrolmentId);
}

export function dropAdmitted(deviceId: string): void {
  admitted.value = admitted.value.filter(({ device }) => device.id !== deviceId);
}
