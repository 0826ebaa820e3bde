import { signal } from '@preact/signals';
import type { Problem } from '#shared/problem.ts';
import type { SubscriptionState } from '#shared/push.ts';
import { isInstalled, isIos } from '../app/browser/install.ts';
import { call } from '../live/api.ts';
import { keepStored, recall } from '../live/stored.ts';
import { isMadeWith, nextStep, subscribe } from './subscription.ts';

/**
 * Whether this device gets notifications while no page is open. `off`: nobody asked for it here. `lost`: it did, and the browser
 * let go of it; only a press brings it back. The rest: why it cannot.
 */
export type Notifications = 'unknown' | 'on' | 'off' | 'lost' | 'denied' | 'insecure' | 'ios' | 'unsupported';

export const notifications = signal<Notifications>('unknown');
/** What the hub last said of this device's subscription. */
export const hubSays = signal<SubscriptionState | undefined>(undefined);

const PATH = '/v1/devices/me/subscription';
/** Kept while this device is meant to get notifications: the endpoint that the hub was last given. */
const GIVEN = 'endpoint';

let checking: Promise<void> | undefined;

/** Finds out how things stand and repairs what needs no press; for every opening and wake. Never throws. */
export function checkNotifications(): Promise<void> {
  checking ??= check()
    .catch(() => void (notifications.value = 'unsupported'))
    .finally(() => (checking = undefined));
  return checking;
}

async function check(): Promise<void> {
  const read = await call<SubscriptionState>('GET', PATH);
  if (read.ok) hubSays.value = read.ok;
  const blocked = obstacle();
  if (blocked) {
    notifications.value = blocked;
    return;
  }
  if (!read.ok) return;
  const given = await recall<string>(GIVEN);
  const manager = await pushManager();
  const current = (await manager?.getSubscription()) ?? undefined;
  const step = nextStep(current, given, read.ok);
  if (!manager || step === 'off') notifications.value = 'off';
  else if (step === 'renew') await renew(manager, current, read.ok.vapidPublicKey);
  else if (step === 'give' && current && (await give(current, read.ok.vapidPublicKey))) notifications.value = 'lost';
  else notifications.value = 'on';
}

/** Asks for permission and subscribes. Call it from a press, before anything is awaited: browsers insist on one. */
export async function turnOnNotifications(): Promise<Problem | 'refused' | undefined> {
  const permission = await Notification.requestPermission();
  if (permission !== 'granted') {
    notifications.value = permission === 'denied' ? 'denied' : 'off';
    return undefined;
  }
  const key = hubSays.value?.vapidPublicKey;
  const manager = await pushManager();
  if (!manager || key === undefined) return 'refused';
  const current = await manager.getSubscription();
  if (current && !isMadeWith(current, key)) await current.unsubscribe();
  const made = await subscribe(manager, key);
  if (!made) return 'refused';
  return give(made, key);
}

/** Sends this device no more notifications, until somebody turns them on again. */
export async function turnOffNotifications(): Promise<Problem | undefined> {
  const reply = await call('DELETE', PATH);
  if (reply.problem) return reply.problem;
  await forgetNotifications();
  await keepStored(GIVEN, undefined);
  await checkNotifications();
  return undefined;
}

/** Takes the subscription off this browser; the hub has dropped it by itself. */
export async function forgetNotifications(): Promise<void> {
  notifications.value = 'unknown';
  hubSays.value = undefined;
  await (await (await pushManager())?.getSubscription())?.unsubscribe();
}

/** A visible test each week, or not. */
export async function testWeekly(weeklyTest: boolean): Promise<Problem | undefined> {
  const reply = await call<SubscriptionState>('PATCH', PATH, { weeklyTest });
  if (reply.ok) hubSays.value = reply.ok;
  return reply.problem;
}

const TEST_MS = 30_000;
const LOOK_MS = 1_000;

/** Sends a test through the push service; `arrived` once this device's worker has told the hub that it showed it. */
export async function sendTest(): Promise<'arrived' | 'silent' | Problem> {
  const before = hubSays.value?.subscription?.shownAt;
  const sent = await call('POST', '/v1/devices/me/test-push', {});
  if (sent.problem) return sent.problem;
  for (const until = Date.now() + TEST_MS; Date.now() < until;) {
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
    const read = await call<SubscriptionState>('GET', PATH);
    if (read.ok) hubSays.value = read.ok;
    const shownAt = read.ok?.subscription?.shownAt;
    if (shownAt !== undefined && shownAt !== before) return 'arrived';
  }
  return 'silent';
}

async function renew(manager: PushManager, current: PushSubscription | undefined, key: string): Promise<void> {
  await current?.unsubscribe();
  const made = Notification.permission === 'granted' ? await subscribe(manager, key) : undefined;
  if (!made || (await give(made, key))) notifications.value = 'lost';
}

async function give(subscription: PushSubscription, vapidPublicKey: string): Promise<Problem | undefined> {
  const { endpoint, keys } = subscription.toJSON();
  const reply = await call<SubscriptionState>('PUT', PATH, { endpoint, keys, vapidPublicKey });
  if (reply.problem) return reply.problem;
  hubSays.value = reply.ok;
  await keepStored(GIVEN, endpoint);
  notifications.value = 'on';
  return undefined;
}

function obstacle(): Notifications | undefined {
  if (!isSecureContext) return 'insecure';
  if (isIos() && !isInstalled()) return 'ios';
  if (!('serviceWorker' in navigator) || !('PushManager' in globalThis) || !('Notification' in globalThis))
    return 'unsupported';
  return Notification.permission === 'denied' ? 'denied' : undefined;
}

async function pushManager(): Promise<PushManager | undefined> {
  // `ready` never settles where no worker was registered.
  return (await navigator.serviceWorker?.getRegistration())?.pushManager;
}
