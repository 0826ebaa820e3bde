import type { PushMessage } from '#shared/push.ts';
import { openBrowser } from './browser.ts';
import { toCard } from './cards.ts';
import { resubscribe } from './resubscribe.ts';
import { startWorker } from './run.ts';
import { serveShell } from './shell.ts';
import type { Told } from './world.ts';

const worker = self as unknown as ServiceWorkerGlobalScope;

serveShell(worker);
const handle = startWorker(openBrowser(worker));

worker.addEventListener('push', (event) => {
  event.waitUntil(handle({ type: 'push', message: read(event.data) }));
});

worker.addEventListener('notificationclick', (event) => {
  const { action, notification } = event;
  const { reply } = event as { reply?: string };
  event.waitUntil(handle({ type: 'click', card: toCard(notification), action, reply, answerId: crypto.randomUUID() }));
});

worker.addEventListener('notificationclose', (event) => {
  event.waitUntil(handle({ type: 'closed', card: toCard(event.notification) }));
});

worker.addEventListener('message', (event) => {
  event.waitUntil(handle(event.data as Told));
});

worker.addEventListener('pushsubscriptionchange', (event) => {
  (event as ExtendableEvent).waitUntil(resubscribe(worker.registration));
});

function read(data: PushMessageData | null): PushMessage | undefined {
  try {
    const said = data?.json() as (PushMessage & { notification?: never }) | { notification: { data: PushMessage } };
    // A declarative push that an engine hands to the worker all the same.
    return said.notification?.data ?? (said as PushMessage);
  } catch {
    return undefined;
  }
}
