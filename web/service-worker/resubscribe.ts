import type { SubscriptionState } from '#shared/push.ts';
import { callAsDevice } from './browser.ts';

const PATH = '/v1/devices/me/subscription';

/** Renews a subscription that the browser replaced or dropped; the page tries again at its next opening. */
export async function resubscribe({ pushManager }: ServiceWorkerRegistration): Promise<void> {
  const { status, body } = await callAsDevice('GET', PATH);
  if (status !== 200) return;
  const { vapidPublicKey } = body as SubscriptionState;
  try {
    const subscription = await pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: vapidPublicKey });
    const { endpoint, keys } = subscription.toJSON();
    await callAsDevice('PUT', PATH, { endpoint, keys, vapidPublicKey });
  } catch {
    // Permission was taken back, or only a gesture may subscribe.
  }
}
