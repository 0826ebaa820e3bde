import type { SubscriptionState } from '#shared/push.ts';

const SUBSCRIBE_MS = 20_000;

/** A subscription of this browser; undefined when it gives none, or none in time. */
export async function subscribe(manager: PushManager, key: string): Promise<PushSubscription | undefined> {
  // Where the push service cannot be reached, Chromium tries for ever.
  const late = new Promise<undefined>((resolve) => setTimeout(() => resolve(undefined), SUBSCRIBE_MS));
  const asked = manager.subscribe({ userVisibleOnly: true, applicationServerKey: key }).catch(() => undefined);
  return Promise.race([asked, late]);
}

type Existing = { endpoint: string; options: { applicationServerKey: ArrayBuffer | null } };

/**
 * What is to be done about a browser's subscription. `given` is the endpoint that the hub was last given, while this
 * device is meant to get notifications. `renew`: subscribe anew; `give`: tell the hub of the one there is.
 */
export function nextStep(
  current: Existing | undefined,
  given: string | undefined,
  hub: SubscriptionState,
): 'off' | 'renew' | 'give' | 'keep' {
  if (!current) return given === undefined ? 'off' : 'renew';
  if (!isMadeWith(current, hub.vapidPublicKey)) return 'renew';
  if (current.endpoint !== given) return 'give';
  // The hub drops what the push service calls gone; the browser does not hear of that.
  return hub.subscription ? 'keep' : 'renew';
}

/** Whether the hub's key (base64url) can send to it. */
export function isMadeWith(
  subscription: { options: { applicationServerKey: ArrayBuffer | null } },
  key: string,
): boolean {
  const { applicationServerKey } = subscription.options;
  if (!applicationServerKey) return false;
  const text = btoa(String.fromCharCode(...new Uint8Array(applicationServerKey)));
  return text.replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '') === key;
}
