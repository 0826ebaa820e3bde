const SUBSCRIBE_MS = 20_000;

/** A subscription of this browser; undefined when it gives none, or none in time. */
export async function subscribe(manager: PushManager, key: string): Promise<PushSubscription | undefined> {
  // Where the push service cannot be reached, Chromium tries for ever.
  const late = new Promise<undefined>((resolve) => setTimeout(() => resolve(undefined), SUBSCRIBE_MS));
  const asked = manager.subscribe({ userVisibleOnly: true, applicationServerKey: key }).catch(() => undefined);
  return Promise.race([asked, late]);
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
